/* SPDX-License-Identifier: BSD-3-Clause */
/* Aggregates a dump for reading: makes the items and their figures. */
#include "report/view/view.h"

#include <stdlib.h>
#include <string.h>

/* Data that is only needed while a view is made. */
struct maker {
    struct pdump_view *view;
    bool is_flat;
    bool by_thread;
    int capacity; /* of view->items */
    int *key_of;  /* by region, if flat: the region that stands for it */
    int *item_of; /* by node, or by region if flat; -1: none yet */
    int *path;    /* nodes without an item, from one upwards */
    int *heading; /* by row, -1: none */
    int64_t *run; /* by item: sum of the current thread */
    int *runner;  /* by item: the current thread */
};

static int add_item(struct maker *m, int parent, int region, int node,
                    int thread)
{
    struct pdump_view *v = m->view;
    struct pdump_view_item *item;

    if (v->n_items == m->capacity) {
        int capacity = m->capacity ? 2 * m->capacity : 64;

        item = realloc(v->items, (size_t)capacity * sizeof(*item));
        if (!item)
            return pdump_no_memory();
        v->items = item;
        m->capacity = capacity;
    }
    item = &v->items[v->n_items];
    memset(item, 0, sizeof(*item));
    item->parent = parent;
    item->region = region;
    item->node = node;
    item->thread = thread;
    item->depth = parent < 0 ? 0 : v->items[parent].depth + 1;
    return v->n_items++;
}

/* Returns the item of a node.  Makes it if necessary, and those of its parents,
 * because a file may lack the rows of a parent. */
static int place_node(struct maker *m, int node, int heading, int thread)
{
    const struct pdump_dump_node *nodes = m->view->dump->nodes;
    int n = 0, item;

    while (node >= 0 && m->item_of[node] < 0) {
        m->path[n++] = node;
        node = nodes[node].parent;
    }
    item = node < 0 ? heading : m->item_of[node];
    while (n > 0) {
        node = m->path[--n];
        item = add_item(m, item, nodes[node].region, node, thread);
        if (item < 0)
            return item;
        m->item_of[node] = item;
    }
    return item;
}

static int place_region(struct maker *m, int region, int heading, int thread)
{
    int key = m->key_of[region];

    if (m->item_of[key] < 0)
        m->item_of[key] = add_item(m, heading, key, -1, thread);
    return m->item_of[key];
}

/* Forgets the items of the last thread, without visiting all others. */
static void forget(struct maker *m, int64_t from, int64_t to)
{
    const struct pdump_dump *dump = m->view->dump;

    for (int64_t r = from; r < to; r++) {
        int node = dump->rows[r].node;

        if (m->is_flat)
            m->item_of[m->key_of[dump->nodes[node].region]] = -1;
        for (; !m->is_flat && node >= 0 && m->item_of[node] >= 0;
             node = dump->nodes[node].parent)
            m->item_of[node] = -1;
    }
}

static int place_rows(struct maker *m)
{
    const struct pdump_dump *dump = m->view->dump;
    int heading = -1, thread = -1;
    int64_t first = 0;

    for (int64_t r = 0; r < dump->n_rows; r++) {
        int node = dump->rows[r].node;

        if (m->by_thread && (r == 0 || dump->rows[r].thread != thread)) {
            forget(m, first, r);
            first = r;
            thread = dump->rows[r].thread;
            heading = add_item(m, -1, -1, -1, thread);
            if (heading < 0)
                return heading;
        }
        m->heading[r] = heading;
        m->view->row_item[r] =
            m->is_flat
                ? place_region(m, dump->nodes[node].region, heading, thread)
                : place_node(m, node, heading, thread);
        if (m->view->row_item[r] < 0)
            return m->view->row_item[r];
    }
    return PDUMP_OK;
}

static bool has_stat(const struct pdump_dump *dump, int node)
{
    for (int m = 0; dump->stats && m <= dump->n_metrics; m++)
        if (dump->stats[m][node].n > 0)
            return true;
    return false;
}

/* Nodes that are only in the statistics also get an item. */
static int place_nodes(struct maker *m)
{
    const struct pdump_dump *dump = m->view->dump;
    int *place = malloc(((size_t)dump->n_nodes + 1) * sizeof(*place));

    m->view->node_item = place;
    if (!place)
        return pdump_no_memory();
    for (int node = 0; node < dump->n_nodes; node++) {
        int region = dump->nodes[node].region;

        if (has_stat(dump, node)) {
            int item = m->is_flat ? place_region(m, region, -1, -1)
                                  : place_node(m, node, -1, -1);

            if (item < 0)
                return item;
        }
    }
    for (int node = 0; node < dump->n_nodes; node++)
        place[node] =
            m->item_of[m->is_flat ? m->key_of[dump->nodes[node].region] : node];
    return PDUMP_OK;
}

