/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages between rank 0, which writes, and the other ranks. */
#include "job/aggregate_protocol.h"
#include "job/collectives.h"
#include "system/new_file.h"

#include <stdlib.h>

/* While rank 0 writes, the others wait this many deadlines for its next
 * message. */
enum { PATIENCE = 30 };

enum { GET_READY = 1, SEND_ROWS, FILL_FILE, THE_END };

/* Sends a command to a rank, with a number and a path. */
static int command_send(struct pdump_aggregate_protocol *t, int rank,
                        int64_t word, int64_t with, const char *path)
{
    struct pdump_pack p = { 0 };
    int err;

    pdump_pack_int(&p, word);
    pdump_pack_int(&p, with);
    pdump_pack_text(&p, path);
    err = p.is_bad ? pdump_no_memory() : t->comm->send(rank, p.bytes, p.len);
    free(p.bytes);
    return err;
}

/* Lets the rank of piece i pack its rows while rank 0 has other work. */
static int piece_announce(struct pdump_aggregate_protocol *t, int i)
{
    if (i < t->n_ready || i >= t->stream.n_pieces)
        return PDUMP_OK;
    t->n_ready = i + 1;
    return t->rank[i] == 0 ? PDUMP_OK
                           : command_send(t, t->rank[i], GET_READY, 0, "");
}

int pdump_aggregate_protocol_piece(struct pdump_stream *s, int i,
                                   const struct pdump_dump **out)
{
    struct pdump_aggregate_protocol *t = (struct pdump_aggregate_protocol *)s;
    struct pdump_unpack in;
    size_t len;
    int err;

    free(t->bytes);
    t->bytes = NULL;
    if (t->rank[i] == 0) {
        *out = &t->own;
        return piece_announce(t, i + 1);
    }
    err = command_send(t, t->rank[i], SEND_ROWS, 0, "");
    if (err >= 0)
        err = t->comm->receive(t->rank[i], 1, &t->bytes, &len);
    if (err < 0)
        return err;
    in = (struct pdump_unpack){ .at = t->bytes,
                                .end = (const char *)t->bytes + len };
    err = pdump_unpack_rows(&in, t->first_thread[i], &t->piece);
    *out = &t->piece;
    return err < 0 ? err : piece_announce(t, i + 1);
}

/* The packed rows are kept until the end: rank 0 may request them again. */
static void pack_rows(struct pdump_aggregate_protocol *t)
{
    if (!t->rows.bytes)
        pdump_pack_rows(&t->rows, t->mine);
}

static int send_rows(struct pdump_aggregate_protocol *t)
{
    pack_rows(t);
    return t->rows.is_bad ? pdump_no_memory()
                          : t->comm->send(0, t->rows.bytes, t->rows.len);
}

/* Converts the numbers of this rank's threads to those in the common tables. */
static void number_threads(const struct pdump_dump *mine, int first)
{
    for (int64_t i = 0; i < mine->n_rows; i++)
        mine->rows[i].thread += first;
    for (int64_t i = 0; i < mine->n_samples; i++)
        mine->samples[i].thread += first;
    for (int i = 0; i < mine->n_lanes; i++)
        mine->lanes[i].thread += first;
}

/* Writes this rank's rows to the file that rank 0 has created, together with
 * all other ranks.  No rank begins before all of them have found a fill(). */
static int stream_fill(struct pdump_aggregate_protocol *t,
                       const struct pdump_stream *shape, int first_thread,
                       const struct pdump_new_file *file)
{
    pdump_fill *fill_rows = NULL;
    int err = t->comm->agree(t->find_fill(&fill_rows));

    if (err < 0)
        return err;
    number_threads(t->mine, first_thread);
    err = fill_rows(t->mine, shape, t->comm->rank(), file, t->comm);
    number_threads(t->mine, -first_thread);
    return err;
}

