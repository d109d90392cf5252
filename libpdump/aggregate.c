/* SPDX-License-Identifier: BSD-3-Clause */
/* The dumps of all ranks of a job, as one stream on rank 0. */
#include "aggregate.h"
#include "aggregate_clocks.h"
#include "aggregate_details.h"
#include "aggregate_stats.h"
#include "aggregate_unite.h"
#include "collect.h"
#include "tables_note.h"
#include "lanes.h"
#include "pack.h"
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more ranks than this nobody looks at each of them. */
enum { RANKS_ALL_MAX = 4096 };

/* While rank 0 writes, the others wait for its next word so many deadlines. */
enum { PATIENCE = 30 };

enum { GET_READY = 1, SEND_ROWS, FILL_FILE, THE_END };

/* What rank 0 needs to know of each. */
struct member {
    int64_t rank; /* in the whole job */
    int64_t n_rows;
    int64_t n_samples;
    int64_t n_events;
    int64_t n_event_bytes;
    int64_t n_threads;
    int64_t n_details; /* bytes of its details; 0: no table */
    uint64_t keys;     /* fingerprint of the samples' nodes and numbers */
};

struct pdump_aggregate {
    struct pdump_stream stream; /* first */
    const struct pdump_comm *comm;
    const struct pdump_dump *given;
    const struct pdump_dump *mine;        /* in the numbers of the job */
    const struct pdump_dump *own_numbers; /* the same before clocks */
    struct pdump_dump moved;              /* lanes of its own, if any */
    struct pdump_pack rows;               /* to be sent, perhaps again */
    /* On rank 0: */
    struct pdump_dump *tables;
    struct member *members;
    int *rank;         /* in the group, of each piece */
    int *world_rank;   /* in the whole job */
    int *first_thread; /* of each piece */
    int64_t *row_ptr;
    int64_t *sample_ptr;
    int64_t *event_ptr;
    int n_ready;           /* pieces whose ranks were told to get ready */
    struct pdump_dump own; /* rank 0's rows, with the tables of all */
    struct pdump_dump piece;
    void *bytes; /* of the piece */
};

/* A word to a rank, with a number and a path. */
static int tell(struct pdump_aggregate *a, int rank, int64_t word, int64_t with,
                const char *path)
{
    struct pdump_pack p = { 0 };
    int err;

    pdump_pack_int(&p, word);
    pdump_pack_int(&p, with);
    pdump_pack_text(&p, path);
    err = p.is_bad ? pdump_no_memory() : a->comm->send(rank, p.bytes, p.len);
    free(p.bytes);
    return err;
}

/* Let the rank of piece i put its rows together while we have other work. */
static int announce(struct pdump_aggregate *a, int i)
{
    if (i < a->n_ready || i >= a->stream.n_pieces)
        return PDUMP_OK;
    a->n_ready = i + 1;
    return a->rank[i] == 0 ? PDUMP_OK : tell(a, a->rank[i], GET_READY, 0, "");
}

/* Piece i: our own, or asked for. */
static int get_piece(struct pdump_stream *s, int i,
                     const struct pdump_dump **out)
{
    struct pdump_aggregate *a = (struct pdump_aggregate *)s;
    struct pdump_unpack in;
    size_t len;
    int err;

    free(a->bytes);
    a->bytes = NULL;
    if (a->rank[i] == 0) {
        *out = &a->own;
        return announce(a, i + 1);
    }
    err = tell(a, a->rank[i], SEND_ROWS, 0, "");
    if (err >= 0)
        err = a->comm->receive(a->rank[i], 1, &a->bytes, &len);
    if (err < 0)
        return err;
    in = (struct pdump_unpack){ .at = a->bytes,
                                .end = (const char *)a->bytes + len };
    err = pdump_unpack_rows(&in, a->first_thread[i], &a->piece);
    *out = &a->piece;
    return err < 0 ? err : announce(a, i + 1);
}

/* Kept until the end: rank 0 may ask once more. */
static void pack_rows(struct pdump_aggregate *a)
{
    if (!a->rows.bytes)
        pdump_pack_rows(&a->rows, a->mine);
}

static int send_rows(struct pdump_aggregate *a)
{
    pack_rows(a);
    return a->rows.is_bad ? pdump_no_memory()
                          : a->comm->send(0, a->rows.bytes, a->rows.len);
}

/* Our threads have other numbers among those of all. */
static void number_threads(const struct pdump_dump *mine, int first)
{
    for (int64_t i = 0; i < mine->n_rows; i++)
        mine->rows[i].thread += first;
    for (int64_t i = 0; i < mine->n_samples; i++)
        mine->samples[i].thread += first;
    for (int i = 0; i < mine->n_lanes; i++)
        mine->lanes[i].thread += first;
}

