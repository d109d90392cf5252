/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what each region costs to record with what it shows. */
#include "score/score.h"

#include "store/store_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1024 * 1024, PROFILE_MIB = 16, BUFFER_KIB = 32 };

/* Visits of the current process, by region and by group. */
struct tally {
    int64_t *region;
    int64_t *all, *left; /* by group; the total is the last */
};

/* Returns true if a filter may exclude regions of this group.  Names of other
 * groups do not belong to the program. */
static bool is_filterable(const char *group)
{
    return strcmp(group, "user") == 0 || strcmp(group, "mpi") == 0 ||
           strcmp(group, "io") == 0 || strcmp(group, "function") == 0;
}

/* Calls of MPI and I/O are short, but show more than time: they are never
 * costly. */
static bool is_worth_a_look(const char *group)
{
    return strcmp(group, "user") == 0 || strcmp(group, "function") == 0;
}

static int group_of(struct score *s, const char *name)
{
    int i = 0;

    while (i < s->n_groups && strcmp(s->groups[i].name, name) != 0)
        i++;
    if (i == s->n_groups)
        s->groups[s->n_groups++].name = name;
    return i;
}

static int score_start(struct score *s, const struct pdump_filter *filter)
{
    const struct pdump_dump *dump = s->dump;
    size_t n = (size_t)dump->n_regions + 1;

    s->regions = calloc(n, sizeof(*s->regions));
    s->groups = calloc(n, sizeof(*s->groups));
    if (!s->regions || !s->groups)
        return pdump_no_memory();
    s->n_regions = dump->n_regions;
    for (int i = 0; i < dump->n_regions; i++) {
        const struct pdump_dump_region *region = &dump->regions[i];

        s->regions[i] = (struct score_region){
            .region = i,
            .name = region->name,
            .group = group_of(s, region->group),
            .is_excluded =
                is_filterable(region->group) &&
                pdump_filter_excludes(filter, region->name, region->file,
                                      PDUMP_GROUP_USER),
        };
    }
    return PDUMP_OK;
}

static void maximum_raise(int64_t *most, int64_t visits)
{
    if (visits > *most)
        *most = visits;
}

/* Called when all rows of a process have been counted. */
static void close_process(struct score *s, int process, struct tally *t)
{
    int n = s->n_groups;

    memset(t->all, 0, ((size_t)n + 1) * sizeof(*t->all));
    memset(t->left, 0, ((size_t)n + 1) * sizeof(*t->left));
    for (int i = 0; i < s->n_regions; i++) {
        struct score_region *r = &s->regions[i];
        int64_t visits = t->region[i];

        t->region[i] = 0;
        maximum_raise(&r->sum.most, visits);
        r->sum.visits += visits;
        t->all[r->group] += visits;
        t->all[n] += visits;
        if (!r->is_excluded) {
            t->left[r->group] += visits;
            t->left[n] += visits;
        }
    }
    for (int g = 0; g < n; g++) {
        maximum_raise(&s->groups[g].all.most, t->all[g]);
        maximum_raise(&s->groups[g].left.most, t->left[g]);
    }
    if (t->all[n] > s->total.all.most)
        s->process = process;
    if (t->left[n] > s->total.left.most)
        s->process_left = process;
    maximum_raise(&s->total.all.most, t->all[n]);
    maximum_raise(&s->total.left.most, t->left[n]);
}

/* Returns the threads sorted by process. */
static int *threads_by_process(const struct pdump_dump *dump, int **begin)
{
    int *order = calloc((size_t)dump->n_threads + 1, sizeof(*order));

    *begin = calloc((size_t)dump->n_processes + 2, sizeof(**begin));
    if (!order || !*begin) {
        free(order);
        free(*begin);
        return NULL;
    }
    for (int i = 0; i < dump->n_threads; i++)
        (*begin)[dump->threads[i].process + 2]++;
    for (int p = 0; p < dump->n_processes; p++)
        (*begin)[p + 2] += (*begin)[p + 1];
    for (int i = 0; i < dump->n_threads; i++)
        order[(*begin)[dump->threads[i].process + 1]++] = i;
    return order;
}

