/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the nodes of a thread to rows. */
#include "base/metric_name.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>

int pdump_snapshot_nodes_push(struct pdump_snapshot_nodes *items, uint32_t ref,
                              int parent)
{
    if (items->n == items->room) {
        int room = items->room ? items->room * 2 : 64;
        struct pdump_snapshot_node_row *list =
            realloc(items->list, (size_t)room * sizeof(*list));

        if (!list)
            return pdump_no_memory();
        items->list = list;
        items->room = room;
    }
    items->list[items->n++] =
        (struct pdump_snapshot_node_row){ .ref = ref, .parent = parent };
    return PDUMP_OK;
}

void pdump_snapshot_nodes_unite(struct pdump_stat *all,
                                const struct pdump_stat *one)
{
    all->sum = pdump_snapshot_plus(all->sum, one->sum);
    all->sumsq += one->sumsq;
    if (one->min < all->min)
        all->min = one->min;
    if (one->max > all->max)
        all->max = one->max;
}

/* Returns true if the sum of a metric is exact, even if it is less than the sum
 * of the items inside.  Levels do not add up, so the items inside say nothing
 * about a gauge. */
static bool is_exact(const struct pdump_snapshot *s,
                     const struct pdump_snapshot_nodes *items, int i,
                     uint32_t m)
{
    const struct pdump_metric *metric = pdump_snapshot_metric(s, m);

    return !items->list[i].open || metric->kind == PDUMP_GAUGE ||
           (items->list[i].read >> m & 1 &&
            pdump_metric_may_decrease(metric->name));
}

/* From the leaves up: user metrics include those of the items inside; an open
 * region has at least the sum of the regions inside it. */
static int roll_up(const struct pdump_snapshot *s,
                   struct pdump_snapshot_nodes *items)
{
    uint32_t n = s->n_metrics;
    int64_t *inside = calloc((size_t)items->n * n, sizeof(*inside));

    if (!inside)
        return pdump_no_memory();
    for (int i = items->n - 1; i > 0; i--) {
        struct pdump_stat *stat = pdump_snapshot_nodes_stats(items, i);
        int parent = items->list[i].parent;
        struct pdump_stat *above = pdump_snapshot_nodes_stats(items, parent);

        for (uint32_t m = 0; m < n; m++) {
            int64_t *in = &inside[(size_t)i * n + m];

            if (stat[m].sum < *in && !is_exact(s, items, i, m))
                stat[m].sum = *in;
            inside[(size_t)parent * n + m] = pdump_snapshot_plus(
                inside[(size_t)parent * n + m], stat[m].sum);
        }
        for (uint32_t m = n; m < items->n_stats; m++)
            pdump_snapshot_nodes_unite(&above[m], &stat[m]);
    }
    free(inside);
    return PDUMP_OK;
}

/* Returns the cost that is subtracted from metric `m`.  Times stay as measured
 * unless PDUMP_OVERHEAD=subtract.  But counters are read before and after the
 * clock, so the cost of reading them is in the visit's own counters, but not in
 * its time. */
static struct pdump_cost taken_off(const struct pdump_snapshot *s, uint32_t m)
{
    struct pdump_cost cost = pdump_snapshot_metric(s, m)->cost;

    if (s->head->is_subtracted)
        return cost;
    return (struct pdump_cost){ .inside = m > 0 ? cost.inside : 0 };
}

/* Sets the cost of items whose visits cost more than those of plain regions.
 */
static void find_costs(const struct pdump_snapshot *s,
                       struct pdump_snapshot_nodes *items)
{
    for (int i = 1; i < items->n; i++) {
        const struct pdump_node *node =
            pdump_store_at(s->base, items->list[i].ref);
        int64_t inside,
            all = pdump_snapshot_visit_cost(s, node->region, &inside);

        items->list[i].own = (struct pdump_cost){ all, all, inside };
    }
}

/* Corrects the measured figures. */
static int nodes_adjust(struct pdump_snapshot *s,
                        struct pdump_snapshot_nodes *items)
{
    int err = PDUMP_OK;