/* Write our rows into the file that rank 0 has made, together with all others.
 * Nobody begins before everybody can. */
static int fill(struct pdump_aggregate *a, const struct pdump_stream *shape,
                int first_thread, const char *path)
{
    const struct pdump_sink *sink;
    int err = a->comm->agree(pdump_sink_find_filling("hdf5", &sink));

    if (err < 0)
        return err;
    number_threads(a->mine, first_thread);
    err = sink->fill(a->mine, shape, a->comm->rank(), path, a->comm);
    number_threads(a->mine, -first_thread);
    return err;
}

/* Where everybody's rows are to be. */
static int fill_all(struct pdump_stream *s, const char *path)
{
    struct pdump_aggregate *a = (struct pdump_aggregate *)s;
    size_t n = (size_t)s->n_pieces;
    struct pdump_pack p = { 0 };
    int err = PDUMP_OK;

    pdump_pack_int(&p, s->is_regular);
    pdump_pack_bytes(&p, s->row_ptr, (n + 1) * sizeof(*s->row_ptr));
    pdump_pack_bytes(&p, s->sample_ptr, (n + 1) * sizeof(*s->sample_ptr));
    pdump_pack_bytes(&p, s->event_ptr, (n + 1) * sizeof(*s->event_ptr));
    pdump_pack_bytes(&p, s->rank, n * sizeof(*s->rank));
    pdump_pack_bytes(&p, a->first_thread, n * sizeof(*a->first_thread));
    if (p.is_bad)
        err = pdump_no_memory();
    for (int i = 1; err >= 0 && i < a->comm->size(); i++)
        err = tell(a, i, FILL_FILE, 0, path);
    if (err >= 0)
        err = pdump_collect_down(a->comm, (void **)&p.bytes, &p.len);
    if (err >= 0)
        err = fill(a, s, 0, path);
    free(p.bytes);
    return err;
}

static int be_filled(struct pdump_aggregate *a, const char *path)
{
    size_t n = (size_t)a->comm->size(), len;
    struct pdump_stream shape = { .tables = a->mine,
                                  .n_ranks = (int)n,
                                  .n_pieces = (int)n };
    struct pdump_unpack in;
    const int *threads;
    void *bytes = NULL;
    int err = pdump_collect_down(a->comm, &bytes, &len);

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
                    : fill(a, &shape, threads[a->comm->rank()], path);
    free(bytes);
    return err;
}

/* Do what rank 0 says, until it says that it is the end; *is_end then. */
static int obey(struct pdump_aggregate *a, bool *is_end)
{
    struct pdump_unpack in;
    int64_t word, with;
    const char *path;
    void *bytes;
    size_t len;
    int err = a->comm->receive(0, PATIENCE, &bytes, &len);

    if (err < 0)
        return err;
    in = (struct pdump_unpack){ .at = bytes, .end = (const char *)bytes + len };
    word = pdump_unpack_int(&in);
    with = pdump_unpack_int(&in);
    path = pdump_unpack_text(&in);
    if (word == GET_READY)
        pack_rows(a);
    else if (word == SEND_ROWS)
        err = send_rows(a);
    else if (word == FILL_FILE)
        be_filled(a, path); /* rank 0 knows how it went, and decides */
    else if (word != THE_END)
        err = pdump_fail(PDUMP_EPEER, "rank 0 does not make sense");
    else if (with < 0)
        err = pdump_fail((int)with, "rank 0 could not write");
    *is_end = word == THE_END;
    free(bytes);
    return err;
}

static int serve(struct pdump_aggregate *a)
{
    bool is_end = false;
    int err = PDUMP_OK;

    while (err >= 0 && !is_end)
        err = obey(a, &is_end);
    return err;
}

static uint64_t keys_of(const struct pdump_dump *dump)
{
    uint64_t sum = (uint64_t)dump->n_samples;

    for (int64_t i = 0; i < dump->n_samples; i++) {
        sum = (sum ^ (uint64_t)dump->samples[i].node) *
              UINT64_C(0x9e3779b97f4a7c15);
        sum = (sum ^ (uint64_t)dump->samples[i].number) *
              UINT64_C(0xff51afd7ed558ccd);
        sum ^= sum >> 31;
    }
    return sum;
}

/* How many ranks keep their rows: all, none, or some that are chosen evenly. */
static int rows_wanted(const char *ranks, int size)
{
    if (strcmp(ranks, "all") == 0)
        return size;
    if (strcmp(ranks, "stats") == 0)
        return 0;
    if (strcmp(ranks, "auto") == 0)
        return size <= RANKS_ALL_MAX ? size : 0;
    return atoi(ranks) < size ? atoi(ranks) : size;
}

