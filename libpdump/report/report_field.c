/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a report for programs, and their values. */
#include "report/report_field.h"
#include "report/report_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_LEN = 4097,
    LEVELS_MAX = 1000, /* in a path */
    N_FIXED = 16,
    N_PER_METRIC = 12,
};

/* Names of columns; one with a dot in front follows the name of the metric. */
static const char *const names[] = {
    [PDUMP_COLUMN_OF_RANK] = "rank",
    [PDUMP_COLUMN_OF_PID] = "pid",
    [PDUMP_COLUMN_OF_THREAD] = "thread",
    [PDUMP_COLUMN_OF_PATH] = "path",
    [PDUMP_COLUMN_OF_REGION] = "region",
    [PDUMP_COLUMN_OF_FILE] = "file",
    [PDUMP_COLUMN_OF_LINE] = "line",
    [PDUMP_COLUMN_OF_DEPTH] = "depth",
    [PDUMP_COLUMN_OF_OPEN] = "open",
    [PDUMP_COLUMN_OF_VISITS] = "visits",
    [PDUMP_COLUMN_OF_PERCENT] = "percent",
    [PDUMP_COLUMN_OF_SUM] = ".sum",
    [PDUMP_COLUMN_OF_SELF] = ".self",
    [PDUMP_COLUMN_OF_HIGHEST] = ".max",
    [PDUMP_COLUMN_OF_THREADS] = ".threads",
    [PDUMP_COLUMN_OF_MOST_OF_THREADS] = ".max_thread",
    [PDUMP_COLUMN_OF_THREAD_IMBALANCE] = ".thread_imbalance",
    [PDUMP_COLUMN_OF_RANKS] = ".ranks",
    [PDUMP_COLUMN_OF_MEAN] = ".mean",
    [PDUMP_COLUMN_OF_LEAST] = ".min",
    [PDUMP_COLUMN_OF_MOST] = ".max",
    [PDUMP_COLUMN_OF_STDDEV] = ".stddev",
    [PDUMP_COLUMN_OF_IMBALANCE] = ".imbalance",
    [PDUMP_COLUMN_OF_RANK_OF_LEAST] = ".rank_of_min",
    [PDUMP_COLUMN_OF_RANK_OF_MOST] = ".rank_of_max",
    [PDUMP_COLUMN_OF_ONE] = ".rank_",
    [PDUMP_COLUMN_OF_DERIVED] = "",
};

static bool is_plain_number(enum pdump_report_field_kind kind)
{
    return kind == PDUMP_COLUMN_OF_THREADS ||
           kind == PDUMP_COLUMN_OF_THREAD_IMBALANCE ||
           kind == PDUMP_COLUMN_OF_RANKS || kind == PDUMP_COLUMN_OF_IMBALANCE ||
           kind == PDUMP_COLUMN_OF_RANK_OF_LEAST ||
           kind == PDUMP_COLUMN_OF_RANK_OF_MOST;
}

static int add_field(const struct pdump_report_page *page,
                     struct pdump_report_fields *fields,
                     enum pdump_report_field_kind kind, int index, int one)
{
    const struct pdump_view *v = page->view;
    struct pdump_report_field *field = &fields->list[fields->n];
    const char *metric = "", *name = names[kind];
    char number[16] = "";

    *field = (struct pdump_report_field){ kind, index, one, NULL, "" };
    if (kind == PDUMP_COLUMN_OF_DERIVED) {
        metric = v->derived[index].recipe->name;
        field->unit = v->derived[index].recipe->unit;
    } else if (kind >= PDUMP_COLUMN_OF_SUM) {
        metric = v->dump->metrics[index].name;
        field->unit = is_plain_number(kind) ? "" : v->dump->metrics[index].unit;
    }
    if (kind == PDUMP_COLUMN_OF_ONE) {
        name = page->runs ? ".run_" : name;
        snprintf(number, sizeof(number), "%d", page->ranks->list.number[one]);
    }
    if (asprintf(&field->name, "%s%s%s", metric, name, number) < 0)
        return pdump_no_memory();
    fields->n++;
    return PDUMP_OK;
}

