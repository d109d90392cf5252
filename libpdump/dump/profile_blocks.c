/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump as PyPerfDump's sequence of regions. */
#include "dump/profile_blocks.h"
#include "base/pair_index.h"
#include "dump/ranks.h"
#include "dump/recursion.h"

#include <limits.h>
#include <stdlib.h>

/* A region in a process. */
struct group {
    int rank;
    int region;
    int64_t first_row; /* list through next_row, or -1 */
    int64_t last_row;
    int64_t first_sample; /* list through next_sample, or -1; those that are
                           * in a block are taken out */
    int64_t last_sample;
    int64_t last_block; /* of this group, or -1 */
};

struct work {
    const struct pdump_dump *dump;
    struct pdump_profile_blocks *out;
    struct pdump_ranks ranks;
    struct group *group;
    int n_groups;
    struct pdump_pair_index index; /* by process and region */
    int64_t *next_row;
    int64_t *next_sample;
    bool *is_inner; /* by node: inside a node of the same region */
    int *rank_of;   /* by thread */
};

void pdump_profile_blocks_free(struct pdump_profile_blocks *b)
{
    for (int64_t i = 0; i < b->n; i++)
        free(b->block[i].values);
    free(b->block);
    *b = (struct pdump_profile_blocks){ 0 };
}

static void free_work(struct work *w)
{
    pdump_ranks_free(&w->ranks);
    pdump_pair_index_free(&w->index);
    free(w->group);
    free(w->next_row);
    free(w->next_sample);
    free(w->is_inner);
    free(w->rank_of);
}

/* The figures of a region inside itself are included in those of the outer
 * one. */
static int find_inner(struct work *w)
{
    const struct pdump_dump *dump = w->dump;
    int *region = malloc(((size_t)dump->n_nodes + 1) * sizeof(*region));
    int err;

    if (!region)
        return pdump_no_memory();
    for (int i = 0; i < dump->n_nodes; i++)
        region[i] = dump->nodes[i].region;
    err = pdump_recursion_mark(dump, region, dump->n_regions, w->is_inner);
    free(region);
    return err;
}

static int work_start(struct work *w)
{
    const struct pdump_dump *dump = w->dump;
    int err = pdump_ranks_of(dump, &w->ranks);

    if (err < 0)
        return err;
    w->next_row = malloc(((size_t)dump->n_rows + 1) * sizeof(int64_t));
    w->next_sample = malloc(((size_t)dump->n_samples + 1) * sizeof(int64_t));
    w->is_inner = calloc((size_t)dump->n_nodes + 1, sizeof(*w->is_inner));
    w->rank_of = calloc((size_t)dump->n_threads + 1, sizeof(*w->rank_of));
    if (!w->next_row || !w->next_sample || !w->is_inner || !w->rank_of)
        return pdump_no_memory();
    for (int r = 0; r < w->ranks.n; r++)
        for (int t = w->ranks.begin[r]; t < w->ranks.begin[r + 1]; t++)
            w->rank_of[w->ranks.thread[t]] = r;
    return find_inner(w);
}

/* Returns the group of a thread and a node, which is added if it is new; NULL
 * without memory. */
static struct group *group_of(struct work *w, int thread, int node)
{
    int process = w->dump->threads[thread].process;
    int region = w->dump->nodes[node].region;
    int64_t at = pdump_pair_index_find(&w->index, process, region);

    if (at >= 0)
        return &w->group[at];
    if ((w->n_groups & (w->n_groups - 1)) == 0) {
        size_t n = w->n_groups ? 2 * (size_t)w->n_groups : 1;
        struct group *group = realloc(w->group, n * sizeof(*group));

        if (!group)
            return NULL;
        w->group = group;
    }
    if (pdump_pair_index_put(&w->index, process, region, w->n_groups) < 0)
        return NULL;
    w->group[w->n_groups] =
        (struct group){ w->rank_of[thread], region, -1, -1, -1, -1, -1 };
    return &w->group[w->n_groups++];
}

static void list_append(int64_t *first, int64_t *last, int64_t *next, int64_t i)
{
    next[i] = -1;
    if (*first < 0)
        *first = i;
    else
        next[*last] = i;
    *last = i;
}

