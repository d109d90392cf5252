/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the statistics over ranks of a CSV dump: a line per node and metric. */
#include "read/csv_layout.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the metric of a line, or -1 for the visits.  The first line of a node
 * with the name of the visits is that of its visits, whatever the metrics are
 * called. */
static int find_metric(const struct pdump_csv_load *load,
                       const struct pdump_columns *columns, bool *has_visits,
                       int *out)
{
    const char *name = pdump_columns_text(columns, PDUMP_COLUMN_METRIC);

    *out = -1;
    if (!*has_visits && strcmp(name, PDUMP_CSV_VISITS) == 0) {
        *has_visits = true;
        return PDUMP_OK;
    }
    for (int m = 0; m < load->n_metrics; m++)
        if (strcmp(load->metrics[m].name, name) == 0) {
            *out = m;
            return PDUMP_OK;
        }
    return pdump_csv_fail(&columns->csv, "there is no metric '%.80s'", name);
}

/* Reads a number that must be present if any rank has a value. */
static int column_need(const struct pdump_columns *columns,
                       enum pdump_column column, int64_t max, int64_t *out)
{
    int err = pdump_columns_int(columns, column, -max, max, PDUMP_MISSING, out);

    if (err == PDUMP_OK && *out == PDUMP_MISSING)
        err = pdump_csv_fail(&columns->csv, "a figure of the ranks is missing");
    return err;
}

static int read_figures(const struct pdump_columns *columns,
                        struct pdump_dump_rank_stat *stat)
{
    int64_t least = 0, most = 0;
    int err = pdump_columns_int(columns, PDUMP_COLUMN_RANKS, 0, INT64_MAX, 0,
                                &stat->n);

    if (err < 0 || stat->n == 0)
        return err;
    err = column_need(columns, PDUMP_COLUMN_SUM, INT64_MAX, &stat->sum);
    if (err == PDUMP_OK)
        err = column_need(columns, PDUMP_COLUMN_MIN, INT64_MAX, &stat->min);
    if (err == PDUMP_OK)
        err = column_need(columns, PDUMP_COLUMN_MAX, INT64_MAX, &stat->max);
    if (err == PDUMP_OK)
        err = column_need(columns, PDUMP_COLUMN_RANK_OF_MIN, INT_MAX, &least);
    if (err == PDUMP_OK)
        err = column_need(columns, PDUMP_COLUMN_RANK_OF_MAX, INT_MAX, &most);
    if (err == PDUMP_OK)
        err = pdump_csv_real(&columns->csv,
                             pdump_columns_text(columns, PDUMP_COLUMN_SUMSQ),
                             "sumsq", &stat->sumsq);
    stat->rank_of_min = (int)least;
    stat->rank_of_max = (int)most;
    return err;
}

static int read_line(struct pdump_csv_load *load,
                     const struct pdump_columns *columns, bool *has_visits)
{
    struct pdump_dump_rank_stat stat = { 0 };
    int node = 0, metric = -1;
    int err = pdump_columns_some_node(columns, load, &node);

    if (err == PDUMP_OK)
        err = find_metric(load, columns, &has_visits[node], &metric);
    if (err == PDUMP_OK)
        err = read_figures(columns, &stat);
    return err < 0 ? err : pdump_builder_stat(load->b, metric, node, &stat);
}

static int read_lines(struct pdump_csv_load *load,
                      struct pdump_columns *columns)
{
    static const enum pdump_column needed[] = {
        PDUMP_COLUMN_NODE, PDUMP_COLUMN_METRIC, PDUMP_COLUMN_RANKS,
        PDUMP_COLUMN_SUM,  PDUMP_COLUMN_MIN,    PDUMP_COLUMN_MAX,
    };
    bool *has_visits = calloc((size_t)load->n_nodes + 1, sizeof(*has_visits));
    int64_t n = 0;
    int err =
        has_visits ? pdump_columns_need(columns, needed, 6) : pdump_no_memory();

    for (; err >= 0 && (err = pdump_columns_next(columns)) > 0; n++)
        err = read_line(load, columns, has_visits);
    free(has_visits);
    if (err == 0 && n != load->n_stats)
        err = pdump_csv_fail(
            &columns->csv, "%lld lines, but the %s beside it says %lld",
            (long long)n, PDUMP_CSV_META, (long long)load->n_stats);
    return err;
}

int pdump_csv_load_stats(struct pdump_csv_load *load, const char *path)
{
    struct pdump_columns columns = { 0 };
    int err;

    if (load->n_stats == 0)
        return PDUMP_OK; /* if the file exists, it is of another run */
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return pdump_builder_warning(
            load->b, "the file of the statistics over ranks is missing", 1);
    err = pdump_columns_open(&columns, load, path);
    if (err == PDUMP_OK)
        err = read_lines(load, &columns);
    pdump_columns_close(&columns);
    return err;
}
