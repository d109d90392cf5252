/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the events of a snapshot.
 *
 * Events come in pieces.  A piece is in the store; when it is full, it is moved
 * to the file.  Events are numbered, so a gap between two pieces shows how many
 * are missing.
 */
#include "base/array.h"
#include "snapshot/snapshot_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int by_thread(const void *a, const void *b)
{
    const struct pdump_event_piece *x =
        &((const struct pdump_snapshot_piece *)a)->head;
    const struct pdump_event_piece *y =
        &((const struct pdump_snapshot_piece *)b)->head;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return (x->n < y->n) - (x->n > y->n); /* the longer copy first */
}

/* Copies the chunk as it is now.  Returns false if the chunk is not in use, or
 * if its thread has reused it meanwhile. */
__attribute__((no_sanitize("thread"))) static bool copy_chunk(
    const struct pdump_event_chunk *chunk, struct pdump_snapshot_piece *out)
{
    const volatile struct pdump_event_chunk *from = chunk;
    uint64_t sequence =
        atomic_load_explicit(&chunk->sequence, memory_order_acquire);
    uint32_t n = atomic_load_explicit(&chunk->n, memory_order_acquire);

    *out = (struct pdump_snapshot_piece){ .head = { .sequence = sequence,
                                                    .first = from->first,
                                                    .start = from->start,
                                                    .thread = from->number,
                                                    .node = from->node,
                                                    .n = n } };
    if (sequence == 0 || n == 0 || n > chunk->room || n > PDUMP_EVENT_CHUNK_MAX)
        return false;
    out->bytes = malloc(n);
    for (uint32_t i = 0; out->bytes && i < n; i++)
        out->bytes[i] = from->bytes[i];
    atomic_thread_fence(memory_order_acquire);
    if (out->bytes && sequence == atomic_load_explicit(&chunk->sequence,
                                                       memory_order_relaxed))
        return true;
    free(out->bytes);
    return false;
}

static int add_piece(struct pdump_snapshot_events *e,
                     const struct pdump_snapshot_piece *piece)
{
    int err = pdump_array_make(&e->pieces, e->n_pieces, sizeof(*e->pieces));

    if (err < 0)
        free(piece->bytes);
    else
        e->pieces[e->n_pieces++] = *piece;
    return err;
}

static int find_in_store(struct pdump_snapshot *s)
{
    const struct pdump_event_chunk *chunk;
    uint64_t n_bytes = 0;
    int err = PDUMP_OK;

    for (uint32_t ref = atomic_load(&s->head->event_chunks); ref && err >= 0;
         ref = chunk->next) {
        struct pdump_snapshot_piece piece;

        chunk = pdump_store_at(s->base, ref);
        n_bytes += sizeof(*chunk);
        if (n_bytes > s->size) { /* an endless chain */
            s->events->n_damaged++;
            break;
        }
        if (!copy_chunk(chunk, &piece))
            continue;
        n_bytes += piece.head.n;
        err = add_piece(s->events, &piece);
    }
    return err;
}