static int make_groups(struct work *w)
{
    const struct pdump_dump *dump = w->dump;

    for (int64_t i = 0; i < dump->n_rows; i++) {
        struct group *group =
            group_of(w, dump->rows[i].thread, dump->rows[i].node);

        if (!group)
            return pdump_no_memory();
        list_append(&group->first_row, &group->last_row, w->next_row, i);
    }
    for (int64_t i = 0; i < dump->n_samples; i++) {
        struct group *group =
            group_of(w, dump->samples[i].thread, dump->samples[i].node);

        if (!group)
            return pdump_no_memory();
        list_append(&group->first_sample, &group->last_sample, w->next_sample,
                    i);
    }
    return PDUMP_OK;
}

/* Returns the values of a new block of the group, all missing; NULL without
 * memory. */
static int64_t *add_block(struct work *w, struct group *group)
{
    struct pdump_profile_blocks *out = w->out;
    size_t n_metrics = (size_t)w->dump->n_metrics;
    int64_t *values = malloc((n_metrics + 1) * sizeof(*values));

    if (out->n == out->room) {
        int64_t room = out->room ? 2 * out->room : 64;
        struct pdump_profile_block *block =
            realloc(out->block, (size_t)room * sizeof(*block));

        if (!block) {
            free(values);
            return NULL;
        }
        out->block = block;
        out->room = room;
    }
    if (!values)
        return NULL;
    for (size_t m = 0; m < n_metrics; m++)
        values[m] = PDUMP_MISSING;
    group->last_block = out->n;
    out->block[out->n++] = (struct pdump_profile_block){
        .rank = group->rank, .region = group->region, .values = values
    };
    return values;
}

/* Counters add up; of a gauge, which is a level, the highest counts. */
static void figure_add(const struct pdump_dump *dump, int metric, int64_t *sum,
                       int64_t value)
{
    if (value == PDUMP_MISSING)
        return;
    if (*sum == PDUMP_MISSING)
        *sum = value;
    else if (dump->metrics[metric].kind == PDUMP_GAUGE)
        *sum = value > *sum ? value : *sum;
    else
        *sum = (int64_t)((uint64_t)*sum + (uint64_t)value);
}

static void add_sample(struct work *w, int64_t *values, struct group *group)
{
    const struct pdump_dump *dump = w->dump;

    for (int m = 0; m < dump->n_metrics; m++)
        figure_add(dump, m, &values[m],
                   dump->sample_values[m][group->first_sample]);
    group->first_sample = w->next_sample[group->first_sample];
}

/* Adds a block of one sample.  Returns false if out of memory. */
static bool add_own(struct work *w, struct group *group)
{
    int64_t *values = add_block(w, group);

    if (values)
        add_sample(w, values, group);
    return values != NULL;
}

/* Returns the thread of the next sample; INT_MAX if there is none. */
static int head_thread(const struct pdump_dump *dump, const struct group *group)
{
    return group->first_sample < 0 ? INT_MAX
                                   : dump->samples[group->first_sample].thread;
}

/* An end_region(): it takes the oldest profiles of its thread and region.
 * Without any, PyPerfDump writes zeros. */
static int add_ended(struct work *w, const struct pdump_dump_detail_row *row,
                     int64_t n_profiles)
{
    const struct pdump_dump *dump = w->dump;
    int thread = row->thread;
    struct group *group = group_of(w, thread, row->node);
    int64_t *values = NULL;

    /* Profiles of a thread that has left a region open. */
    while (group && head_thread(dump, group) < thread)
        if (!add_own(w, group))
            return pdump_no_memory();
    if (group)
        values = add_block(w, group);
    if (!values)
        return pdump_no_memory();
    for (int64_t i = 0; i < n_profiles; i++) {
        if (head_thread(dump, group) != thread)
            break; /* beyond PDUMP_SAMPLES_MAX */
        add_sample(w, values, group);
    }
    for (int m = 0; m < dump->n_metrics; m++)
        if (values[m] == PDUMP_MISSING && dump->metrics[m].kind != PDUMP_USER)
            values[m] = 0;
    return PDUMP_OK;
}

/* A row of the table of regions that have ended. */
struct ended {
    int thread;
    int64_t number;
    int64_t row;
};

