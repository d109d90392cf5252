/* SPDX-License-Identifier: BSD-3-Clause */
/* The difference between two looks at running processes. */
#include "top/live_change.h"

#include "dump/merge.h"

#include <stdlib.h>
#include <string.h>

/*
 * Both looks in one dump, so that equal nodes have the same numbers: first the
 * n processes as they are now, then those of them that existed before.
 */
struct pairing {
    const struct live_process *now;
    const struct live_process **before; /* by process; NULL: it is new */
    int *mate;                          /* by process: its old number, or -1 */
    int n;
    struct pdump_dump *both;
    int64_t *row_before; /* by row; -1: none */
    int time;            /* index of the metric */
};

static const struct live_process *process_find(const struct live_look *look,
                                               const struct live_process *p)
{
    for (int i = 0; i < look->n; i++)
        if (look->items[i].dump && live_is_same(&look->items[i], p))
            return &look->items[i];
    return NULL;
}

static int unite(struct pairing *p, const struct live_look *before)
{
    struct pdump_dump **dumps = calloc(2 * (size_t)p->n, sizeof(*dumps));
    int n = p->n, err;

    p->before = calloc((size_t)p->n, sizeof(*p->before));
    p->mate = calloc((size_t)p->n, sizeof(*p->mate));
    if (!dumps || !p->before || !p->mate) {
        free(dumps);
        return pdump_no_memory();
    }
    for (int i = 0; i < p->n; i++) {
        dumps[i] = p->now[i].dump;
        /* A process that has ended does not change any more. */
        p->before[i] =
            p->now[i].is_ended ? &p->now[i] : process_find(before, &p->now[i]);
        p->mate[i] = p->before[i] ? n : -1;
        if (p->before[i])
            dumps[n++] = p->before[i]->dump;
    }
    err = pdump_merge(dumps, n, &p->both);
    free(dumps);
    return err;
}

static int thread_before(const struct pairing *p, int thread)
{
    const struct pdump_dump_thread *threads = p->both->threads;
    int process = p->mate[threads[thread].process];

    for (int t = thread + 1; process >= 0 && t < p->both->n_threads; t++)
        if (threads[t].process == process &&
            threads[t].number == threads[thread].number)
            return t;
    return -1;
}

/* Rows are sorted by thread, then by node. */
static int pair_rows(struct pairing *p)
{
    const struct pdump_dump *d = p->both;
    int64_t *first = calloc((size_t)d->n_threads + 2, sizeof(*first));

    p->row_before = malloc(((size_t)d->n_rows + 1) * sizeof(*p->row_before));
    if (!first || !p->row_before) {
        free(first);
        return pdump_no_memory();
    }
    for (int64_t r = 0; r < d->n_rows; r++)
        first[d->rows[r].thread + 1] = r + 1;
    for (int t = 0; t < d->n_threads; t++)
        if (first[t + 1] < first[t])
            first[t + 1] = first[t];
    for (int t = 0; t < d->n_threads; t++) {
        int old = d->threads[t].process < p->n ? thread_before(p, t) : -1;
        int64_t at = old < 0 ? 0 : first[old];

        for (int64_t r = first[t]; r < first[t + 1]; r++) {
            while (old >= 0 && at < first[old + 1] &&
                   d->rows[at].node < d->rows[r].node)
                at++;
            p->row_before[r] = old >= 0 && at < first[old + 1] &&
                                       d->rows[at].node == d->rows[r].node
                                   ? at
                                   : -1;
        }
    }
    free(first);
    return PDUMP_OK;
}

static int64_t grown(int64_t from, int64_t to)
{
    int64_t more;

    return __builtin_sub_overflow(to, from, &more) || more < 0 ? 0 : more;
}

/* Returns the sum at the time of the look: open regions are corrected by
 * `late`. */
static int64_t sum_of(const struct pairing *p, int64_t row, int metric,
                      int64_t late)
{
    int64_t sum = p->both->columns[metric].sum[row];

    if (sum != PDUMP_MISSING && sum >= 0 && sum < INT64_MAX / 2 &&
        metric == p->time && p->both->rows[row].is_open)
        sum = sum + late > 0 ? sum + late : 0;
    return sum;
}