int pdump_aggregate_protocol_fill(struct pdump_stream *s,
                                  const struct pdump_new_file *file)
{
    struct pdump_aggregate_protocol *t = (struct pdump_aggregate_protocol *)s;
    size_t n = (size_t)s->n_pieces;
    struct pdump_pack p = { 0 };
    int err = PDUMP_OK;

    pdump_pack_int(&p, s->is_regular);
    pdump_pack_bytes(&p, s->row_ptr, (n + 1) * sizeof(*s->row_ptr));
    pdump_pack_bytes(&p, s->sample_ptr, (n + 1) * sizeof(*s->sample_ptr));
    pdump_pack_bytes(&p, s->event_ptr, (n + 1) * sizeof(*s->event_ptr));
    pdump_pack_bytes(&p, s->rank, n * sizeof(*s->rank));
    pdump_pack_bytes(&p, t->first_thread, n * sizeof(*t->first_thread));
    if (p.is_bad)
        err = pdump_no_memory();
    for (int i = 1; err >= 0 && i < t->comm->size(); i++)
        err = command_send(t, i, FILL_FILE, file->inode, file->path);
    if (err >= 0)
        err = pdump_collectives_down(t->comm, (void **)&p.bytes, &p.len);
    if (err >= 0)
        err = stream_fill(t, s, 0, file);
    free(p.bytes);
    return err;
}

static int be_filled(struct pdump_aggregate_protocol *t,
                     const struct pdump_new_file *file)
{
    size_t n = (size_t)t->comm->size(), len;
    struct pdump_stream shape = { .tables = t->mine,
                                  .n_ranks = (int)n,
                                  .n_pieces = (int)n };
    struct pdump_unpack in;
    const int *threads;
    void *bytes = NULL;
    int err = pdump_collectives_down(t->comm, &bytes, &len);

    if (err < 0)
        return err;
    in = (struct pdump_unpack){ .at = bytes, .end = (const char *)bytes + len };
    shape.is_regular = pdump_unpack_int(&in);
    shape.row_ptr = pdump_unpack_bytes(&in, (n + 1) * sizeof(*shape.row_ptr));
    shape.sample_ptr =
        pdump_unpack_bytes(&in, (n + 1) * sizeof(*shape.sample_ptr));
    shape.event_ptr =
        pdump_unpack_bytes(&in, (n + 1) * sizeof(*shape.event_ptr));
    shape.rank = pdump_unpack_bytes(&in, n * sizeof(*shape.rank));
    threads = pdump_unpack_bytes(&in, n * sizeof(*threads));
    err = in.is_bad ? pdump_fail(PDUMP_EPEER, "rank 0 does not make sense")
                    : stream_fill(t, &shape, threads[t->comm->rank()], file);
    free(bytes);
    return err;
}

/* Executes one command of rank 0.  Sets *is_end if it was the last. */
static int command_obey(struct pdump_aggregate_protocol *t, bool *is_end)
{
    struct pdump_new_file file = { .fd = -1 };
    struct pdump_unpack in;
    int64_t word, with;
    void *bytes;
    size_t len;
    int err = t->comm->receive(0, PATIENCE, &bytes, &len);

    if (err < 0)
        return err;
    in = (struct pdump_unpack){ .at = bytes, .end = (const char *)bytes + len };
    word = pdump_unpack_int(&in);
    with = pdump_unpack_int(&in);
    file.path = pdump_unpack_text(&in);
    file.inode = with;
    if (word == GET_READY)
        pack_rows(t);
    else if (word == SEND_ROWS)
        err = send_rows(t);
    else if (word == FILL_FILE)
        be_filled(t, &file); /* rank 0 knows the result, and decides */
    else if (word != THE_END)
        err = pdump_fail(PDUMP_EPEER, "rank 0 does not make sense");
    else if (with < 0)
        err = pdump_fail((int)with, "rank 0 could not write");
    *is_end = word == THE_END;
    free(bytes);
    return err;
}

int pdump_aggregate_protocol_serve(struct pdump_aggregate_protocol *t)
{
    bool is_end = false;
    int err = PDUMP_OK;

    while (err >= 0 && !is_end)
        err = command_obey(t, &is_end);
    return err;
}

void pdump_aggregate_protocol_end(struct pdump_aggregate_protocol *t, int err)
{
    int told = PDUMP_OK;

    for (int i = 1; told >= 0 && i < t->comm->size(); i++)
        told = command_send(t, i, THE_END, err, "");
}