static int make_pieces(struct pdump_aggregate *a, int n, int size)
{
    size_t room = (size_t)n + 1;
    int thread = 0, next = 0;

    a->rank = calloc(room, sizeof(*a->rank));
    a->world_rank = calloc(room, sizeof(*a->world_rank));
    a->first_thread = calloc(room, sizeof(*a->first_thread));
    a->row_ptr = calloc(room, sizeof(*a->row_ptr));
    a->sample_ptr = calloc(room, sizeof(*a->sample_ptr));
    a->event_ptr = calloc(room, sizeof(*a->event_ptr));
    if (!a->rank || !a->world_rank || !a->first_thread || !a->row_ptr ||
        !a->sample_ptr || !a->event_ptr)
        return pdump_no_memory();
    for (int i = 0; i < size; i++) {
        const struct member *m = &a->members[i];

        if (next < n && i == (int)((int64_t)next * size / n)) {
            a->rank[next] = i;
            a->world_rank[next] = (int)m->rank;
            a->first_thread[next] = thread;
            a->row_ptr[next + 1] = a->row_ptr[next] + m->n_rows;
            a->sample_ptr[next + 1] = a->sample_ptr[next] + m->n_samples;
            a->event_ptr[next + 1] = a->event_ptr[next] + m->n_events;
            a->stream.event_bytes += m->n_event_bytes;
            a->stream.is_regular =
                a->stream.is_regular && m->keys == a->members[a->rank[0]].keys;
            next++;
        }
        thread += (int)m->n_threads;
    }
    return PDUMP_OK;
}

/* A dump with the tables of all, and room for the columns of one rank. */
static int make_room(struct pdump_aggregate *a)
{
    size_t n = (size_t)a->tables->n_metrics + 1;

    a->own = a->piece = *a->tables;
    a->own.rows = a->mine->rows;
    a->own.n_rows = a->mine->n_rows;
    a->own.columns = a->mine->columns;
    a->own.samples = a->mine->samples;
    a->own.n_samples = a->mine->n_samples;
    a->own.sample_values = a->mine->sample_values;
    a->own.lanes = a->mine->lanes;
    a->own.n_lanes = a->mine->n_lanes;
    a->piece.columns = calloc(n, sizeof(*a->piece.columns));
    a->piece.sample_values = calloc(n, sizeof(*a->piece.sample_values));
    return a->piece.columns && a->piece.sample_values ? PDUMP_OK
                                                      : pdump_no_memory();
}

static int make_stream(struct pdump_aggregate *a, int n, int64_t whole_max)
{
    int size = a->comm->size(), err;

    a->stream = (struct pdump_stream){
        .tables = a->tables,
        .n_ranks = size,
        .n_pieces = n,
        .is_regular = true,
        .piece = get_piece,
        .fill = n == size ? fill_all : NULL,
        .whole_max = whole_max,
    };
    err = make_pieces(a, n, size);
    if (err >= 0)
        err = make_room(a);
    a->stream.row_ptr = a->row_ptr;
    a->stream.sample_ptr = a->sample_ptr;
    a->stream.event_ptr = a->event_ptr;
    a->stream.rank = a->world_rank;
    return err;
}

/* What becomes of the details, if `n` ranks keep their rows. */
static enum pdump_details_way details_way(const struct pdump_aggregate *a,
                                          int n, int64_t max)
{
    int size = a->comm->size();
    int64_t sum = 0;

    for (int i = 0; i < size; i++)
        sum += a->members[i].n_details;
    if (sum == 0)
        return PDUMP_DETAILS_NONE;
    if (size > 1 && n < size)
        return PDUMP_DETAILS_UNITED;
    return size > 1 && sum > max ? PDUMP_DETAILS_TOO_LARGE : PDUMP_DETAILS_EACH;
}

struct decision {
    int64_t n_wanted; /* ranks that keep their rows */
    int64_t details;  /* a pdump_details_way */
    int64_t n_events; /* of all ranks */
};

/* Rank 0 decides; the settings of the others may be different. */
static int decide(struct pdump_aggregate *a, const struct pdump_settings *set,
                  struct decision *out)
{
    struct decision d = { .n_wanted =
                              rows_wanted(set->ranks, a->comm->size()) };
    int err;

    for (int i = 0; a->comm->rank() == 0 && i < a->comm->size(); i++)
        d.n_events += a->members[i].n_events;
    if (a->comm->rank() == 0)
        d.details = details_way(a, (int)d.n_wanted, set->gather_max << 20);
    err = pdump_collect_same(a->comm, &d, sizeof(d));
    *out = d;
    return err;
}