/* Rows of one thread share an item only in the flat view.  The walk ends at the
 * next visit of the region, so recursion makes it short. */
static void find_repeated(struct maker *m)
{
    const struct pdump_dump_row *rows = m->view->dump->rows;

    for (int64_t r = 0; m->is_flat && r < m->view->dump->n_rows; r++) {
        int64_t up = rows[r].parent;

        while (up >= 0 && m->view->row_item[up] != m->view->row_item[r])
            up = rows[up].parent;
        m->view->is_repeated[r] = up >= 0;
    }
}

static void count_visits(struct maker *m)
{
    const struct pdump_dump *dump = m->view->dump;

    for (int64_t r = 0; r < dump->n_rows; r++) {
        struct pdump_view_item *item = &m->view->items[m->view->row_item[r]];

        item->visits = pdump_missing_add(item->visits, dump->rows[r].visits);
        item->n_open += dump->rows[r].is_open;
    }
}

/* Adds the sum of a row to an item, and updates the largest sum of a thread. */
static void add_sum(struct maker *m, int item, int metric, int thread,
                    int64_t sum)
{
    struct pdump_view *v = m->view;
    struct pdump_view_value *value;

    if (sum == PDUMP_MISSING)
        return;
    value = &v->values[(size_t)item * (size_t)v->dump->n_metrics + metric];
    value->sum = pdump_missing_add(value->sum, sum);
    if (m->runner[item] != thread) {
        m->run[item] = PDUMP_MISSING;
        value->n_threads++;
    }
    m->runner[item] = thread;
    m->run[item] = pdump_missing_add(m->run[item], sum);
    value->most = pdump_missing_larger(value->most, m->run[item]);
}

/* Returns true if no row around it has a value.  Calls without counters have
 * none. */
static bool is_outermost(const struct pdump_dump *dump, const int64_t *sum,
                         int64_t row)
{
    int64_t around = dump->rows[row].parent;

    while (around >= 0 && sum[around] == PDUMP_MISSING)
        around = dump->rows[around].parent;
    return around < 0;
}

static void add_metric(struct maker *m, int metric)
{
    struct pdump_view *v = m->view;
    const struct pdump_dump *dump = v->dump;
    const struct pdump_dump_column *column = &dump->columns[metric];

    for (int i = 0; i < v->n_items; i++)
        m->runner[i] = -1;
    for (int64_t r = 0; r < dump->n_rows; r++) {
        const struct pdump_dump_row *row = &dump->rows[r];
        struct pdump_view_value *value =
            &v->values[(size_t)m->view->row_item[r] * (size_t)dump->n_metrics +
                       metric];

        value->self = pdump_missing_add(value->self, column->exclusive[r]);
        value->min = pdump_missing_smaller(value->min, column->min[r]);
        value->max = pdump_missing_larger(value->max, column->max[r]);
        if (!m->view->is_repeated[r])
            add_sum(m, m->view->row_item[r], metric, row->thread,
                    column->sum[r]);
        if (!is_outermost(dump, column->sum, r))
            continue;
        v->totals[metric] =
            pdump_missing_add(v->totals[metric], column->sum[r]);
        if (m->heading[r] >= 0)
            add_sum(m, m->heading[r], metric, row->thread, column->sum[r]);
    }
}

/* `below` has room for one denominator per item. */
static void add_derived(struct maker *m, int which, double *below)
{
    struct pdump_view *v = m->view;
    const struct pdump_derived *d = &v->derived[which];
    double *above = &v->figures[which];
    int n = v->n_derived;

    memset(below, 0, (size_t)v->n_items * sizeof(*below));
    for (int64_t r = 0; r < v->dump->n_rows; r++) {
        int item = m->view->row_item[r], heading = m->heading[r];

        if (!m->view->is_repeated[r])
            pdump_derived_add(d, v->dump, r, &above[(size_t)item * n],
                              &below[item]);
        if (v->dump->rows[r].parent < 0 && heading >= 0)
            pdump_derived_add(d, v->dump, r, &above[(size_t)heading * n],
                              &below[heading]);
    }
    for (int i = 0; i < v->n_items; i++)
        above[(size_t)i * n] =
            pdump_derived_value(d, above[(size_t)i * n], below[i]);
}

