/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends and receives messages of any length between two ranks of a group.
 *
 * A message is a head, which has the length and the first bytes, and as many
 * pieces as needed.  The first piece is small and sent synchronously: the
 * sender polls slowly for the receiver, which may have other senders before it.
 * From there on both poll fast.
 *
 * MPI only uses our own buffers.  If the other rank stops answering, the
 * transfer is still outstanding when we return; then the buffer is leaked on
 * purpose.
 */
#include "message.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, FIRST_PIECE = 1 << 16, PIECE = 8 << 20 };

/* Small enough for MPI to send it eagerly, before the receiver asks. */
struct head {
    uint64_t len;
    char first[3064];
};

struct transfer {
    struct pdump_group *group;
    int peer;
    enum pdump_patience patience;
    int times; /* factor of the deadline until the head has come */
};

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t piece_of(const struct transfer *t, size_t len)
{
    return least_size(len, t->patience == PDUMP_PATIENT ? FIRST_PIECE : PIECE);
}

static int wait_for(const struct transfer *t, int code, MPI_Request *request)
{
    char who[32];

    if (code != MPI_SUCCESS)
        return pdump_deadline_error(code);
    snprintf(who, sizeof(who), "rank %d", t->peer);
    return pdump_group_wait(t->group, request, t->patience, t->times, who);
}

typedef int send_function(const void *bytes, int len, MPI_Datatype type, int to,
                          int tag, MPI_Comm comm, MPI_Request *request);

static int message_put(const struct transfer *t, send_function *start,
                       const void *bytes, size_t len)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = start(bytes, (int)len, MPI_BYTE, t->peer, TAG,
                     *pdump_group_comm(t->group), &request);

    return wait_for(t, code, &request);
}

static int message_get(const struct transfer *t, void *bytes, size_t len)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = PMPI_Irecv(bytes, (int)len, MPI_BYTE, t->peer, TAG,
                          *pdump_group_comm(t->group), &request);

    return wait_for(t, code, &request);
}

static int peer_check(const struct pdump_group *g, int peer)
{
    if (peer < 0 || peer >= pdump_group_size(g) || peer == pdump_group_rank(g))
        return pdump_fail(PDUMP_EINVAL, "there is no other rank %d", peer);
    return pdump_group_check(g);
}

static int put_pieces(struct transfer *t, const char *bytes, size_t len)
{
    char *piece = malloc(least_size(len, PIECE));
    send_function *start = PMPI_Issend; /* until the receiver has begun */
    int err = PDUMP_OK;

    if (!piece)
        return pdump_no_memory();
    for (size_t n; len > 0 && err == PDUMP_OK; bytes += n, len -= n) {
        n = piece_of(t, len);
        memcpy(piece, bytes, n);
        err = message_put(t, start, piece, n);
        start = PMPI_Isend;
        t->patience = PDUMP_EAGER;
    }
    if (err == PDUMP_OK)
        free(piece);
    return err;
}

static int get_pieces(struct transfer *t, char *bytes, size_t len)
{
    int err = PDUMP_OK;

    for (size_t n; len > 0 && err == PDUMP_OK; bytes += n, len -= n) {
        n = piece_of(t, len);
        err = message_get(t, bytes, n);
        t->patience = PDUMP_EAGER;
    }
    return err;
}

static int put_all(struct transfer *t, const char *bytes, size_t len)
{
    struct head *head = malloc(sizeof(*head));
    size_t n = least_size(len, sizeof(head->first));
    int err;

    if (!head)
        return pdump_no_memory();
    head->len = len;
    if (n > 0)
        memcpy(head->first, bytes, n);
    err = message_put(t, PMPI_Isend, head, offsetof(struct head, first) + n);
    if (err < 0)
        return err;
    free(head);
    return len > n ? put_pieces(t, bytes + n, len - n) : PDUMP_OK;
}

/* Receives the rest of the message whose head has come. */
static int get_rest(struct transfer *t, const struct head *head, void **bytes,
                    size_t *len)
{
    size_t n = least_size(head->len, sizeof(head->first));
    char *all = malloc(head->len ? head->len : 1);
    int err;

    if (!all)
        return pdump_no_memory();
    memcpy(all, head->first, n);
    err = get_pieces(t, all + n, head->len - n);
    if (err < 0)
        return err;
    *bytes = all;
    *len = head->len;
    return PDUMP_OK;
}

static int get_all(struct transfer *t, void **bytes, size_t *len)
{
    struct head *head = malloc(sizeof(*head));
    int err;

    if (!head)
        return pdump_no_memory();
    err = message_get(t, head, sizeof(*head));
    if (err < 0)
        return err;
    t->times = 1;
    err = get_rest(t, head, bytes, len);
    free(head);
    return err;
}

int pdump_message_send(struct pdump_group *g, int to, const void *bytes,
                       size_t len)
{
    int err = peer_check(g, to);

    if (err < 0)
        return err;
    err = put_all(&(struct transfer){ .group = g, .peer = to, .times = 1 },
                  bytes, len);
    if (err < 0)
        pdump_group_break(g);
    return err;
}

int pdump_message_receive(struct pdump_group *g, int from, int times,
                          void **bytes, size_t *len)
{
    int err = peer_check(g, from);

    if (err < 0)
        return err;
    err =
        get_all(&(struct transfer){ .group = g, .peer = from, .times = times },
                bytes, len);
    if (err < 0)
        pdump_group_break(g);
    return err;
}