static int add_place(const struct pdump_report_page *page,
                     struct pdump_report_fields *fields)
{
    const struct pdump_view *v = page->view;
    bool is_file = v->is_flat && v->flat_by == PDUMP_VIEW_FILES;
    const bool wanted[] = {
        [PDUMP_COLUMN_OF_RANK] = !v->node_item,
        [PDUMP_COLUMN_OF_PID] = !v->node_item,
        [PDUMP_COLUMN_OF_THREAD] = !v->node_item,
        [PDUMP_COLUMN_OF_PATH] = !v->is_flat,
        [PDUMP_COLUMN_OF_REGION] = !is_file,
        [PDUMP_COLUMN_OF_FILE] = true,
        [PDUMP_COLUMN_OF_LINE] = !is_file,
        [PDUMP_COLUMN_OF_DEPTH] = !v->is_flat,
        [PDUMP_COLUMN_OF_OPEN] = true,
        [PDUMP_COLUMN_OF_VISITS] = true,
        [PDUMP_COLUMN_OF_PERCENT] = v->key >= 0,
    };
    int err = PDUMP_OK;

    for (int kind = 0; err >= 0 && kind <= PDUMP_COLUMN_OF_PERCENT; kind++)
        if (wanted[kind])
            err = add_field(page, fields, (enum pdump_report_field_kind)kind,
                            -1, -1);
    return err;
}

static bool has_metric(const struct pdump_report_fields *fields, int metric)
{
    for (int i = 0; i < fields->n; i++)
        if (fields->list[i].kind >= PDUMP_COLUMN_OF_SUM &&
            fields->list[i].kind != PDUMP_COLUMN_OF_DERIVED &&
            fields->list[i].index == metric)
            return true;
    return false;
}

static int add_metric(const struct pdump_report_page *page,
                      struct pdump_report_fields *fields, int metric)
{
    const struct pdump_dump *dump = page->view->dump;
    bool is_gauge = dump->metrics[metric].kind == PDUMP_GAUGE;
    bool has_threads = !page->ranks && page->view->node_item && !is_gauge &&
                       dump->n_threads > 1;
    int err = PDUMP_OK;

    if (has_metric(fields, metric))
        return PDUMP_OK;
    if (!is_gauge)
        err = add_field(page, fields, PDUMP_COLUMN_OF_SUM, metric, -1);
    if (err >= 0 && !is_gauge)
        err = add_field(page, fields, PDUMP_COLUMN_OF_SELF, metric, -1);
    if (err >= 0 && is_gauge && !page->ranks)
        err = add_field(page, fields, PDUMP_COLUMN_OF_HIGHEST, metric, -1);
    for (int kind = PDUMP_COLUMN_OF_THREADS;
         err >= 0 && has_threads && kind <= PDUMP_COLUMN_OF_THREAD_IMBALANCE;
         kind++)
        err = add_field(page, fields, (enum pdump_report_field_kind)kind,
                        metric, -1);
    for (int kind = PDUMP_COLUMN_OF_RANKS;
         err >= 0 && page->ranks && kind <= PDUMP_COLUMN_OF_RANK_OF_MOST;
         kind++)
        err = add_field(page, fields, (enum pdump_report_field_kind)kind,
                        metric, -1);
    for (int i = 0; err >= 0 && page->by_rank &&
                    metric == page->ranks->metric && i < page->ranks->list.n;
         i++)
        err = add_field(page, fields, PDUMP_COLUMN_OF_ONE, metric, i);
    return err;
}

/* Time comes first, as in the table; then the metrics that were asked for, or
 * all. */
static int add_metrics(const struct pdump_report_page *page,
                       const struct pdump_report_options *options,
                       struct pdump_report_fields *fields)
{
    const struct pdump_view *v = page->view;
    int time = pdump_dump_find_metric(v->dump, "time");
    int err = time >= 0 ? add_metric(page, fields, time) : PDUMP_OK;

