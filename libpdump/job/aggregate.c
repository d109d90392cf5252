/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one stream on rank 0 from the dumps of all ranks of a job. */
#include "job/aggregate.h"
#include "dump/dump_append.h"
#include "dump/event_lanes.h"
#include "job/aggregate_clocks.h"
#include "job/aggregate_details.h"
#include "job/aggregate_protocol.h"
#include "job/aggregate_stats.h"
#include "job/aggregate_unite.h"
#include "job/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more ranks than this, PDUMP_RANKS=auto keeps only statistics: nobody
 * reads the rows of each rank. */
enum { RANKS_ALL_MAX = 4096 };

/* What each rank tells rank 0 about its dump. */
struct member {
    int64_t rank; /* in the whole job */
    int64_t n_rows;
    int64_t n_samples;
    int64_t n_events;
    int64_t n_event_bytes;
    int64_t n_threads;
    int64_t n_details; /* bytes of its details; 0: no table */
    uint64_t keys;     /* hash of the samples' nodes and numbers */
};

struct pdump_aggregate {
    struct pdump_aggregate_protocol talk;
    const struct pdump_dump *given;
    const struct pdump_dump *own_numbers; /* talk.mine before clocks */
    struct pdump_dump moved;              /* talk.mine after clocks */
    /* On rank 0: */
    struct pdump_dump *tables;
    struct member *members;
    int *world_rank; /* of each piece, in the whole job */
    int64_t *row_ptr;
    int64_t *sample_ptr;
    int64_t *event_ptr;
};

/* Returns how many ranks keep their rows: all, none, or some that are evenly
 * spaced. */
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
    struct pdump_aggregate_protocol *t = &a->talk;
    size_t room = (size_t)n + 1;
    int thread = 0, next = 0;

    t->rank = calloc(room, sizeof(*t->rank));
    a->world_rank = calloc(room, sizeof(*a->world_rank));
    t->first_thread = calloc(room, sizeof(*t->first_thread));
    a->row_ptr = calloc(room, sizeof(*a->row_ptr));
    a->sample_ptr = calloc(room, sizeof(*a->sample_ptr));
    a->event_ptr = calloc(room, sizeof(*a->event_ptr));
    if (!t->rank || !a->world_rank || !t->first_thread || !a->row_ptr ||
        !a->sample_ptr || !a->event_ptr)
        return pdump_no_memory();
    for (int i = 0; i < size; i++) {
        const struct member *m = &a->members[i];

        if (next < n && i == (int)((int64_t)next * size / n)) {
            t->rank[next] = i;
            a->world_rank[next] = (int)m->rank;
            t->first_thread[next] = thread;
            a->row_ptr[next + 1] = a->row_ptr[next] + m->n_rows;
            a->sample_ptr[next + 1] = a->sample_ptr[next] + m->n_samples;
            a->event_ptr[next + 1] = a->event_ptr[next] + m->n_events;
            t->stream.event_bytes += m->n_event_bytes;
            t->stream.is_regular =
                t->stream.is_regular && m->keys == a->members[t->rank[0]].keys;
            next++;
        }
        thread += (int)m->n_threads;
    }
    return PDUMP_OK;
}

/* Makes a dump with the tables of all ranks, and room for the columns of
 * one. */
static int make_room(struct pdump_aggregate *a)
{
    struct pdump_aggregate_protocol *t = &a->talk;

    t->own = *a->tables;
    t->own.rows = t->mine->rows;
    t->own.n_rows = t->mine->n_rows;
    t->own.columns = t->mine->columns;
    t->own.samples = t->mine->samples;
    t->own.n_samples = t->mine->n_samples;
    t->own.sample_values = t->mine->sample_values;
    t->own.lanes = t->mine->lanes;
    t->own.n_lanes = t->mine->n_lanes;
    return pdump_stream_room(a->tables, &t->piece);
}