    if (s->head->is_subtracted)
        find_costs(s, items);
    for (uint32_t m = 0; m < s->n_metrics && err >= 0; m++) {
        const struct pdump_metric *metric = pdump_snapshot_metric(s, m);
        struct pdump_cost cost = taken_off(s, m);

        if (metric->kind != PDUMP_COUNTER ||
            pdump_metric_may_decrease(metric->name))
            continue;
        if (m > 0 && items->is_estimated)
            err = pdump_snapshot_fit(items, m);
        if (err >= 0 && (cost.counted || cost.timed || cost.inside))
            err = pdump_snapshot_subtract(items, m, cost);
        if (err >= 0 && m > 0 && pdump_source_is_cpu_time(metric->name)) {
            struct pdump_snapshot_cut cut =
                pdump_snapshot_bound(items, m, s->scale[0] / s->scale[m]);

            s->cut_rows += cut.rows;
            s->cut_ns += cut.sum * s->scale[m];
        }
    }
    return err;
}

static enum pdump_group group_of(const struct pdump_snapshot *s,
                                 const struct pdump_snapshot_nodes *items,
                                 int i)
{
    const struct pdump_node *node = pdump_store_at(s->base, items->list[i].ref);
    const struct pdump_region_record *region =
        pdump_store_at(s->base, node->region);

    return region->group;
}

/* If a region begins in one function and ends in another, its visit is moved to
 * another node (frame_reorder.h).  The node where it began gets no row. */
static void find_empty(const struct pdump_snapshot *s,
                       struct pdump_snapshot_nodes *items)
{
    for (int i = 1; i < items->n; i++)
        items->list[i].is_empty =
            !items->list[i].visits && !items->list[i].open &&
            (group_of(s, items, i) == PDUMP_GROUP_FUNCTION ||
             (items->list[i].parent > 0 &&
              group_of(s, items, items->list[i].parent) ==
                  PDUMP_GROUP_FUNCTION));
    for (int i = items->n - 1; i > 0; i--)
        if (!items->list[i].is_empty)
            items->list[items->list[i].parent].is_empty = false;
}

static int by_builder_node(const void *a, const void *b)
{
    const struct pdump_snapshot_node_row *x =
        *(struct pdump_snapshot_node_row *const *)a;
    const struct pdump_snapshot_node_row *y =
        *(struct pdump_snapshot_node_row *const *)b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x > y) - (x < y);
}

static void unite_stats(struct pdump_snapshot_nodes *items, int all, int one)
{
    for (uint32_t m = 0; m < items->n_stats; m++)
        pdump_snapshot_nodes_unite(&pdump_snapshot_nodes_stats(items, all)[m],
                                   &pdump_snapshot_nodes_stats(items, one)[m]);
}

/* Two regions of the store may be one region of the dump, as clones of a
 * function are.  Then their nodes are united. */
static int unite_twins(struct pdump_snapshot_nodes *items)
{
    struct pdump_snapshot_node_row **sorted =
        calloc((size_t)items->n, sizeof(struct pdump_snapshot_node_row *));
    int first = 0;

    if (!sorted)
        return pdump_no_memory();
    for (int i = 0; i < items->n; i++)
        sorted[i] = &items->list[i];
    qsort(sorted, (size_t)items->n, sizeof(struct pdump_snapshot_node_row *),
          by_builder_node);
    for (int i = 1; i < items->n; i++) {
        struct pdump_snapshot_node_row *item = sorted[i], *one = sorted[first];

        if (item->node != one->node) {
            first = i;
            continue;
        }
        item->is_twin = true;
        one->is_empty &= item->is_empty;
        one->visits += item->visits;
        one->read |= item->read;
        if (!one->open)
            one->open = item->open;
        unite_stats(items, (int)(one - items->list), (int)(item - items->list));
    }
    free(sorted);
    return PDUMP_OK;
}

int pdump_snapshot_nodes_settle(struct pdump_snapshot *s,
                                struct pdump_snapshot_nodes *items)
{
    int err = roll_up(s, items);

    if (err >= 0)
        err = nodes_adjust(s, items);
    if (err >= 0 && s->has_functions) {
        find_empty(s, items);
        err = unite_twins(items);
    }
    return err;
}
