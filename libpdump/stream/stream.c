/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a dump that is in memory into the pieces of a stream. */
#include "stream/stream.h"
#include "dump/event_lanes.h"

#include <stdlib.h>
#include <string.h>

struct pdump_cut {
    struct pdump_stream stream; /* must be first: freed as this */
    const struct pdump_dump *dump;
    int *lanes; /* number of lanes before each piece */
    struct pdump_dump piece;
    struct pdump_dump_row *rows; /* of the piece */
};

int pdump_stream_room(const struct pdump_dump *tables, struct pdump_dump *out)
{
    size_t n = (size_t)tables->n_metrics + 1;

    *out = *tables;
    out->columns = calloc(n, sizeof(*out->columns));
    out->sample_values = calloc(n, sizeof(*out->sample_values));
    return out->columns && out->sample_values ? PDUMP_OK : pdump_no_memory();
}

void pdump_stream_cut(const struct pdump_dump *all, int64_t row, int64_t n_rows,
                      int64_t sample, int64_t n_samples,
                      struct pdump_dump *piece)
{
    piece->rows = all->rows ? all->rows + row : NULL;
    piece->n_rows = n_rows;
    piece->samples = all->samples ? all->samples + sample : NULL;
    piece->n_samples = n_samples;
    for (int m = 0; m < all->n_metrics; m++) {
        const struct pdump_dump_column *c = &all->columns[m];
        const int64_t *values = all->sample_values[m];

        piece->columns[m] = (struct pdump_dump_column){
            .sum = c->sum ? c->sum + row : NULL,
            .min = c->min ? c->min + row : NULL,
            .max = c->max ? c->max + row : NULL,
            .sumsq = c->sumsq ? c->sumsq + row : NULL,
            .exclusive = c->exclusive ? c->exclusive + row : NULL,
        };
        piece->sample_values[m] = values ? (int64_t *)values + sample : NULL;
    }
}

uint64_t pdump_stream_keys(const struct pdump_dump *dump, const int *nodes,
                           int64_t from, int64_t to)
{
    uint64_t sum = (uint64_t)(to - from);

    for (int64_t i = from; i < to; i++) {
        int node = dump->samples[i].node;

        sum = (sum ^ (uint64_t)(nodes ? nodes[node] : node)) *
              UINT64_C(0x9e3779b97f4a7c15);
        sum = (sum ^ (uint64_t)dump->samples[i].number) *
              UINT64_C(0xff51afd7ed558ccd);
        sum ^= sum >> 31;
    }
    return sum;
}

static int rank_of(const struct pdump_dump *dump, int thread)
{
    return dump->processes[dump->threads[thread].process].rank;
}

/* Where each piece begins; filled by piece_cut(). */
struct borders {
    int64_t *rows;
    int64_t *samples;
    int64_t *events;
    int *lanes;
    int *ranks;
};

/* Cuts the dump where the rank changes.  Rows, samples and lanes are sorted by
 * thread. */
static int piece_cut(const struct pdump_dump *dump, const struct borders *at)
{
    int64_t row = 0, sample = 0, event = 0;
    int n = 0, lane = 0;

    for (int thread = 0; thread < dump->n_threads; thread++) {
        int rank = rank_of(dump, thread);

        if (n == 0 || at->ranks[n - 1] != rank) {
            at->ranks[n] = rank;
            at->rows[n] = row;
            at->events[n] = event;
            at->lanes[n] = lane;
            at->samples[n++] = sample;
        }
        while (row < dump->n_rows && dump->rows[row].thread == thread)
            row++;
        while (sample < dump->n_samples &&
               dump->samples[sample].thread == thread)
            sample++;
        if (lane < dump->n_lanes && dump->lanes[lane].thread == thread)
            event += dump->lanes[lane++].n_events;
    }
    if (sample < dump->n_samples)
        n = 1; /* not sorted: the file was edited */
    at->rows[n] = dump->n_rows;
    at->samples[n] = dump->n_samples;
    at->events[n] = event;
    at->lanes[n] = lane;
    return n;
}

