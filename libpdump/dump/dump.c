/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of a dump, and its destruction. */
#include "dump/dump.h"

#include "base/string_pool.h"
#include "base/visit_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pdump_dump_free_lanes(struct pdump_dump *dump)
{
    for (int i = 0; i < dump->n_lanes; i++)
        free(dump->lanes[i].bytes);
    free(dump->lanes);
    dump->lanes = NULL;
    dump->n_lanes = 0;
}

void pdump_dump_free(struct pdump_dump *dump)
{
    if (!dump)
        return;
    for (int m = 0; m < dump->n_metrics; m++) {
        free(dump->columns[m].sum);
        free(dump->columns[m].min);
        free(dump->columns[m].max);
        free(dump->columns[m].sumsq);
        free(dump->columns[m].exclusive);
        free(dump->sample_values[m]);
    }
    free(dump->metrics);
    free(dump->regions);
    free(dump->nodes);
    free(dump->processes);
    free(dump->threads);
    free(dump->rows);
    free(dump->columns);
    free(dump->samples);
    free(dump->sample_values);
    pdump_dump_free_lanes(dump);
    for (int m = 0; dump->stats && m <= dump->n_metrics; m++)
        free(dump->stats[m]);
    free(dump->stats);
    for (int i = 0; i < dump->n_details; i++) {
        free(dump->details[i].fields);
        free(dump->details[i].labels);
        free(dump->details[i].rows);
        free(dump->details[i].values);
    }
    free(dump->details);
    free(dump->metadata);
    free(dump->warnings);
    pdump_string_pool_free(dump->text);
    free(dump);
}

int pdump_dump_find_metric(const struct pdump_dump *dump, const char *name)
{
    for (int m = 0; m < dump->n_metrics; m++)
        if (strcmp(dump->metrics[m].name, name) == 0)
            return m;
    return -1;
}

const struct pdump_dump_detail *pdump_dump_find_detail(
    const struct pdump_dump *dump, const char *name)
{
    for (int i = 0; i < dump->n_details; i++)
        if (strcmp(dump->details[i].name, name) == 0)
            return &dump->details[i];
    return NULL;
}

int pdump_dump_find_field(const struct pdump_dump_detail *detail,
                          const char *name)
{
    int at = 0;

    for (int f = 0; f < detail->n_fields; at += detail->fields[f++].width)
        if (strcmp(detail->fields[f].name, name) == 0)
            return at;
    return -1;
}

const char *pdump_dump_metadata(const struct pdump_dump *dump, const char *key)
{
    if (!dump || !key)
        return NULL;
    for (int i = 0; i < dump->n_metadata; i++)
        if (strcmp(dump->metadata[i].key, key) == 0)
            return dump->metadata[i].value;
    return NULL;
}

int pdump_dump_n_metadata(const struct pdump_dump *dump)
{
    return dump ? dump->n_metadata : 0;
}

const char *pdump_dump_metadata_key(const struct pdump_dump *dump, int index)
{
    return dump && index >= 0 && index < dump->n_metadata
               ? dump->metadata[index].key
               : NULL;
}

int pdump_dump_n_warnings(const struct pdump_dump *dump)
{
    return dump ? dump->n_warnings : 0;
}

const char *pdump_dump_warning(const struct pdump_dump *dump, int index,
                               int64_t *count)
{
    if (!dump || index < 0 || index >= dump->n_warnings)
        return NULL;
    if (count)
        *count = dump->warnings[index].count;
    return dump->warnings[index].text;
}

static bool is_call(const char *group)
{
    return strcmp(group, "mpi") == 0 || strcmp(group, "io") == 0 ||
           strcmp(group, "function") == 0;
}

static const char *cost_of(const struct pdump_dump *dump,
                           enum pdump_visit_kind kind)
{
    return kind < PDUMP_VISIT_KINDS
               ? pdump_dump_metadata(dump, pdump_visit_kind_key[kind])
               : NULL;
}

