/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two sides, of one or more runs each, region by region. */
#include "diff/compare.h"
#include "diff/significance.h"

#include "dump/builder.h"

#include <math.h>
#include <stdlib.h>

/* A smaller probability is not chance. */
static const double by_chance = 0.05;

/* The figures of a run for the nodes of the united tree. */
struct run {
    double *visits;
    double *sum;
    double *sumsq;
    bool *is_there;
};

struct work {
    struct run *runs;
    int n[2];
    int n_nodes;
    bool is_level;  /* the metric is a gauge */
    double *values; /* of one node, with room for all runs */
};

/* Unites the trees of all runs.  `numbers` maps each run's nodes to the
 * result. */
static int unite(struct pdump_dump *const *dumps, int n, int **numbers,
                 struct pdump_dump **out)
{
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    for (int i = 0; err >= 0 && i < n; i++) {
        const struct pdump_dump *d = dumps[i];

        numbers[i] = malloc(((size_t)d->n_nodes + 1) * sizeof(**numbers));
        if (!numbers[i])
            err = pdump_no_memory();
        for (int k = 0; err >= 0 && k < d->n_nodes; k++) {
            int parent = d->nodes[k].parent;

            err = pdump_builder_region(b, &d->regions[d->nodes[k].region]);
            if (err >= 0)
                err = pdump_builder_node(
                    b, parent < 0 ? -1 : numbers[i][parent], err);
            numbers[i][k] = err;
        }
    }
    return pdump_builder_close(b, err, out);
}

static int make_room(struct run *run, int n)
{
    size_t room = (size_t)n + 1;

    run->visits = calloc(room, sizeof(*run->visits));
    run->sum = calloc(room, sizeof(*run->sum));
    run->sumsq = calloc(room, sizeof(*run->sumsq));
    run->is_there = calloc(room, sizeof(*run->is_there));
    return run->visits && run->sum && run->sumsq && run->is_there
               ? PDUMP_OK
               : pdump_no_memory();
}

static bool is_level(const struct pdump_dump *d, int metric)
{
    return d->metrics[metric].kind == PDUMP_GAUGE;
}

/* Uses statistics over ranks, if the dump has no rows. */
static void add_stats(struct run *run, const struct pdump_dump *d, int metric,
                      const int *number)
{
    for (int i = 0; i < d->n_nodes; i++) {
        const struct pdump_dump_rank_stat *stat = &d->stats[metric][i];

        if (stat->n <= 0)
            continue;
        run->is_there[number[i]] = true;
        run->sum[number[i]] =
            (double)(is_level(d, metric) ? stat->max : stat->sum);
        run->sumsq[number[i]] = NAN;
        run->visits[number[i]] = (double)d->stats[d->n_metrics][i].sum;
    }
}

/* Gauges do not add up: the highest value counts for the run.  The spread of
 * its visits does not tell how reliable that value is. */
static void add_level(struct run *run, int node, double level)
{
    if (!run->is_there[node] || level > run->sum[node])
        run->sum[node] = level;
    run->sumsq[node] = NAN;
}

/* The sum includes the time of an open visit so far, the sum of squares does
 * not.  So an open visit counts as a visit, and the spread is unknown. */
static void add_rows(struct run *run, const struct pdump_dump *d, int metric,
                     const int *number)
{
    const struct pdump_dump_column *column = &d->columns[metric];

    if (d->stats) {
        add_stats(run, d, metric, number);
        return;
    }
    for (int64_t i = 0; i < d->n_rows; i++) {
        int node = number[d->rows[i].node];

        if (pdump_dump_figure(d, metric, i) == PDUMP_MISSING)
            continue;
        if (is_level(d, metric))
            add_level(run, node, (double)column->max[i]);
        else
            run->sum[node] += (double)column->sum[i];
        run->is_there[node] = true;
        run->visits[node] += (double)d->rows[i].visits + d->rows[i].is_open;
        run->sumsq[node] += d->rows[i].is_open ? NAN : column->sumsq[i];
    }
}