static int make_stream(struct pdump_aggregate *a, int n, int64_t whole_max)
{
    int size = a->talk.comm->size(), err;

    a->talk.stream = (struct pdump_stream){
        .tables = a->tables,
        .n_ranks = size,
        .n_pieces = n,
        .is_regular = true,
        .piece = pdump_aggregate_protocol_piece,
        .whole_max = whole_max,
    };
    err = make_pieces(a, n, size);
    if (err >= 0)
        err = make_room(a);
    a->talk.stream.row_ptr = a->row_ptr;
    a->talk.stream.sample_ptr = a->sample_ptr;
    a->talk.stream.event_ptr = a->event_ptr;
    a->talk.stream.rank = a->world_rank;
    return err;
}

/* Returns what to do with the details if `n` ranks keep their rows. */
static enum pdump_aggregate_details_way details_way(
    const struct pdump_aggregate *a, int n, int64_t max)
{
    int size = a->talk.comm->size();
    int64_t sum = 0;

    for (int i = 0; i < size; i++)
        sum += a->members[i].n_details;
    if (sum == 0)
        return PDUMP_AGGREGATE_DETAILS_NONE;
    if (size > 1 && n < size)
        return PDUMP_AGGREGATE_DETAILS_UNITED;
    return size > 1 && sum > max ? PDUMP_AGGREGATE_DETAILS_TOO_LARGE
                                 : PDUMP_AGGREGATE_DETAILS_EACH;
}

struct decision {
    int64_t n_wanted; /* ranks that keep their rows */
    int64_t details;  /* a pdump_aggregate_details_way */
    int64_t n_events; /* of all ranks */
};

/* Rank 0 decides for all, because the settings of the others may differ. */
static int way_decide(struct pdump_aggregate *a,
                      const struct pdump_settings *set, struct decision *out)
{
    struct decision d = { .n_wanted =
                              rows_wanted(set->ranks, a->talk.comm->size()) };
    int err;

    for (int i = 0; a->talk.comm->rank() == 0 && i < a->talk.comm->size(); i++)
        d.n_events += a->members[i].n_events;
    if (a->talk.comm->rank() == 0)
        d.details = details_way(a, (int)d.n_wanted, set->gather_max << 20);
    err = pdump_collectives_same(a->talk.comm, &d, sizeof(d));
    *out = d;
    return err;
}

/* Ranks that keep no rows keep no events: adds a warning. */
static int tell_of_events(struct pdump_aggregate *a, int64_t n_events)
{
    int64_t n = n_events - a->event_ptr[a->talk.stream.n_pieces];

    return n == 0 ? PDUMP_OK
                  : pdump_append_warning(
                        a->tables,
                        "events of ranks without rows are left out: "
                        "PDUMP_RANKS=all keeps them",
                        n);
}

static int64_t bytes_of_details(const struct pdump_dump *dump)
{
    int64_t n = dump->n_details;

    for (int i = 0; i < dump->n_details; i++)
        n += pdump_builder_details_bytes(&dump->details[i]);
    return n;
}