double pdump_dump_visit_cost(const struct pdump_dump *dump, int region)
{
    const struct pdump_dump_region *of = &dump->regions[region];
    bool has_python = cost_of(dump, PDUMP_VISIT_PYTHON_FUNCTION) ||
                      cost_of(dump, PDUMP_VISIT_PYTHON_REGION);
    enum pdump_visit_kind kind =
        pdump_visit_kind_of(of->group, of->file, has_python);
    const char *cost = cost_of(dump, kind);

    if (!cost && kind == PDUMP_VISIT_PYTHON_FUNCTION)
        cost = cost_of(dump, PDUMP_VISIT_PYTHON_REGION);
    if (!cost && is_call(of->group))
        cost = pdump_dump_metadata(dump, "overhead_ns_per_call");
    if (!cost)
        cost = pdump_dump_metadata(dump, "overhead_ns_per_visit");
    return cost ? strtod(cost, NULL) : 0;
}

/* Unsigned: a file may hold any numbers, so the difference may wrap. */
static int64_t figure_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

void pdump_dump_exclusive(const struct pdump_dump *dump, int metric,
                          int64_t *out)
{
    const int64_t *sum = dump->columns[metric].sum;
    bool is_gauge = dump->metrics[metric].kind == PDUMP_GAUGE;

    for (int64_t i = 0; i < dump->n_rows; i++)
        out[i] = is_gauge ? PDUMP_MISSING : sum[i];
    for (int64_t i = 0; !is_gauge && i < dump->n_rows; i++) {
        int64_t around = dump->rows[i].parent;

        if (sum[i] == PDUMP_MISSING)
            continue;
        /* Skip calls without counters in between. */
        while (around >= 0 && sum[around] == PDUMP_MISSING)
            around = dump->rows[around].parent;
        if (around >= 0)
            out[around] = figure_minus(out[around], sum[i]);
    }
}

static bool is_escaped(char c)
{
    return c == '/' || c == '\\';
}

static int64_t escaped_length(const char *name)
{
    int64_t len = 0;

    for (; *name; name++)
        len += is_escaped(*name) ? 2 : 1;
    return len;
}

/* Writes `c` at `at` if that is inside the buffer. */
static void path_put(char *buf, int64_t room, int64_t at, char c)
{
    if (at < room)
        buf[at] = c;
}

/* Writes from the innermost name outwards, because a node knows only its
 * parent. */
int64_t pdump_dump_node_path(const struct pdump_dump *dump, int node, char *buf,
                             size_t len)
{
    int64_t room = len ? (int64_t)len - 1 : 0;
    int64_t total = -1;
    int64_t at;

    for (int i = node; i >= 0; i = dump->nodes[i].parent)
        total += escaped_length(dump->regions[dump->nodes[i].region].name) + 1;
    at = total;
    for (int i = node; i >= 0; i = dump->nodes[i].parent) {
        const char *name = dump->regions[dump->nodes[i].region].name;

        for (size_t k = strlen(name); k > 0; k--) {
            path_put(buf, room, --at, name[k - 1]);
            if (is_escaped(name[k - 1]))
                path_put(buf, room, --at, '\\');
        }
        if (dump->nodes[i].parent >= 0)
            path_put(buf, room, --at, '/');
    }
    if (len)
        buf[total < room ? total : room] = '\0';
    return total;
}

int64_t pdump_dump_path(const struct pdump_dump *dump, int64_t row, char *buf,
                        size_t len)
{
    if (!dump || (!buf && len))
        return pdump_fail(PDUMP_EINVAL, "no dump or no buffer");
    if (row < 0 || row >= dump->n_rows)
        return pdump_fail(PDUMP_ENOENT, "no row %lld", (long long)row);
    return pdump_dump_node_path(dump, dump->rows[row].node, buf, len);
}

int pdump_dump_n_metrics(const struct pdump_dump *dump)
{
    return dump ? dump->n_metrics : 0;
}

int64_t pdump_dump_n_rows(const struct pdump_dump *dump)
{
    return dump ? dump->n_rows : 0;
}

int pdump_dump_n_processes(const struct pdump_dump *dump)
{
    return dump ? dump->n_processes : 0;
}

/*
 * An older caller gets the fields that it knows; a newer one gets zeroes in the
 * fields that this release does not know.  A size that no release will have
 * means that the field was never set.
 */