/* Where ranks keep no rows, they keep no events. */
static int tell_of_events(struct pdump_aggregate *a, int64_t n_events)
{
    int64_t n = n_events - a->event_ptr[a->stream.n_pieces];

    return n == 0 ? PDUMP_OK
                  : pdump_tables_warning(
                        a->tables,
                        "events of ranks without rows are left out: "
                        "PDUMP_RANKS=all keeps them",
                        n);
}

static int64_t bytes_of_details(const struct pdump_dump *dump)
{
    int64_t n = dump->n_details;

    for (int i = 0; i < dump->n_details; i++)
        n += pdump_details_bytes(&dump->details[i]);
    return n;
}

static int unite(struct pdump_aggregate *a, const struct pdump_settings *set,
                 const struct pdump_align *clock)
{
    bool is_root = a->comm->rank() == 0;
    struct decision d;
    struct member own;
    int err;

    err = pdump_aggregate_unite(a->comm, a->given, &a->mine, &a->tables);
    a->own_numbers = a->mine;
    if (err < 0)
        return err;
    own = (struct member){
        .rank = a->mine->n_processes > 0 ? a->mine->processes[0].rank
                                         : a->comm->rank(),
        .n_rows = a->mine->n_rows,
        .n_samples = a->mine->n_samples,
        .n_events = pdump_lanes_count(a->mine),
        .n_event_bytes = pdump_lanes_bytes(a->mine),
        .n_threads = a->mine->n_threads,
        .n_details = bytes_of_details(a->mine),
        .keys = keys_of(a->mine),
    };
    err = pdump_collect_all(a->comm, &own, sizeof(own), (void **)&a->members);
    if (err >= 0)
        err = decide(a, set, &d);
    if (err >= 0)
        err = pdump_aggregate_details(a->comm, a->mine,
                                      (enum pdump_details_way)d.details,
                                      set->gather_max << 20, &a->tables);
    if (err >= 0 && d.n_wanted > 0 && d.n_events > 0) {
        err = pdump_aggregate_clocks(a->comm, clock, a->mine, &a->moved,
                                     a->tables);
        a->mine = &a->moved;
    }
    if (err >= 0 && d.n_wanted < a->comm->size()) {
        struct pdump_dump_stat **stats;

        err = pdump_aggregate_stats(a->comm, a->mine, &stats);
        if (err >= 0 && is_root)
            a->tables->stats = stats;
    }
    if (err >= 0 && is_root)
        err = make_stream(a, (int)d.n_wanted, set->gather_max << 20);
    if (err >= 0 && is_root)
        err = tell_of_events(a, d.n_events);
    return err;
}

static void discard(struct pdump_aggregate *a)
{
    pdump_stream_forget(&a->stream);
    free(a->stream.sums);
    pdump_lanes_free(&a->moved);
    if (a->own_numbers && a->own_numbers != a->given)
        pdump_dump_free((struct pdump_dump *)a->own_numbers);
    pdump_dump_free(a->tables);
    free(a->rows.bytes);
    free(a->members);
    free(a->rank);
    free(a->world_rank);
    free(a->first_thread);
    free(a->row_ptr);
    free(a->sample_ptr);
    free(a->event_ptr);
    free(a->piece.columns);
    free(a->piece.sample_values);
    free(a->bytes);
    free(a);
}

int pdump_aggregate_open(const struct pdump_dump *mine,
                         const struct pdump_comm *comm, const void *group,
                         uint64_t what, const struct pdump_settings *set,
                         const struct pdump_align *clock,
                         struct pdump_aggregate **out)
{
    struct pdump_aggregate *a = calloc(1, sizeof(*a));
    int err;

    if (!a)
        return pdump_no_memory();
    a->comm = comm;
    a->given = a->mine = mine;
    err = comm->enter(group, set->mpi_timeout);
    if (err >= 0) {
        err = comm->same(what);
        if (err == 0)
            err = pdump_fail(PDUMP_EPEER, "the ranks write different dumps");
        if (err >= 0)
            err = unite(a, set, clock);
        if (err < 0)
            comm->leave();
    }
    if (err < 0) {
        discard(a);
        return err;
    }
    *out = a;
    return PDUMP_OK;
}

struct pdump_stream *pdump_aggregate_stream(struct pdump_aggregate *a)
{
    return a->tables ? &a->stream : NULL;
}

int pdump_aggregate_close(struct pdump_aggregate *a, int err)
{
    if (!a->tables) {
        err = serve(a);
    } else {
        int told = PDUMP_OK;

        for (int i = 1; told >= 0 && i < a->comm->size(); i++)
            told = tell(a, i, THE_END, err, "");
    }
    a->comm->leave();
    discard(a);
    return err;
}