/* The spread of fewer visits is not reliable. */
enum { VISITS_MIN = 10 };

/* Returns the standard error of the mean of a run's visits, from their
 * spread. */
static double error_of(const struct run *run, int node)
{
    double n = run->visits[node], mean = run->sum[node] / n;
    double variance = (run->sumsq[node] - n * mean * mean) / (n - 1);

    return n >= VISITS_MIN && variance >= 0 ? sqrt(variance / n) : NAN;
}

static double per_visit(const struct run *run, int node)
{
    return run->visits[node] > 0 ? run->sum[node] / run->visits[node] : NAN;
}

/* Collects a figure of the runs `first` to `first + n` that have the node. */
static int gather(const struct work *w, int first, int n, int node,
                  double (*figure)(const struct run *run, int node),
                  double *values)
{
    int found = 0;

    for (int i = first; i < first + n; i++)
        if (w->runs[i].is_there[node] && !isnan(figure(&w->runs[i], node)))
            values[found++] = figure(&w->runs[i], node);
    return found;
}

static double sum_of(const struct run *run, int node)
{
    return run->sum[node];
}

static double visits_of(const struct run *run, int node)
{
    return run->visits[node];
}

typedef double figure(const struct run *run, int node);

/* Returns the figure that is compared. */
static figure *figure_of(const struct work *w)
{
    return w->is_level ? sum_of : per_visit;
}

static void fill_side(const struct work *w, int side, int node,
                      struct compare_side *out)
{
    int first = side ? w->n[0] : 0, n = w->n[side];
    int found = gather(w, first, n, node, visits_of, w->values);

    out->n = found;
    out->visits = significance_median(w->values, found);
    found = gather(w, first, n, node, sum_of, w->values);
    out->sum = significance_median(w->values, found);
    found = gather(w, first, n, node, figure_of(w), w->values);
    out->each = significance_median(w->values, found);
    out->each_error = n == 1 ? error_of(&w->runs[first], node) : NAN;
}

/* Tests the visits if each side is one run, else the runs. */
static double likeliness(const struct work *w, const struct compare_line *line)
{
    const struct compare_side *a = &line->side[0], *b = &line->side[1];
    int n_a, n_b;

    if (w->n[0] == 1 && w->n[1] == 1)
        return isnan(a->each_error) || isnan(b->each_error)
                   ? NAN
                   : significance_means(a->each, a->each_error, b->each,
                                        b->each_error);
    n_a = gather(w, 0, w->n[0], line->node, figure_of(w), w->values);
    n_b =
        gather(w, w->n[0], w->n[1], line->node, figure_of(w), w->values + n_a);
    if (significance_least(n_a, n_b) >= by_chance)
        return NAN;
    return significance_ranks(w->values, n_a, w->values + n_a, n_b);
}

static void judge(const struct work *w, struct compare_line *line)
{
    const struct compare_side *a = &line->side[0], *b = &line->side[1];

    line->likely = NAN;
    line->change = NAN;
    line->impact = (b->n ? b->sum : 0) - (a->n ? a->sum : 0);
    line->verdict = a->n == 0   ? COMPARE_NEW
                    : b->n == 0 ? COMPARE_GONE
                                : COMPARE_UNKNOWN;
    if (line->verdict != COMPARE_UNKNOWN)
        return;
    line->change = a->each > 0 ? b->each / a->each - 1 : NAN;
    line->likely = likeliness(w, line);
    if (!isnan(line->likely))
        line->verdict = line->likely >= by_chance || a->each == b->each
                            ? COMPARE_SAME
                        : b->each > a->each ? COMPARE_MORE
                                            : COMPARE_LESS;
}

static int by_impact(const void *a, const void *b)
{
    const struct compare_line *x = a, *y = b;
    double p = fabs(x->impact), q = fabs(y->impact);

    return p != q ? (p < q) - (p > q)
                  : (x->node > y->node) - (x->node < y->node);
}