/* Returns false with errno 0 if the file is too short. */
static bool read_at(int fd, void *to, size_t n, off_t at)
{
    char *out = to;

    while (n > 0) {
        ssize_t got = pread(fd, out, n, at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        out += got;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static int find_in_file(struct pdump_snapshot *s)
{
    struct pdump_snapshot_events *e = s->events;
    off_t at = sizeof(struct pdump_store_event_owner), size;
    struct pdump_snapshot_piece piece = { .bytes = NULL };
    int err = PDUMP_OK;

    e->file = pdump_store_event_file_open(s->path, s->base);
    if (e->file < 0) {
        e->is_unread = s->head->event_file != 0;
        return PDUMP_OK;
    }
    size = lseek(e->file, 0, SEEK_END);
    while (err >= 0) {
        if (!read_at(e->file, &piece.head, sizeof(piece.head), at)) {
            e->is_unread = errno != 0;
            break;
        }
        piece.at = at + (off_t)sizeof(piece.head);
        at = piece.at + piece.head.n;
        if (at > size || piece.head.sequence == 0 ||
            piece.head.n > PDUMP_EVENT_CHUNK_MAX)
            break; /* the file was cut here */
        err = add_piece(e, &piece);
    }
    return err;
}

/* Reads the store first: a piece that leaves it meanwhile is then found in the
 * file. */
int pdump_snapshot_find_events(struct pdump_snapshot *s)
{
    int err;

    if (!s->path || s->head->events_mode == PDUMP_TIMELINE_NONE)
        return PDUMP_OK;
    s->events = calloc(1, sizeof(*s->events));
    if (!s->events)
        return pdump_no_memory();
    s->events->file = -1;
    s->events->is_moving = s->is_live && pdump_timeline_is_writing();
    err = find_in_store(s);
    if (err >= 0)
        err = find_in_file(s);
    if (err >= 0 && s->events->n_pieces > 0)
        qsort(s->events->pieces, (size_t)s->events->n_pieces,
              sizeof(*s->events->pieces), by_thread);
    return err;
}

static int add_number(struct pdump_snapshot *s, const char *key, int64_t n)
{
    char text[32];

    snprintf(text, sizeof(text), "%" PRId64, n);
    return pdump_builder_metadata(s->builder, key, text);
}

static int events_tell(struct pdump_snapshot *s)
{
    const struct pdump_snapshot_events *e = s->events;
    bool is_ring = s->head->events_mode == PDUMP_TIMELINE_RING;
    int err = pdump_builder_metadata(s->builder, "events_mode",
                                     is_ring ? "ring" : "flush");

    if (err >= 0)
        err = add_number(s, "events", e->n_events);
    if (err >= 0)
        err = add_number(s, "events_lost", e->n_lost);
    if (err >= 0 && is_ring)
        err = add_number(s, "events_dropped", e->n_dropped);
    if (err >= 0 && e->n_lost > 0)
        err = pdump_builder_warning(
            s->builder,
            is_ring ? "events are lost, as there was no memory for them: a "
                      "larger PDUMP_MEMORY_MAX, a smaller "
                      "PDUMP_EVENTS_BUFFER or a filter help"
                    : "events are lost, as they could not be written in time: "
                      "a larger PDUMP_EVENTS_BUFFER, a filter or "
                      "PDUMP_EVENTS_MODE=ring help",
            e->n_lost);
    if (err >= 0 && e->is_unread)
        err = pdump_builder_warning(
            s->builder,
            "files of events that could not be read: what was in them is "
            "missing",
            1);
    if (err >= 0 && e->n_damaged > 0)
        err = pdump_builder_warning(
            s->builder, "threads whose events are damaged from some point on",
            e->n_damaged);
    return err;
}

int pdump_snapshot_end_events(struct pdump_snapshot *s, int err)
{
    struct pdump_snapshot_events *e = s->events;

    if (!e)
        return err;
    if (err >= 0)
        err = events_tell(s);
    for (int i = 0; i < e->n_pieces; i++)
        free(e->pieces[i].bytes);
    free(e->pieces);
    if (e->file >= 0)
        close(e->file);
    free(e);
    s->events = NULL;
    return err;
}

const unsigned char *pdump_snapshot_piece_load(
    struct pdump_snapshot_events *e, struct pdump_snapshot_piece *piece)
{
    if (piece->bytes)
        return piece->bytes;
    piece->bytes = malloc(piece->head.n + 1);
    if (piece->bytes &&
        !read_at(e->file, piece->bytes, piece->head.n, piece->at)) {
        free(piece->bytes);
        piece->bytes = NULL;
    }
    return piece->bytes;
}

void pdump_snapshot_piece_unload(struct pdump_snapshot_piece *piece)
{
    free(piece->bytes);
    piece->bytes = NULL;
}

struct pdump_snapshot_piece *pdump_snapshot_pieces(
    const struct pdump_snapshot_events *e, uint32_t thread, int *n)
{
    int low = 0, high = e->n_pieces;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (e->pieces[middle].head.thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0;
         low + *n < e->n_pieces && e->pieces[low + *n].head.thread == thread;)
        ++*n;
    return e->pieces ? e->pieces + low : NULL;
}

/* The thread may change these words; each is read whole, old or new. */
__attribute__((no_sanitize("thread"))) uint64_t pdump_snapshot_losses(
    const volatile struct pdump_thread_record *thread)
{
    return thread->lost_events + thread->unwritten_events;
}

bool pdump_snapshot_has_events(const struct pdump_snapshot *s,
                               const struct pdump_thread_record *thread)
{
    int n = 0;

    if (s->events)
        pdump_snapshot_pieces(s->events, thread->number, &n);
    return n > 0 || (s->events && pdump_snapshot_losses(thread) > 0);
}