/* Copies rows, because parents are counted from the first row of the piece. */
static int take_rows(struct pdump_cut *c, int64_t first, int64_t n)
{
    struct pdump_dump_row *rows =
        realloc(c->rows, ((size_t)n + 1) * sizeof(*rows));

    if (!rows)
        return pdump_no_memory();
    c->rows = c->piece.rows = rows;
    for (int64_t i = 0; i < n; i++) {
        rows[i] = c->dump->rows[first + i];
        if (rows[i].parent >= 0)
            rows[i].parent -= first;
    }
    return PDUMP_OK;
}

static int cut_piece(struct pdump_stream *s, int i,
                     const struct pdump_dump **out)
{
    struct pdump_cut *c = (struct pdump_cut *)s;
    int64_t row = s->row_ptr[i], sample = s->sample_ptr[i];
    struct pdump_dump *piece = &c->piece;

    if (s->n_pieces == 1) {
        *out = c->dump;
        return PDUMP_OK;
    }
    pdump_stream_cut(c->dump, row, s->row_ptr[i + 1] - row, sample,
                     s->sample_ptr[i + 1] - sample, piece);
    if (take_rows(c, row, piece->n_rows) < 0)
        return PDUMP_ENOMEM;
    piece->lanes = c->dump->lanes ? c->dump->lanes + c->lanes[i] : NULL;
    piece->n_lanes = c->lanes[i + 1] - c->lanes[i];
    *out = piece;
    return PDUMP_OK;
}

void pdump_stream_free(struct pdump_stream *s)
{
    struct pdump_cut *c = (struct pdump_cut *)s;

    if (!c)
        return;
    free((void *)s->row_ptr);
    free((void *)s->sample_ptr);
    free((void *)s->event_ptr);
    free((void *)s->rank);
    free(s->sums);
    free(c->lanes);
    free(c->rows);
    free(c->piece.columns);
    free(c->piece.sample_values);
    free(c);
}

static bool is_regular(const struct pdump_stream *s)
{
    const int64_t *at = s->sample_ptr;
    uint64_t first = pdump_stream_keys(s->tables, NULL, at[0], at[1]);

    for (int i = 1; i < s->n_pieces; i++)
        if (pdump_stream_keys(s->tables, NULL, at[i], at[i + 1]) != first)
            return false;
    return true;
}

static bool make_borders(size_t n, struct borders *at)
{
    at->rows = calloc(n, sizeof(*at->rows));
    at->samples = calloc(n, sizeof(*at->samples));
    at->events = calloc(n, sizeof(*at->events));
    at->lanes = calloc(n, sizeof(*at->lanes));
    at->ranks = calloc(n, sizeof(*at->ranks));
    return at->rows && at->samples && at->events && at->lanes && at->ranks;
}

int pdump_stream_of(const struct pdump_dump *dump, struct pdump_stream **out)
{
    struct pdump_cut *c = calloc(1, sizeof(*c));
    size_t n = (size_t)dump->n_threads + 2;
    struct borders at;
    bool is_good;

    if (!c)
        return pdump_no_memory();
    c->dump = dump;
    is_good = make_borders(n, &at) && pdump_stream_room(dump, &c->piece) >= 0;
    c->stream = (struct pdump_stream){
        .tables = dump,
        .row_ptr = at.rows,
        .sample_ptr = at.samples,
        .event_ptr = at.events,
        .event_bytes = pdump_event_lanes_bytes(dump),
        .rank = at.ranks,
        .piece = cut_piece,
        .whole = (struct pdump_dump *)dump,
    };
    c->lanes = at.lanes;
    if (!is_good) {
        pdump_stream_free(&c->stream);
        return pdump_no_memory();
    }
    c->stream.n_pieces = piece_cut(dump, &at);
    c->stream.is_regular = is_regular(&c->stream);
    *out = &c->stream;
    return PDUMP_OK;
}
