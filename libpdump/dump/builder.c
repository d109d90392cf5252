/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the tables of a dump. */
#include "dump/builder.h"

#include "base/array.h"
#include "base/pair_index.h"
#include "base/string_pool.h"
#include "dump/anonymous.h"
#include "dump/builder_details.h"
#include "dump/builder_sort.h"
#include "dump/dump_schema.h"
#include "dump/event_lanes.h"
#include "dump/rank_stat.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pdump_builder {
    struct pdump_dump *dump; /* NULL after it has been given to the caller */
    int64_t row_room;        /* of the rows, and of every column */
    struct pdump_pair_index metrics;
    struct pdump_pair_index regions;
    struct pdump_pair_index nodes;
    struct pdump_pair_index threads;
    struct pdump_pair_index metadata;
    struct pdump_pair_index warnings;
    struct pdump_builder_details details;
};

int pdump_builder_new(struct pdump_builder **out)
{
    struct pdump_builder *b = calloc(1, sizeof(*b));

    *out = NULL;
    if (!b)
        return pdump_no_memory();
    b->dump = calloc(1, sizeof(*b->dump));
    if (!b->dump || pdump_string_pool_new(&b->dump->text) < 0) {
        pdump_builder_free(b);
        return pdump_no_memory();
    }
    *out = b;
    return PDUMP_OK;
}

void pdump_builder_free(struct pdump_builder *b)
{
    if (!b)
        return;
    pdump_pair_index_free(&b->metrics);
    pdump_pair_index_free(&b->regions);
    pdump_pair_index_free(&b->nodes);
    pdump_pair_index_free(&b->threads);
    pdump_pair_index_free(&b->metadata);
    pdump_pair_index_free(&b->warnings);
    pdump_builder_details_free(&b->details);
    pdump_dump_free(b->dump);
    free(b);
}

const struct pdump_dump *pdump_builder_tables(const struct pdump_builder *b)
{
    return b->dump;
}

static int text_keep(struct pdump_builder *b, const char *s, const char **out)
{
    *out = pdump_string_pool_keep(b->dump->text, s ? s : "", s ? strlen(s) : 0);
    return *out ? PDUMP_OK : pdump_no_memory();
}

static int keep_texts(struct pdump_builder *b, enum pdump_table table,
                      void *entry)
{
    return pdump_schema_keep(&pdump_schema[table], entry, b->dump->text);
}

/* The pool keeps one copy of each string, so equal strings have equal
 * addresses. */
static int64_t address(const char *kept)
{
    return (int64_t)(intptr_t)kept;
}

int pdump_builder_metric(struct pdump_builder *b,
                         const struct pdump_dump_metric *metric)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_metric new = *metric;
    int n = dump->n_metrics;
    int64_t old;

    if (keep_texts(b, PDUMP_TABLE_METRICS, &new) < 0)
        return PDUMP_ENOMEM;
    old = pdump_pair_index_find(&b->metrics, address(new.name), 0);
    if (old >= 0)
        return (int)old;
    if (dump->n_rows || dump->n_samples)
        return pdump_fail(PDUMP_ESTATE, "metric %s comes after the first row",
                          new.name);
    if (pdump_array_make(&dump->metrics, n, sizeof(*dump->metrics)) < 0 ||
        pdump_array_make(&dump->columns, n, sizeof(*dump->columns)) < 0 ||
        pdump_array_make(&dump->sample_values, n,
                         sizeof(*dump->sample_values)) < 0 ||
        pdump_pair_index_put(&b->metrics, address(new.name), 0, n) < 0)
        return PDUMP_ENOMEM;
    dump->metrics[n] = new;
    dump->columns[n] = (struct pdump_dump_column){ 0 };
    dump->sample_values[n] = NULL;
    return dump->n_metrics++;
}

int pdump_builder_region(struct pdump_builder *b,
                         const struct pdump_dump_region *region)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_region new = *region;
    int n = dump->n_regions;
    int64_t old;
    int err;

    if (keep_texts(b, PDUMP_TABLE_REGIONS, &new) < 0)
        return PDUMP_ENOMEM;
    old = pdump_pair_index_find(&b->regions, address(new.name),
                                address(new.group));
    if (old >= 0)
        return (int)old;
    err = pdump_array_make(&dump->regions, n, sizeof(*dump->regions));
    if (err < 0)
        return err;
    if (pdump_pair_index_put(&b->regions, address(new.name), address(new.group),
                             n) < 0)
        return PDUMP_ENOMEM;
    dump->regions[n] = new;
    return dump->n_regions++;
}

