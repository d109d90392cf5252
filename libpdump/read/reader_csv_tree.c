/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the metrics, processes, threads and nodes of a CSV dump, and finds them
 * by their names and numbers in the file. */
#include "dump/dump_schema.h"
#include "read/reader_csv_private.h"

#include <stdlib.h>
#include <string.h>

int pdump_csv_load_room(void *pointer, int64_t n, size_t size)
{
    void *array;

    if (n & (n - 1)) /* the array doubles when n is a power of two */
        return PDUMP_OK;
    memcpy(&array, pointer, sizeof(array));
    array = realloc(array, (size_t)(n ? 2 * n : 1) * size);
    if (!array)
        return pdump_no_memory();
    memcpy(pointer, &array, sizeof(array));
    return PDUMP_OK;
}

int pdump_csv_load_keep(struct pdump_csv_load *load, const char *s,
                        const char **out)
{
    *out = pdump_string_pool_keep(load->text, s, strlen(s));
    return *out ? PDUMP_OK : pdump_no_memory();
}

void pdump_csv_load_free(struct pdump_csv_load *load)
{
    pdump_pair_index_free(&load->node_ids);
    pdump_pair_index_free(&load->processes);
    pdump_pair_index_free(&load->ranks);
    pdump_pair_index_free(&load->threads);
    pdump_csv_load_free_details(load);
    free(load->metrics);
    free(load->regions);
    free(load->nodes);
    pdump_string_pool_free(load->text);
}

int pdump_csv_load_metric(struct pdump_csv_load *load,
                          const struct pdump_dump_metric *metric)
{
    struct pdump_dump_metric kept = *metric;
    int at;

    if (pdump_schema_keep(&pdump_schema[PDUMP_TABLE_METRICS], &kept,
                          load->text) < 0 ||
        pdump_csv_load_room(&load->metrics, load->n_metrics,
                            sizeof(*load->metrics)) < 0)
        return PDUMP_ENOMEM;
    at = pdump_builder_metric(load->b, metric);
    if (at == load->n_metrics)
        load->metrics[load->n_metrics++] = kept;
    return at;
}

int pdump_csv_load_process(struct pdump_csv_load *load, int64_t number,
                           const struct pdump_dump_process *process)
{
    int64_t old =
        number == PDUMP_MISSING
            ? pdump_pair_index_find(&load->ranks, process->rank, process->pid)
            : pdump_pair_index_find(&load->processes, number, 0);
    int at;

    if (old >= 0)
        return (int)old;
    at = pdump_builder_process(load->b, process);
    if (at < 0)
        return at;
    if (pdump_pair_index_put(&load->ranks, process->rank, process->pid, at) <
            0 ||
        (number != PDUMP_MISSING &&
         pdump_pair_index_put(&load->processes, number, 0, at) < 0))
        return PDUMP_ENOMEM;
    return at;
}

int pdump_csv_load_thread(struct pdump_csv_load *load,
                          const struct pdump_dump_thread *thread)
{
    int64_t old =
        pdump_pair_index_find(&load->threads, thread->process, thread->number);
    int at;

    if (old >= 0)
        return (int)old;
    at = pdump_builder_thread(load->b, thread);
    if (at >= 0 && pdump_pair_index_put(&load->threads, thread->process,
                                        thread->number, at) < 0)
        return PDUMP_ENOMEM;
    return at;
}

int pdump_csv_load_node(struct pdump_csv_load *load,
                        const struct pdump_csv *csv,
                        const struct pdump_csv_node *node)
{
    int64_t at = pdump_pair_index_find(&load->node_ids, node->id, 0);
    struct pdump_csv_node new = *node;

    /* Most rows repeat a node that another thread has mentioned. */
    if (at >= 0) {
        const struct pdump_csv_node *old = &load->nodes[at];

        if (old->parent == node->parent &&
            strcmp(old->region.name, node->region.name) == 0 &&
            strcmp(old->region.group, node->region.group) == 0)
            return (int)at;
        return pdump_csv_fail(csv,
                              "node %lld is not the same as in line %lld: "
                              "'%.60s' below %lld, '%.60s' below %lld",
                              (long long)node->id, (long long)old->line,
                              node->region.name, (long long)node->parent,
                              old->region.name, (long long)old->parent);
    }
    if (pdump_schema_keep(&pdump_schema[PDUMP_TABLE_REGIONS], &new.region,
                          load->text) < 0 ||
        pdump_csv_load_room(&load->nodes, load->n_nodes, sizeof(new)) < 0 ||
        pdump_pair_index_put(&load->node_ids, node->id, 0, load->n_nodes) < 0)
        return PDUMP_ENOMEM;
    load->nodes[load->n_nodes] = new;
    return load->n_nodes++;
}

static int by_id(const void *a, const void *b)
{
    const struct pdump_csv_node *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Ids grow from parent to child in every file that libpdump writes, so a parent
 * with a larger id is an error, and a cycle always has one. */
static int build_node(struct pdump_csv_load *load, struct pdump_csv *csv,
                      const struct pdump_csv_node *node, int expected)
{
    bool is_root = node->parent == PDUMP_MISSING;
    int64_t parent =
        is_root ? -1 : pdump_pair_index_find(&load->node_ids, node->parent, 0);
    int region, at;

    csv->line = node->line;
    if (!is_root && node->parent >= node->id)
        return pdump_csv_fail(csv,
                              "node %lld: its parent %lld has to have a "
                              "smaller number",
                              (long long)node->id, (long long)node->parent);
    if (!is_root && parent < 0)
        return pdump_csv_fail(csv, "node %lld: its parent %lld is missing",
                              (long long)node->id, (long long)node->parent);
    region = pdump_builder_region(load->b, &node->region);
    if (region < 0)
        return region;
    at = pdump_builder_node(load->b, (int)parent, region);
    if (at >= 0 && at < expected)
        return pdump_csv_fail(csv, "node %lld is node %lld once more",
                              (long long)node->id,
                              (long long)load->nodes[at].id);
    return at;
}

int pdump_csv_load_build_nodes(struct pdump_csv_load *load,
                               struct pdump_csv *csv)
{
    pdump_pair_index_free(&load->node_ids);
    if (load->n_nodes > 0)
        qsort(load->nodes, (size_t)load->n_nodes, sizeof(*load->nodes), by_id);
    for (int i = 0; i < load->n_nodes; i++) {
        int at = build_node(load, csv, &load->nodes[i], i);

        if (at < 0)
            return at;
        if (pdump_pair_index_put(&load->node_ids, load->nodes[i].id, 0, at) < 0)
            return PDUMP_ENOMEM;
    }
    return PDUMP_OK;
}