    for (int i = 0; err >= 0 && i < options->n_metrics; i++)
        err = options->metrics[i].is_derived
                  ? add_field(page, fields, PDUMP_COLUMN_OF_DERIVED,
                              options->metrics[i].index, -1)
                  : add_metric(page, fields, options->metrics[i].index);
    for (int m = 0; err >= 0 && !options->metrics && m < v->dump->n_metrics;
         m++)
        err = add_metric(page, fields, m);
    for (int i = 0; err >= 0 && !options->metrics && i < v->n_derived; i++)
        err = add_field(page, fields, PDUMP_COLUMN_OF_DERIVED, i, -1);
    return err;
}

int pdump_report_fields_make(const struct pdump_report_page *page,
                             const struct pdump_report_options *options,
                             struct pdump_report_fields *out)
{
    const struct pdump_view *v = page->view;
    size_t n = N_FIXED + (size_t)v->n_derived + (size_t)options->n_metrics +
               N_PER_METRIC * (size_t)v->dump->n_metrics +
               (page->by_rank ? (size_t)page->ranks->list.n : 0);
    int err;

    *out = (struct pdump_report_fields){ .list = NULL };
    out->list = malloc(n * sizeof(*out->list));
    out->path = malloc(PATH_LEN);
    if (!out->list || !out->path)
        return pdump_no_memory();
    err = add_place(page, out);
    return err < 0 ? err : add_metrics(page, options, out);
}

void pdump_report_fields_free(struct pdump_report_fields *fields)
{
    for (int i = 0; i < fields->n; i++)
        free(fields->list[i].name);
    free(fields->list);
    free(fields->path);
}

static void put_text(struct pdump_report_value *out, const char *text)
{
    out->kind = PDUMP_VALUE_TEXT;
    out->text = text;
}

static void put_whole(struct pdump_report_value *out, int64_t value)
{
    out->kind = PDUMP_VALUE_WHOLE;
    out->whole = value;
}

static void put_real(struct pdump_report_value *out, double value)
{
    out->kind = PDUMP_VALUE_REAL;
    out->real = value;
}

/* Limits the levels: otherwise a deep recursion would write text that grows
 * with the square of its depth. */
static void make_path(const struct pdump_dump *dump, int node, char *path)
{
    const char *name = dump->regions[dump->nodes[node].region].name;
    int depth = dump->nodes[node].depth;

    if (depth > LEVELS_MAX ||
        pdump_dump_node_path(dump, node, path, PATH_LEN) >= PATH_LEN)
        snprintf(path, PATH_LEN, "...%d levels.../%s", depth, name);
}

static void place_value(const struct pdump_report_page *page,
                        const struct pdump_report_fields *fields,
                        enum pdump_report_field_kind kind,
                        const struct pdump_view_item *item,
                        struct pdump_report_value *out)
{
    static const struct pdump_dump_region none = { "", "", "", 0 };
    const struct pdump_dump *dump = page->view->dump;
    const struct pdump_dump_region *region =
        item->region < 0 ? &none : &dump->regions[item->region];
    const struct pdump_dump_thread *thread =
        item->thread < 0 ? NULL : &dump->threads[item->thread];

    fields->path[0] = '\0';
    if (kind == PDUMP_COLUMN_OF_RANK)
        put_whole(out, dump->processes[thread->process].rank);
    else if (kind == PDUMP_COLUMN_OF_PID)
        put_whole(out, dump->processes[thread->process].pid);
    else if (kind == PDUMP_COLUMN_OF_THREAD)
        put_whole(out, thread->number);
    else if (kind == PDUMP_COLUMN_OF_REGION)
        put_text(out, region->name);
    else if (kind == PDUMP_COLUMN_OF_FILE)
        put_text(out, region->file);
    else if (kind == PDUMP_COLUMN_OF_LINE)
        put_whole(out, region->line);
    else if (kind == PDUMP_COLUMN_OF_DEPTH)
        put_whole(out, item->depth);
    else if (kind == PDUMP_COLUMN_OF_OPEN)
        put_whole(out, item->n_open);
    else if (kind == PDUMP_COLUMN_OF_VISITS)
        put_whole(out, item->region < 0 ? PDUMP_MISSING : item->visits);
    else {
        if (item->node >= 0)
            make_path(dump, item->node, fields->path);
        put_text(out, fields->path);
    }
}