int pdump_builder_node(struct pdump_builder *b, int parent, int region)
{
    struct pdump_dump *dump = b->dump;
    int n = dump->n_nodes;
    int64_t old = pdump_pair_index_find(&b->nodes, parent, region);
    int err;

    if (old >= 0)
        return (int)old;
    if (parent < -1 || parent >= n || region < 0 || region >= dump->n_regions)
        return pdump_fail(PDUMP_EINVAL, "no node %d or no region %d", parent,
                          region);
    err = pdump_array_make(&dump->nodes, n, sizeof(*dump->nodes));
    if (err < 0)
        return err;
    if (pdump_pair_index_put(&b->nodes, parent, region, n) < 0)
        return PDUMP_ENOMEM;
    dump->nodes[n] = (struct pdump_dump_node){
        .parent = parent,
        .region = region,
        .depth = parent < 0 ? 0 : dump->nodes[parent].depth + 1,
    };
    return dump->n_nodes++;
}

int pdump_builder_process(struct pdump_builder *b,
                          const struct pdump_dump_process *process)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_process new = *process;
    int n = dump->n_processes;
    int err;

    if (keep_texts(b, PDUMP_TABLE_PROCESSES, &new) < 0)
        return PDUMP_ENOMEM;
    err = pdump_array_make(&dump->processes, n, sizeof(*dump->processes));
    if (err < 0)
        return err;
    dump->processes[n] = new;
    return dump->n_processes++;
}

int pdump_builder_thread(struct pdump_builder *b,
                         const struct pdump_dump_thread *thread)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_thread new = *thread;
    int n = dump->n_threads;
    int err;

    if (new.process < 0 || new.process >= dump->n_processes)
        return pdump_fail(PDUMP_EINVAL, "no process %d", new.process);
    if (pdump_pair_index_find(&b->threads, new.process, new.number) >= 0)
        return pdump_fail(PDUMP_EINVAL, "process %d has a thread %d already",
                          new.process, new.number);
    if (keep_texts(b, PDUMP_TABLE_THREADS, &new) < 0)
        return PDUMP_ENOMEM;
    err = pdump_array_make(&dump->threads, n, sizeof(*dump->threads));
    if (err < 0)
        return err;
    if (pdump_pair_index_put(&b->threads, new.process, new.number, n) < 0)
        return PDUMP_ENOMEM;
    dump->threads[n] = new;
    return dump->n_threads++;
}

static int check_place(const struct pdump_dump *dump, int thread, int node)
{
    if (thread < 0 || thread >= dump->n_threads || node < 0 ||
        node >= dump->n_nodes)
        return pdump_fail(PDUMP_EINVAL, "no thread %d or no node %d", thread,
                          node);
    return PDUMP_OK;
}

/* Rows have many columns: all of them grow together. */
static int grow_rows(struct pdump_builder *b, int64_t room)
{
    struct pdump_dump *dump = b->dump;

    if (room > INT_MAX)
        return pdump_fail(PDUMP_EINVAL, "more than %d rows", INT_MAX);
    if (pdump_array_set(&dump->rows, room, sizeof(*dump->rows)) < 0)
        return PDUMP_ENOMEM;
    for (int m = 0; m < dump->n_metrics; m++) {
        struct pdump_dump_column *c = &dump->columns[m];

        if (pdump_array_set(&c->sum, room, sizeof(*c->sum)) < 0 ||
            pdump_array_set(&c->min, room, sizeof(*c->min)) < 0 ||
            pdump_array_set(&c->max, room, sizeof(*c->max)) < 0 ||
            pdump_array_set(&c->sumsq, room, sizeof(*c->sumsq)) < 0)
            return PDUMP_ENOMEM;
    }
    b->row_room = room;
    return PDUMP_OK;
}

int pdump_builder_reserve(struct pdump_builder *b, int64_t n)
{
    int64_t room = b->dump->n_rows + n;

    return room <= b->row_room ? PDUMP_OK : grow_rows(b, room);
}