/* Returns the first row of each thread; rows are grouped by thread. */
static int64_t *first_rows(const struct pdump_dump *dump)
{
    int64_t *first = calloc((size_t)dump->n_threads + 1, sizeof(*first));

    for (int64_t i = dump->n_rows - 1; first && i >= 0; i--)
        first[dump->rows[i].thread] = i;
    return first;
}

static void tally_processes(struct score *s, const int *order, const int *begin,
                            const int64_t *first, struct tally *t)
{
    const struct pdump_dump *dump = s->dump;

    for (int p = 0; p < dump->n_processes; p++) {
        for (int i = begin[p]; i < begin[p + 1]; i++) {
            int thread = order[i];

            for (int64_t row = first[thread];
                 row < dump->n_rows && dump->rows[row].thread == thread; row++)
                t->region[dump->nodes[dump->rows[row].node].region] +=
                    dump->rows[row].visits;
        }
        close_process(s, p, t);
    }
}

static int count_rows(struct score *s)
{
    size_t groups = (size_t)s->n_groups + 1;
    struct tally t = {
        .region = calloc((size_t)s->n_regions + 1, sizeof(*t.region)),
        .all = calloc(groups, sizeof(*t.all)),
        .left = calloc(groups, sizeof(*t.left)),
    };
    int *begin = NULL, *order = threads_by_process(s->dump, &begin);
    int64_t *first = first_rows(s->dump);
    int err = PDUMP_OK;

    if (t.region && t.all && t.left && order && first)
        tally_processes(s, order, begin, first, &t);
    else
        err = pdump_no_memory();
    free(t.region);
    free(t.all);
    free(t.left);
    free(order);
    if (order)
        free(begin);
    free(first);
    return err;
}

/* Statistics over ranks have a maximum for each node, possibly on different
 * ranks: the sum of the maxima is an upper bound. */
static void count_stats(struct score *s)
{
    const struct pdump_dump *dump = s->dump;
    const struct pdump_dump_rank_stat *visits = dump->stats[dump->n_metrics];

    s->is_bound = true;
    for (int i = 0; i < dump->n_nodes; i++) {
        struct score_region *r = &s->regions[dump->nodes[i].region];
        struct score_group *group = &s->groups[r->group];
        int64_t most = visits[i].n ? visits[i].max : 0;

        r->sum.visits += visits[i].n ? visits[i].sum : 0;
        r->sum.most += most;
        group->all.most += most;
        s->total.all.most += most;
        if (!r->is_excluded) {
            group->left.most += most;
            s->total.left.most += most;
        }
    }
}

static void time_stats(struct score *s, int time)
{
    const struct pdump_dump *dump = s->dump;

    for (int i = 0; i < dump->n_nodes; i++) {
        const struct pdump_dump_rank_stat *stat = &dump->stats[time][i];
        const struct pdump_dump_node *node = &dump->nodes[i];
        struct score_sum *sum = &s->regions[node->region].sum;

        if (!stat->n)
            continue;
        sum->whole += (double)stat->sum;
        sum->own += (double)stat->sum;
        if (node->parent >= 0)
            s->regions[dump->nodes[node->parent].region].sum.own -=
                (double)stat->sum;
    }
}

static int time_rows(struct score *s, int time)
{
    const struct pdump_dump *dump = s->dump;
    int64_t *own = calloc((size_t)dump->n_rows + 1, sizeof(*own));

    if (!own)
        return pdump_no_memory();
    pdump_dump_exclusive(dump, time, own);
    for (int64_t i = 0; i < dump->n_rows; i++) {
        int region = dump->nodes[dump->rows[i].node].region;
        int64_t whole = dump->columns[time].sum[i];

        if (whole == PDUMP_MISSING)
            continue;
        s->regions[region].sum.whole += (double)whole;
        if (own[i] != PDUMP_MISSING)
            s->regions[region].sum.own += (double)own[i];
    }
    free(own);
    return PDUMP_OK;
}