/* The total is the sum of the outermost regions; for a gauge, the highest value
 * of all regions. */
static void add_total(const struct work *w, struct compare *c, int node,
                      int side, double sum)
{
    if (w->is_level)
        c->total[side] = fmax(c->total[side], sum);
    else if (c->tree->nodes[node].parent < 0)
        c->total[side] += sum;
}

static void fill_lines(const struct work *w, struct compare *c)
{
    for (int node = 0; node < w->n_nodes; node++) {
        struct compare_line *line = &c->lines[c->n_lines];

        line->node = node;
        for (int side = 0; side < 2; side++) {
            fill_side(w, side, node, &line->side[side]);
            if (line->side[side].n > 0)
                add_total(w, c, node, side, line->side[side].sum);
        }
        judge(w, line);
        c->n_lines += line->side[0].n > 0 || line->side[1].n > 0;
    }
    qsort(c->lines, (size_t)c->n_lines, sizeof(*c->lines), by_impact);
}

static int read_runs(struct work *w, struct pdump_dump *const *dumps,
                     const char *name, struct compare *c)
{
    int n = w->n[0] + w->n[1], err;
    int **numbers = calloc((size_t)n + 1, sizeof(*numbers));

    if (!numbers)
        return pdump_no_memory();
    err = unite(dumps, n, numbers, &c->tree);
    w->n_nodes = err < 0 ? 0 : c->tree->n_nodes;
    for (int i = 0; err >= 0 && i < n; i++) {
        int metric = pdump_dump_find_metric(dumps[i], name);

        err = metric < 0 ? pdump_fail(PDUMP_ENOENT,
                                      "run %d has no metric %.80s", i + 1, name)
                         : make_room(&w->runs[i], w->n_nodes);
        if (err >= 0) {
            w->is_level |= is_level(dumps[i], metric);
            add_rows(&w->runs[i], dumps[i], metric, numbers[i]);
        }
    }
    for (int i = 0; i < n; i++)
        free(numbers[i]);
    free(numbers);
    return err;
}

static void free_work(struct work *w)
{
    for (int i = 0; w->runs && i < w->n[0] + w->n[1]; i++) {
        free(w->runs[i].visits);
        free(w->runs[i].sum);
        free(w->runs[i].sumsq);
        free(w->runs[i].is_there);
    }
    free(w->runs);
    free(w->values);
}

const char *compare_verdict_text(enum compare_verdict verdict)
{
    static const char *const texts[] = {
        [COMPARE_SAME] = "not significant",
        [COMPARE_LESS] = "less",
        [COMPARE_MORE] = "MORE",
        [COMPARE_UNKNOWN] = "inconclusive",
        [COMPARE_GONE] = "gone",
        [COMPARE_NEW] = "new",
    };

    return texts[verdict];
}

int compare_make(struct pdump_dump *const *dumps, const int n[2],
                 const char *name, struct compare *out)
{
    size_t room = (size_t)n[0] + (size_t)n[1] + 1;
    struct work w = { .runs = calloc(room, sizeof(*w.runs)),
                      .n = { n[0], n[1] },
                      .values = calloc(room, sizeof(*w.values)) };
    int err = w.runs && w.values ? PDUMP_OK : pdump_no_memory();

    *out = (struct compare){ 0 };
    if (err >= 0)
        err = read_runs(&w, dumps, name, out);
    if (err >= 0) {
        out->lines = calloc((size_t)w.n_nodes + 1, sizeof(*out->lines));
        if (out->lines)
            fill_lines(&w, out);
        else
            err = pdump_no_memory();
    }
    free_work(&w);
    if (err < 0)
        compare_free(out);
    return err;
}

void compare_free(struct compare *c)
{
    pdump_dump_free(c->tree);
    free(c->lines);
    *c = (struct compare){ 0 };
}