int64_t pdump_builder_row(struct pdump_builder *b, int thread, int node,
                          int64_t visits, bool is_open)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_row *row;
    int64_t n = dump->n_rows;
    int err = check_place(dump, thread, node);

    if (err == PDUMP_OK && n == b->row_room)
        err = grow_rows(b, n < INT_MAX / 2 ? 2 * n + 16 : n + 1);
    if (err < 0)
        return err;
    for (int m = 0; m < dump->n_metrics; m++) {
        dump->columns[m].sum[n] = PDUMP_MISSING;
        dump->columns[m].min[n] = PDUMP_MISSING;
        dump->columns[m].max[n] = PDUMP_MISSING;
        dump->columns[m].sumsq[n] = NAN;
    }
    row = &dump->rows[n];
    memset(row, 0, sizeof(*row)); /* padding too: ranks send rows as bytes */
    row->thread = thread;
    row->node = node;
    row->parent = -1;
    row->visits = visits;
    row->is_open = is_open;
    return dump->n_rows++;
}

int pdump_builder_value(struct pdump_builder *b, int64_t row, int metric,
                        int64_t sum, int64_t min, int64_t max, double sumsq)
{
    struct pdump_dump_column *column;

    if (row < 0 || row >= b->dump->n_rows || metric < 0 ||
        metric >= b->dump->n_metrics)
        return pdump_fail(PDUMP_EINVAL, "no row %lld or no metric %d",
                          (long long)row, metric);
    column = &b->dump->columns[metric];
    column->sum[row] = sum;
    column->min[row] = min;
    column->max[row] = max;
    column->sumsq[row] = sumsq;
    return PDUMP_OK;
}

int pdump_builder_columns(struct pdump_builder *b, int64_t row, int64_t n,
                          int metric, struct pdump_dump_column *out)
{
    const struct pdump_dump_column *column;

    if (row < 0 || n < 0 || row > b->dump->n_rows - n || metric < 0 ||
        metric >= b->dump->n_metrics)
        return pdump_fail(PDUMP_EINVAL, "no rows from %lld or no metric %d",
                          (long long)row, metric);
    column = &b->dump->columns[metric];
    *out = (struct pdump_dump_column){
        .sum = column->sum + row,
        .min = column->min + row,
        .max = column->max + row,
        .sumsq = column->sumsq + row,
    };
    return PDUMP_OK;
}

int pdump_builder_sample(struct pdump_builder *b,
                         const struct pdump_dump_sample *sample,
                         const int64_t *values)
{
    struct pdump_dump *dump = b->dump;
    int64_t n = dump->n_samples;
    int err = check_place(dump, sample->thread, sample->node);

    if (err < 0)
        return err;
    err = pdump_array_make(&dump->samples, n, sizeof(*dump->samples));
    for (int m = 0; err == PDUMP_OK && m < dump->n_metrics; m++)
        err = pdump_array_make(&dump->sample_values[m], n, sizeof(*values));
    if (err < 0)
        return err;
    dump->samples[n] = *sample;
    for (int m = 0; m < dump->n_metrics; m++)
        dump->sample_values[m][n] = values[m];
    dump->n_samples++;
    return PDUMP_OK;
}

int pdump_builder_event(struct pdump_builder *b, int thread,
                        const struct pdump_event *event)
{
    return pdump_event_lanes_add(b->dump, thread, event);
}

int pdump_builder_lanes(struct pdump_builder *b, const struct pdump_dump *from,
                        const struct pdump_event_lanes_numbers *numbers)
{
    return pdump_event_lanes_copy(b->dump, from, numbers);
}

int pdump_builder_stats(struct pdump_builder *b,
                        struct pdump_dump_rank_stat ***out)
{
    struct pdump_dump *dump = b->dump;
    int err = dump->stats ? PDUMP_OK
                          : pdump_rank_stat_new(dump->n_metrics, dump->n_nodes,
                                                &dump->stats);

    *out = dump->stats;
    return err;
}

int pdump_builder_stat(struct pdump_builder *b, int metric, int node,
                       const struct pdump_dump_rank_stat *stat)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_rank_stat **stats;
    int err = pdump_builder_stats(b, &stats);

    if (err < 0)
        return err;
    if (metric < -1 || metric >= dump->n_metrics || node < 0 ||
        node >= dump->n_nodes)
        return pdump_fail(PDUMP_EINVAL, "no metric %d or no node %d", metric,
                          node);
    stats[metric < 0 ? dump->n_metrics : metric][node] = *stat;
    return PDUMP_OK;
}

int pdump_builder_detail(struct pdump_builder *b,
                         const struct pdump_dump_detail *detail)
{
    return pdump_builder_details_add(b->dump, detail);
}