static void sum_add(struct score_sum *to, const struct score_sum *sum)
{
    to->visits += sum->visits;
    to->own += sum->own;
    to->whole += sum->whole;
    to->n_regions += sum->visits > 0;
}

/* Called when visits and times are known: finds costly regions, and sums up. */
static void conclude(struct score *s, double threshold)
{
    double all = 0;

    for (int i = 0; i < s->n_regions; i++) {
        struct score_region *r = &s->regions[i];
        struct score_group *group = &s->groups[r->group];
        double cost = fmax(0, pdump_dump_visit_cost(s->dump, r->region)) *
                      (double)r->sum.visits;

        all += cost;
        r->is_costly = is_worth_a_look(group->name) &&
                       r->sum.most >= SCORE_VISITS_MIN &&
                       r->sum.whole < threshold * cost;
        sum_add(&group->all, &r->sum);
        sum_add(&s->total.all, &r->sum);
        if (!r->is_excluded) {
            sum_add(&group->left, &r->sum);
            sum_add(&s->total.left, &r->sum);
        }
    }
    if (s->total.all.visits > 0)
        s->overhead = all / (double)s->total.all.visits;
}

static int by_most(const void *a, const void *b)
{
    const struct score_region *x = a, *y = b;

    if (x->sum.most != y->sum.most)
        return x->sum.most < y->sum.most ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Sorts the regions, largest first, and drops those without a visit. */
static void sort(struct score *s)
{
    int n = 0;

    for (int i = 0; i < s->n_regions; i++)
        if (s->regions[i].sum.visits > 0)
            s->regions[n++] = s->regions[i];
    s->n_regions = n;
    qsort(s->regions, (size_t)n, sizeof(*s->regions), by_most);
}

int score_make(const struct pdump_dump *dump, const struct pdump_filter *filter,
               double threshold, struct score *out)
{
    struct score s = {
        .dump = dump, .total.name = "ALL", .process = -1, .process_left = -1
    };
    int time = pdump_dump_find_metric(dump, "time");
    int err = score_start(&s, filter);

    if (err >= 0 && dump->stats)
        count_stats(&s);
    else if (err >= 0)
        err = count_rows(&s);
    if (err >= 0 && time >= 0 && dump->stats)
        time_stats(&s, time);
    else if (err >= 0 && time >= 0)
        err = time_rows(&s, time);
    if (err < 0) {
        score_free(&s);
        return err;
    }
    conclude(&s, time >= 0 ? threshold : 0);
    sort(&s);
    *out = s;
    return PDUMP_OK;
}

void score_free(struct score *s)
{
    free(s->regions);
    free(s->groups);
    memset(s, 0, sizeof(*s));
}

/* Returns the most threads of a process; 1 if there are only statistics. */
static int most_threads(const struct pdump_dump *dump)
{
    int *n = calloc((size_t)dump->n_processes + 1, sizeof(*n)), most = 1;

    for (int i = 0; n && i < dump->n_threads; i++)
        if (++n[dump->threads[i].process] > most)
            most = n[dump->threads[i].process];
    free(n);
    return most;
}

/*
 * Adds a tenth for the heads of chunks.  A thread's last chunk, an eighth of
 * its buffer, may not fit any more, and each thread has one chunk that is not
 * full.  Events get half of the memory (timeline_writer.c).
 */
struct score_advice score_advise(const struct score *score, int64_t visits)
{
    double bytes = 1.1 * score_bytes(visits);
    double buffer = ceil(bytes * 8 / 7 / 1024) + BUFFER_KIB;
    double unfilled = most_threads(score->dump) *
                      fmin(buffer * 1024 / 8, PDUMP_EVENT_CHUNK_MAX);
    double memory = ceil(2 * (bytes + unfilled) / MIB) + PROFILE_MIB;
    struct score_advice advice = { 0 };

    if (buffer <= SCORE_BUFFER_MAX && memory <= SCORE_MEMORY_MAX)
        advice =
            (struct score_advice){ (int64_t)buffer, (int64_t)memory, true };
    return advice;
}