int pdump_dump_give(void *out, const void *full, size_t full_size)
{
    const size_t largest = 4096;
    size_t size;

    memcpy(&size, out, sizeof(size));
    if (size <= sizeof(size) || size > largest)
        return pdump_fail(PDUMP_EINVAL, "field size is not set: %zu", size);
    memset((char *)out + sizeof(size), 0, size - sizeof(size));
    memcpy((char *)out + sizeof(size), (const char *)full + sizeof(size),
           (size < full_size ? size : full_size) - sizeof(size));
    return PDUMP_OK;
}

int pdump_dump_metric(const struct pdump_dump *dump, int index,
                      struct pdump_metric_info *out)
{
    const struct pdump_dump_metric *metric;

    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (index < 0 || index >= dump->n_metrics)
        return pdump_fail(PDUMP_ENOENT, "no metric %d", index);
    metric = &dump->metrics[index];
    return pdump_dump_give(out,
                           &(struct pdump_metric_info){
                               .name = metric->name,
                               .unit = metric->unit,
                               .source = metric->source,
                               .about = metric->about,
                               .kind = metric->kind,
                           },
                           sizeof(*out));
}

int pdump_dump_process(const struct pdump_dump *dump, int index,
                       struct pdump_process_info *out)
{
    const struct pdump_dump_process *process;

    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (index < 0 || index >= dump->n_processes)
        return pdump_fail(PDUMP_ENOENT, "no process %d", index);
    process = &dump->processes[index];
    return pdump_dump_give(out,
                           &(struct pdump_process_info){
                               .rank = process->rank,
                               .pid = process->pid,
                               .parent = process->parent,
                               .host = process->host,
                               .command = process->command,
                               .cpu = process->cpu,
                               .cores = process->cores,
                           },
                           sizeof(*out));
}

int pdump_dump_row(const struct pdump_dump *dump, int64_t index,
                   struct pdump_row *out)
{
    const struct pdump_dump_row *row;
    const struct pdump_dump_thread *thread;
    const struct pdump_dump_process *process;
    const struct pdump_dump_node *node;
    const struct pdump_dump_region *region;

    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (index < 0 || index >= dump->n_rows)
        return pdump_fail(PDUMP_ENOENT, "no row %lld", (long long)index);
    row = &dump->rows[index];
    thread = &dump->threads[row->thread];
    process = &dump->processes[thread->process];
    node = &dump->nodes[row->node];
    region = &dump->regions[node->region];
    return pdump_dump_give(out,
                           &(struct pdump_row){
                               .rank = process->rank,
                               .thread = thread->number,
                               .pid = process->pid,
                               .thread_name = thread->name,
                               .region = region->name,
                               .group = region->group,
                               .file = region->file,
                               .line = region->line,
                               .node = row->node,
                               .parent = row->parent,
                               .depth = node->depth,
                               .is_open = row->is_open,
                               .visits = row->visits,
                               .process = thread->process,
                           },
                           sizeof(*out));
}

static int64_t or_zero(int64_t value)
{
    return value == PDUMP_MISSING ? 0 : value;
}

int pdump_dump_stats(const struct pdump_dump *dump, int64_t row, int metric,
                     struct pdump_stats *out)
{
    const struct pdump_dump_column *column;
    struct pdump_stats full = { 0 };

    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (row < 0 || row >= dump->n_rows || metric < 0 ||
        metric >= dump->n_metrics)
        return pdump_fail(PDUMP_ENOENT, "no row %lld or no metric %d",
                          (long long)row, metric);
    column = &dump->columns[metric];
    full.visits = dump->rows[row].visits;
    full.has_value = column->sum[row] != PDUMP_MISSING;
    if (full.has_value) {
        full.sum = column->sum[row];
        full.exclusive = or_zero(column->exclusive[row]);
        full.min = or_zero(column->min[row]);
        full.max = or_zero(column->max[row]);
    }
    if (full.has_value && full.visits > 0) {
        double n = (double)full.visits;
        double mean = (double)full.sum / n;
        double variance = column->sumsq[row] / n - mean * mean;

        full.mean = mean;
        full.stddev = variance > 0 ? sqrt(variance) : 0;
    }
    return pdump_dump_give(out, &full, sizeof(full));
}