int pdump_builder_detail_row(struct pdump_builder *b, int detail,
                             const struct pdump_builder_details_place *place,
                             const int64_t *values)
{
    return pdump_builder_details_row(&b->details, b->dump, detail, place,
                                     values);
}

void pdump_builder_limit_details(struct pdump_builder *b, int64_t bytes)
{
    b->details.max = bytes;
}

int pdump_builder_metadata(struct pdump_builder *b, const char *key,
                           const char *value)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_pair new = { .key = key, .value = value };
    int n = dump->n_metadata;
    int64_t at;

    if (keep_texts(b, PDUMP_TABLE_METADATA, &new) < 0)
        return PDUMP_ENOMEM;
    at = pdump_pair_index_find(&b->metadata, address(new.key), 0);
    if (at < 0) {
        int err = pdump_array_make(&dump->metadata, n, sizeof(*dump->metadata));

        if (err < 0)
            return err;
        if (pdump_pair_index_put(&b->metadata, address(new.key), 0, n) < 0)
            return PDUMP_ENOMEM;
        at = dump->n_metadata++;
    }
    dump->metadata[at] = new;
    return PDUMP_OK;
}

/* Returns true for keys that each process counts separately. */
static bool is_count(const char *key)
{
    return strcmp(key, "events") == 0 || strcmp(key, "events_lost") == 0 ||
           strcmp(key, "events_dropped") == 0 ||
           strcmp(key, "cpu_time_cut_rows") == 0 ||
           strcmp(key, "cpu_time_cut_ns") == 0 || strcmp(key, "stacks") == 0 ||
           strcmp(key, "stacks_lost") == 0 ||
           strcmp(key, "stacks_unfinished") == 0 ||
           strcmp(key, "stacks_cpu_time_ns") == 0;
}

int pdump_builder_metadata_more(struct pdump_builder *b, const char *key,
                                const char *value)
{
    const char *kept;
    char sum[32];
    int64_t at;

    if (text_keep(b, key, &kept) < 0)
        return PDUMP_ENOMEM;
    at = pdump_pair_index_find(&b->metadata, address(kept), 0);
    /* Processes run side by side: the longest wall time is that of all. */
    if (at >= 0 && strcmp(key, "wall_time_ns") == 0 &&
        strtoull(value, NULL, 10) >
            strtoull(b->dump->metadata[at].value, NULL, 10))
        return pdump_builder_metadata(b, key, value);
    if (at >= 0 && !is_count(key))
        return PDUMP_OK;
    if (at >= 0) {
        snprintf(sum, sizeof(sum), "%llu",
                 strtoull(b->dump->metadata[at].value, NULL, 10) +
                     strtoull(value, NULL, 10));
        value = sum;
    }
    return pdump_builder_metadata(b, key, value);
}

int pdump_builder_warning(struct pdump_builder *b, const char *text,
                          int64_t count)
{
    struct pdump_dump *dump = b->dump;
    struct pdump_dump_warning new = { .text = text, .count = count };
    int n = dump->n_warnings;
    int64_t at;
    int err;

    if (keep_texts(b, PDUMP_TABLE_WARNINGS, &new) < 0)
        return PDUMP_ENOMEM;
    at = pdump_pair_index_find(&b->warnings, address(new.text), 0);
    if (at >= 0) {
        if (__builtin_add_overflow(dump->warnings[at].count, count,
                                   &dump->warnings[at].count))
            dump->warnings[at].count = INT64_MAX;
        return PDUMP_OK;
    }
    err = pdump_array_make(&dump->warnings, n, sizeof(*dump->warnings));
    if (err < 0)
        return err;
    if (pdump_pair_index_put(&b->warnings, address(new.text), 0, n) < 0)
        return PDUMP_ENOMEM;
    dump->warnings[dump->n_warnings++] = new;
    return PDUMP_OK;
}

int pdump_builder_finish(struct pdump_builder *b, struct pdump_dump **out)
{
    struct pdump_dump *dump = b->dump;
    int err = pdump_builder_sort(dump);

    if (err >= 0)
        err = pdump_anonymous_apply(dump);
    if (err < 0)
        return err;
    pdump_string_pool_seal(dump->text);
    b->dump = NULL;
    *out = dump;
    return PDUMP_OK;
}

int pdump_builder_close(struct pdump_builder *b, int err,
                        struct pdump_dump **out)
{
    if (err >= 0)
        err = pdump_builder_finish(b, out);
    pdump_builder_free(b);
    return err;
}
