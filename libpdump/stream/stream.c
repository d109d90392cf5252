/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a dump that is in memory into the pieces of a stream. */
#include "stream/stream.h"
#include "dump/event_lanes.h"

#include <stdlib.h>
#include <string.h>

struct pdump_cut {
    struct pdump_stream stream; /* must be first: freed as this */
    const struct pdump_dump *dump;
    int *lanes;              /* number of lanes before each piece */
    struct pdump_dump piece; /* owns its rows, borrows the rest from the dump */
};

static int rank_of(const struct pdump_dump *dump, int thread)
{
    return dump->processes[dump->threads[thread].process].rank;
}

/* Where each piece begins; filled by cut(). */
struct borders {
    int64_t *rows;
    int64_t *samples;
    int64_t *events;
    int *lanes;
    int *ranks;
};

/* Cuts the dump where the rank changes.  Rows, samples and lanes are sorted by
 * thread. */
static int cut(const struct pdump_dump *dump, const struct borders *at)
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

static bool is_like_first(const struct pdump_cut *c, int i)
{
    const int64_t *at = c->stream.sample_ptr;
    const struct pdump_dump_sample *samples = c->dump->samples;

    if (at[i + 1] - at[i] != at[1] - at[0])
        return false;
    for (int64_t k = 0; k < at[1] - at[0]; k++) {
        const struct pdump_dump_sample *a = &samples[at[0] + k];
        const struct pdump_dump_sample *b = &samples[at[i] + k];

        if (a->node != b->node || a->number != b->number)
            return false;
    }
    return true;
}

/* Copies rows, because parents are counted from the first row of the piece. */
static int take_rows(struct pdump_cut *c, int64_t first, int64_t n)
{
    struct pdump_dump_row *rows =
        realloc(c->piece.rows, ((size_t)n + 1) * sizeof(*rows));

    if (!rows)
        return pdump_no_memory();
    c->piece.rows = rows;
    c->piece.n_rows = n;
    for (int64_t i = 0; i < n; i++) {
        rows[i] = c->dump->rows[first + i];
        if (rows[i].parent >= 0)
            rows[i].parent -= first;
    }
    return PDUMP_OK;
}

/* A dump without rows has no array for them. */
static int64_t *from(int64_t *array, int64_t i)
{
    return array ? array + i : NULL;
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
    if (take_rows(c, row, s->row_ptr[i + 1] - row) < 0)
        return PDUMP_ENOMEM;
    for (int m = 0; m < piece->n_metrics; m++) {
        const struct pdump_dump_column *all = &c->dump->columns[m];

        piece->columns[m] = (struct pdump_dump_column){
            .sum = from(all->sum, row),
            .min = from(all->min, row),
            .max = from(all->max, row),
            .sumsq = all->sumsq ? all->sumsq + row : NULL,
            .exclusive = from(all->exclusive, row),
        };
        piece->sample_values[m] = from(c->dump->sample_values[m], sample);
    }
    piece->samples = c->dump->samples ? c->dump->samples + sample : NULL;
    piece->n_samples = s->sample_ptr[i + 1] - sample;
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
    free(c->piece.rows);
    free(c->piece.columns);
    free(c->piece.sample_values);
    free(c);
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
    size_t n = (size_t)dump->n_threads + 2, m = (size_t)dump->n_metrics + 1;
    struct borders at;
    bool is_good;

    if (!c)
        return pdump_no_memory();
    c->dump = dump;
    c->piece = *dump;
    c->piece.rows = NULL;
    c->piece.columns = calloc(m, sizeof(*c->piece.columns));
    c->piece.sample_values = calloc(m, sizeof(*c->piece.sample_values));
    is_good = make_borders(n, &at);
    c->stream = (struct pdump_stream){
        .tables = dump,
        .row_ptr = at.rows,
        .sample_ptr = at.samples,
        .event_ptr = at.events,
        .event_bytes = pdump_event_lanes_bytes(dump),
        .rank = at.ranks,
        .is_regular = true,
        .piece = cut_piece,
        .whole = (struct pdump_dump *)dump,
    };
    c->lanes = at.lanes;
    if (!is_good || !c->piece.columns || !c->piece.sample_values) {
        pdump_stream_free(&c->stream);
        return pdump_no_memory();
    }
    c->stream.n_pieces = cut(dump, &at);
    for (int i = 1; i < c->stream.n_pieces; i++)
        c->stream.is_regular = c->stream.is_regular && is_like_first(c, i);
    *out = &c->stream;
    return PDUMP_OK;
}