static void rank_value(const struct pdump_report_page *page,
                       const struct pdump_report_field *field, int item,
                       struct pdump_report_value *out)
{
    const struct pdump_dump_rank_stat *stat =
        pdump_view_ranks_stat(page->view, page->ranks, item, field->index);
    bool has = stat->n > 0;

    switch (field->kind) {
    case PDUMP_COLUMN_OF_RANKS:
        put_whole(out, stat->n);
        return;
    case PDUMP_COLUMN_OF_MEAN:
        put_real(out, has ? pdump_rank_stat_mean(stat) : NAN);
        return;
    case PDUMP_COLUMN_OF_LEAST:
        put_whole(out, has ? stat->min : PDUMP_MISSING);
        return;
    case PDUMP_COLUMN_OF_MOST:
        put_whole(out, has ? stat->max : PDUMP_MISSING);
        return;
    case PDUMP_COLUMN_OF_STDDEV:
        put_real(out, has ? pdump_rank_stat_stddev(stat) : NAN);
        return;
    case PDUMP_COLUMN_OF_IMBALANCE:
        put_real(out, has ? pdump_rank_stat_imbalance(stat) : NAN);
        return;
    case PDUMP_COLUMN_OF_RANK_OF_LEAST:
        put_whole(out, has ? stat->rank_of_min : PDUMP_MISSING);
        return;
    default:
        put_whole(out, has ? stat->rank_of_max : PDUMP_MISSING);
    }
}

void pdump_report_field_value(const struct pdump_report_page *page,
                              const struct pdump_report_fields *fields,
                              const struct pdump_report_field *field, int item,
                              struct pdump_report_value *out)
{
    const struct pdump_view *v = page->view;

    if (field->kind < PDUMP_COLUMN_OF_PERCENT)
        place_value(page, fields, field->kind, &v->items[item], out);
    else if (field->kind == PDUMP_COLUMN_OF_PERCENT)
        put_real(out, pdump_view_percent(v, item));
    else if (field->kind == PDUMP_COLUMN_OF_SUM)
        put_whole(out, pdump_view_value(v, item, field->index)->sum);
    else if (field->kind == PDUMP_COLUMN_OF_SELF)
        put_whole(out, pdump_view_value(v, item, field->index)->self);
    else if (field->kind == PDUMP_COLUMN_OF_HIGHEST)
        put_whole(out, pdump_view_value(v, item, field->index)->max);
    else if (field->kind == PDUMP_COLUMN_OF_THREADS)
        put_whole(out, pdump_view_value(v, item, field->index)->n_threads);
    else if (field->kind == PDUMP_COLUMN_OF_MOST_OF_THREADS)
        put_whole(out, pdump_view_value(v, item, field->index)->most);
    else if (field->kind == PDUMP_COLUMN_OF_THREAD_IMBALANCE)
        put_real(out, pdump_report_cell_imbalance(v, item, field->index));
    else if (field->kind == PDUMP_COLUMN_OF_DERIVED)
        put_real(out, v->figures[(size_t)item * (size_t)v->n_derived +
                                 (size_t)field->index]);
    else if (field->kind == PDUMP_COLUMN_OF_ONE)
        put_whole(
            out,
            page->ranks->values[(size_t)item * (size_t)page->ranks->list.n +
                                (size_t)field->one]);
    else
        rank_value(page, field, item, out);
}