static int fill_view(struct maker *m)
{
    struct pdump_view *v = m->view;
    size_t n_items = (size_t)v->n_items;
    size_t n_values = n_items * (size_t)v->dump->n_metrics;
    double *below = calloc(n_items + 1, sizeof(*below));

    v->values = malloc((n_values + 1) * sizeof(*v->values));
    v->figures =
        calloc(n_items * (size_t)v->n_derived + 1, sizeof(*v->figures));
    m->run = malloc((n_items + 1) * sizeof(*m->run));
    m->runner = malloc((n_items + 1) * sizeof(*m->runner));
    if (!below || !v->values || !v->figures || !m->run || !m->runner) {
        free(below);
        return pdump_no_memory();
    }
    for (size_t i = 0; i < n_values; i++)
        v->values[i] = (struct pdump_view_value){
            PDUMP_MISSING, PDUMP_MISSING, PDUMP_MISSING,
            PDUMP_MISSING, PDUMP_MISSING, 0,
        };
    count_visits(m);
    for (int i = 0; i < v->dump->n_metrics; i++)
        add_metric(m, i);
    for (int i = 0; i < v->n_derived; i++)
        add_derived(m, i, below);
    free(below);
    return PDUMP_OK;
}

/* Allocates one element more than needed, because malloc(0) may return NULL. */
static int allocate_view(struct maker *m, const struct pdump_dump *dump)
{
    struct pdump_view *v = m->view;
    int n_keys = m->is_flat ? dump->n_regions : dump->n_nodes;
    size_t n_rows = (size_t)dump->n_rows + 1;

    m->item_of = malloc(((size_t)n_keys + 1) * sizeof(*m->item_of));
    m->path = malloc(((size_t)dump->n_nodes + 1) * sizeof(*m->path));
    m->heading = malloc(n_rows * sizeof(*m->heading));
    v->row_item = malloc(n_rows * sizeof(*v->row_item));
    v->is_repeated = calloc(n_rows, sizeof(*v->is_repeated));
    v->totals = malloc(((size_t)dump->n_metrics + 1) * sizeof(*v->totals));
    v->derived = malloc((size_t)pdump_derived_count() * sizeof(*v->derived));
    if (!m->item_of || !m->path || !m->heading || !v->row_item ||
        !v->is_repeated || !v->totals || !v->derived)
        return pdump_no_memory();
    for (int i = 0; i < n_keys; i++)
        m->item_of[i] = -1;
    for (int i = 0; i < dump->n_metrics; i++)
        v->totals[i] = PDUMP_MISSING;
    return m->is_flat ? pdump_view_keys(dump, v->flat_by, &m->key_of)
                      : PDUMP_OK;
}

static void free_maker(struct maker *m)
{
    free(m->item_of);
    free(m->key_of);
    free(m->path);
    free(m->heading);
    free(m->run);
    free(m->runner);
}

void pdump_view_free(struct pdump_view *view)
{
    if (!view)
        return;
    free(view->items);
    free(view->values);
    free(view->totals);
    free(view->derived);
    free(view->figures);
    free(view->shown);
    free(view->row_item);
    free(view->is_repeated);
    free(view->node_item);
    free(view);
}

/* Percentages are of the metric that is sorted by, or of time if that has no
 * sum. */
static int choose_key(const struct pdump_dump *dump,
                      const struct pdump_view_options *options)
{
    int time = pdump_dump_find_metric(dump, "time");
    int key = options->order <= PDUMP_VIEW_BY_SELF ? options->key : -1;

    if (key >= 0 && dump->metrics[key].kind != PDUMP_GAUGE)
        return key;
    return time;
}

int pdump_view_new(const struct pdump_dump *dump,
                   const struct pdump_view_options *options,
                   struct pdump_view **out)
{
    struct pdump_view *v = calloc(1, sizeof(*v));
    struct maker m = {
        .view = v,
        .is_flat = options->is_flat,
        .by_thread = options->by_thread,
    };
    int err;

    if (!v)
        return pdump_no_memory();
    v->dump = dump;
    v->is_flat = options->is_flat;
    v->flat_by = options->flat_by;
    v->is_brief = options->is_brief;
    v->key = choose_key(dump, options);
    err = allocate_view(&m, dump);
    if (!err) {
        v->n_derived =
            pdump_derived_find(dump, v->derived, pdump_derived_count());
        err = place_rows(&m);
    }
    if (!err && !m.by_thread)
        err = place_nodes(&m);
    if (!err) {
        find_repeated(&m);
        err = fill_view(&m);
    }
    if (!err && dump->stats && !m.by_thread)
        err = pdump_view_use_stats(v);
    if (!err)
        err = pdump_view_arrange(v, options);
    free_maker(&m);
    if (err) {
        pdump_view_free(v);
        return err;
    }
    *out = v;
    return PDUMP_OK;
}