static int by_thread(const void *a, const void *b)
{
    const struct ended *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int add_all_ended(struct work *w)
{
    const struct pdump_dump_detail *table =
        pdump_dump_find_detail(w->dump, "profiles");
    struct ended *list;
    int profiles = table ? pdump_dump_find_field(table, "profiles") : -1;
    int64_t n = 0;
    int err = PDUMP_OK;

    if (profiles < 0 || table->n_rows == 0)
        return err;
    list = malloc((size_t)table->n_rows * sizeof(*list));
    if (!list)
        return pdump_no_memory();
    for (int64_t i = 0; i < table->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &table->rows[i];
        const char *label = table->labels[row->label];

        /* Rows that were united for lack of room have no order. */
        if (row->thread >= 0 && row->node >= 0 && *label >= '0' &&
            *label <= '9')
            list[n++] =
                (struct ended){ row->thread, strtoll(label, NULL, 10), i };
    }
    qsort(list, (size_t)n, sizeof(*list), by_thread);
    for (int64_t i = 0; err >= 0 && i < n; i++)
        err =
            add_ended(w, &table->rows[list[i].row],
                      table->values[list[i].row * table->n_values + profiles]);
    free(list);
    return err;
}

/* Steps, and other visits that were kept. */
static int add_others(struct work *w)
{
    const struct pdump_dump *dump = w->dump;

    for (int64_t i = 0; i < dump->n_samples; i++) {
        struct group *group =
            group_of(w, dump->samples[i].thread, dump->samples[i].node);

        if (!group)
            return pdump_no_memory();
        /* Others are in a block already. */
        if (group->first_sample == i && !add_own(w, group))
            return pdump_no_memory();
    }
    return PDUMP_OK;
}

/* Returns the figure of the group over its threads and nodes. */
static int64_t sum_of(const struct work *w, const struct group *group, int m)
{
    bool is_gauge = w->dump->metrics[m].kind == PDUMP_GAUGE;
    int64_t sum = PDUMP_MISSING;

    for (int64_t i = group->first_row; i >= 0; i = w->next_row[i])
        if (is_gauge || !w->is_inner[w->dump->rows[i].node])
            figure_add(w->dump, m, &sum, pdump_dump_figure(w->dump, m, i));
    return sum;
}

/* Groups without a sample, and what the program counts itself, which samples do
 * not have. */
static int add_sums(struct work *w)
{
    const struct pdump_dump *dump = w->dump;

    for (int g = 0; g < w->n_groups; g++) {
        struct group *group = &w->group[g];
        bool is_new = group->last_block < 0;
        int64_t *values = is_new ? add_block(w, group)
                                 : w->out->block[group->last_block].values;

        if (!values)
            return pdump_no_memory();
        for (int m = 0; m < dump->n_metrics; m++)
            if (is_new || dump->metrics[m].kind == PDUMP_USER)
                values[m] = sum_of(w, group, m);
    }
    return PDUMP_OK;
}

static int by_number(const void *a, const void *b)
{
    const struct pdump_profile_block *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Numbers the blocks of each rank, and sorts them. */
static int blocks_sort(struct work *w)
{
    int64_t *n = calloc((size_t)w->ranks.n + 1, sizeof(*n));

    if (!n)
        return pdump_no_memory();
    for (int64_t i = 0; i < w->out->n; i++)
        w->out->block[i].number = n[w->out->block[i].rank]++;
    free(n);
    if (w->out->n > 0)
        qsort(w->out->block, (size_t)w->out->n, sizeof(*w->out->block),
              by_number);
    return PDUMP_OK;
}

int pdump_profile_blocks_of(const struct pdump_dump *dump,
                            struct pdump_profile_blocks *out)
{
    struct work w = { .dump = dump, .out = out };
    int err;

    *out = (struct pdump_profile_blocks){ 0 };
    err = work_start(&w);
    if (err >= 0)
        err = make_groups(&w);
    if (err >= 0)
        err = add_all_ended(&w);
    if (err >= 0)
        err = add_others(&w);
    if (err >= 0)
        err = add_sums(&w);
    if (err >= 0)
        err = blocks_sort(&w);
    free_work(&w);
    if (err < 0)
        pdump_profile_blocks_free(out);
    return err;
}