static int copy_value(const struct pairing *p, struct pdump_builder *b,
                      int64_t row, int64_t to, int metric, bool is_added)
{
    const struct pdump_dump_column *c = &p->both->columns[metric];
    int process = p->both->threads[p->both->rows[row].thread].process;
    int64_t sum = sum_of(p, row, metric, p->now[process].late);
    int64_t old = p->row_before[row];

    if (is_added && old >= 0 && sum != PDUMP_MISSING) {
        int64_t was = sum_of(p, old, metric, p->before[process]->late);

        if (was != PDUMP_MISSING)
            sum = grown(was, sum);
    }
    return pdump_builder_value(b, to, metric, sum, c->min[row], c->max[row],
                               c->sumsq[row]);
}

static int copy_row(const struct pairing *p, struct pdump_builder *b,
                    int64_t row, bool is_added)
{
    const struct pdump_dump_row *rows = p->both->rows;
    int64_t visits = rows[row].visits, old = p->row_before[row], to;
    int err = PDUMP_OK;

    if (is_added && old >= 0)
        visits = grown(rows[old].visits, visits);
    /* The processes of now come first, so their threads and nodes keep their
     * numbers. */
    to = pdump_builder_row(b, rows[row].thread, rows[row].node, visits,
                           rows[row].is_open);
    if (to < 0)
        return (int)to;
    for (int m = 0; m < p->both->n_metrics && err >= 0; m++)
        err = copy_value(p, b, row, to, m, is_added);
    return err;
}

static int copy_frame(const struct pairing *p, struct pdump_builder *b)
{
    const struct pdump_dump *d = p->both;
    int err = PDUMP_OK;

    for (int i = 0; i < d->n_metrics && err >= 0; i++)
        err = pdump_builder_metric(b, &d->metrics[i]);
    for (int i = 0; i < p->n && err >= 0; i++)
        err = pdump_builder_process(b, &d->processes[i]);
    for (int i = 0; i < d->n_threads && err >= 0; i++)
        if (d->threads[i].process < p->n)
            err = pdump_builder_thread(b, &d->threads[i]);
    for (int i = 0; i < d->n_regions && err >= 0; i++)
        err = pdump_builder_region(b, &d->regions[i]);
    for (int i = 0; i < d->n_nodes && err >= 0; i++)
        err = pdump_builder_node(b, d->nodes[i].parent, d->nodes[i].region);
    return err;
}

static int build(const struct pairing *p, bool is_added,
                 struct pdump_dump **out)
{
    const struct pdump_dump *d = p->both;
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    err = copy_frame(p, b);
    for (int64_t r = 0; r < d->n_rows && err >= 0; r++)
        if (d->threads[d->rows[r].thread].process < p->n)
            err = copy_row(p, b, r, is_added);
    return pdump_builder_close(b, err, out);
}

/* Returns the time between the looks at the first process that was in both,
 * else between the looks as a whole. */
static double seconds_of(const struct pairing *p, const struct live_look *now,
                         const struct live_look *before)
{
    int64_t ns = now->taken - before->taken;

    for (int i = p->n - 1; i >= 0; i--)
        if (p->before[i] && p->before[i] != &p->now[i])
            ns = p->now[i].taken - p->before[i]->taken;
    return ns > 0 ? (double)ns / 1e9 : 1;
}

int live_change_make(const struct live_look *now, int first, int n,
                     const struct live_look *before, struct live_change *out)
{
    struct pairing p = { .now = now->items + first, .n = n };
    int err = unite(&p, before);

    *out = (struct live_change){ 0 };
    if (err >= 0) {
        p.time = pdump_dump_find_metric(p.both, "time");
        out->seconds = seconds_of(&p, now, before);
        err = pair_rows(&p);
    }
    if (err >= 0)
        err = build(&p, false, &out->totals);
    if (err >= 0)
        err = build(&p, true, &out->added);
    if (err < 0)
        live_change_free(out);
    pdump_dump_free(p.both);
    free(p.before);
    free(p.mate);
    free(p.row_before);
    return err;
}

void live_change_free(struct live_change *change)
{
    pdump_dump_free(change->totals);
    pdump_dump_free(change->added);
    *change = (struct live_change){ 0 };
}