static int dumps_unite(struct pdump_aggregate *a,
                       const struct pdump_settings *set,
                       const struct pdump_clock_sync *clock)
{
    bool is_root = a->talk.comm->rank() == 0;
    struct decision d;
    struct member own;
    int err;

    err = pdump_aggregate_unite(a->talk.comm, a->given, &a->talk.mine,
                                &a->tables);
    a->own_numbers = a->talk.mine;
    if (err < 0)
        return err;
    own = (struct member){
        .rank = a->talk.mine->n_processes > 0 ? a->talk.mine->processes[0].rank
                                              : a->talk.comm->rank(),
        .n_rows = a->talk.mine->n_rows,
        .n_samples = a->talk.mine->n_samples,
        .n_events = pdump_event_lanes_count(a->talk.mine),
        .n_event_bytes = pdump_event_lanes_bytes(a->talk.mine),
        .n_threads = a->talk.mine->n_threads,
        .n_details = bytes_of_details(a->talk.mine),
        .keys =
            pdump_stream_keys(a->talk.mine, NULL, 0, a->talk.mine->n_samples),
    };
    err = pdump_collectives_all(a->talk.comm, &own, sizeof(own),
                                (void **)&a->members);
    if (err >= 0)
        err = way_decide(a, set, &d);
    if (err >= 0)
        err =
            pdump_aggregate_details(a->talk.comm, a->talk.mine,
                                    (enum pdump_aggregate_details_way)d.details,
                                    set->gather_max << 20, &a->tables);
    if (err >= 0 && d.n_wanted > 0 && d.n_events > 0) {
        err = pdump_aggregate_clocks(a->talk.comm, clock, a->talk.mine,
                                     &a->moved, a->tables);
        a->talk.mine = &a->moved;
    }
    if (err >= 0 && d.n_wanted < a->talk.comm->size()) {
        struct pdump_dump_rank_stat **stats;

        err = pdump_aggregate_stats(a->talk.comm, a->talk.mine, &stats);
        if (err >= 0 && is_root)
            a->tables->stats = stats;
    }
    if (err >= 0 && is_root)
        err = make_stream(a, (int)d.n_wanted, set->gather_max << 20);
    if (err >= 0 && is_root)
        err = tell_of_events(a, d.n_events);
    return err;
}

static void aggregate_discard(struct pdump_aggregate *a)
{
    pdump_stream_forget(&a->talk.stream);
    free(a->talk.stream.sums);
    pdump_dump_free_lanes(&a->moved);
    if (a->own_numbers && a->own_numbers != a->given)
        pdump_dump_free((struct pdump_dump *)a->own_numbers);
    pdump_dump_free(a->tables);
    free(a->talk.rows.bytes);
    free(a->members);
    free(a->talk.rank);
    free(a->world_rank);
    free(a->talk.first_thread);
    free(a->row_ptr);
    free(a->sample_ptr);
    free(a->event_ptr);
    free(a->talk.piece.columns);
    free(a->talk.piece.sample_values);
    free(a->talk.bytes);
    free(a);
}

int pdump_aggregate_open(const struct pdump_dump *mine,
                         const struct pdump_comm *comm, const void *group,
                         uint64_t what, const struct pdump_settings *set,
                         const struct pdump_clock_sync *clock,
                         struct pdump_aggregate **out)
{
    struct pdump_aggregate *a = calloc(1, sizeof(*a));
    int err;

    if (!a)
        return pdump_no_memory();
    a->talk.comm = comm;
    a->given = a->talk.mine = mine;
    err = comm->enter(group, set->mpi_timeout);
    if (err >= 0) {
        err = comm->same(what);
        if (err == 0)
            err = pdump_fail(PDUMP_EPEER, "the ranks write different dumps");
        if (err >= 0)
            err = dumps_unite(a, set, clock);
        if (err < 0)
            comm->leave();
    }
    if (err < 0) {
        aggregate_discard(a);
        return err;
    }
    *out = a;
    return PDUMP_OK;
}

void pdump_aggregate_fill_by(struct pdump_aggregate *a,
                             int (*find_fill)(pdump_fill **out))
{
    a->talk.find_fill = find_fill;
    if (a->talk.stream.n_pieces == a->talk.comm->size())
        a->talk.stream.fill = pdump_aggregate_protocol_fill;
}

struct pdump_stream *pdump_aggregate_stream(struct pdump_aggregate *a)
{
    return a->tables ? &a->talk.stream : NULL;
}

int pdump_aggregate_close(struct pdump_aggregate *a, int err)
{
    if (a->tables)
        pdump_aggregate_protocol_end(&a->talk, err);
    else
        err = pdump_aggregate_protocol_serve(&a->talk);
    a->talk.comm->leave();
    aggregate_discard(a);
    return err;
}
