/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the headings of a CSV file, and the cells below them. */
#include "read/reader_csv_private.h"

#include "read/csv_layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PDUMP_COLUMNS] = {
    [PDUMP_COLUMN_PROCESS] = "process",
    [PDUMP_COLUMN_RANK] = "rank",
    [PDUMP_COLUMN_PID] = "pid",
    [PDUMP_COLUMN_THREAD] = "thread",
    [PDUMP_COLUMN_THREAD_NAME] = "thread_name",
    [PDUMP_COLUMN_NODE] = "node",
    [PDUMP_COLUMN_PARENT] = "parent",
    [PDUMP_COLUMN_REGION] = "region",
    [PDUMP_COLUMN_GROUP] = "group",
    [PDUMP_COLUMN_FILE_NAME] = "file",
    [PDUMP_COLUMN_LINE] = "line",
    [PDUMP_COLUMN_OPEN] = "open",
    [PDUMP_COLUMN_VISITS] = "visits",
    [PDUMP_COLUMN_NUMBER] = "number",
    [PDUMP_COLUMN_START] = "start [ns]",
    [PDUMP_COLUMN_METRIC] = "metric",
    [PDUMP_COLUMN_RANKS] = "ranks",
    [PDUMP_COLUMN_SUM] = "sum",
    [PDUMP_COLUMN_MIN] = "min",
    [PDUMP_COLUMN_MAX] = "max",
    [PDUMP_COLUMN_SUMSQ] = "sumsq",
    [PDUMP_COLUMN_RANK_OF_MIN] = "rank_of_min",
    [PDUMP_COLUMN_RANK_OF_MAX] = "rank_of_max",
    [PDUMP_COLUMN_TABLE] = "table",
    [PDUMP_COLUMN_LABEL] = "label",
    [PDUMP_COLUMN_FIELD] = "field",
    [PDUMP_COLUMN_INDEX] = "index",
    [PDUMP_COLUMN_VALUE] = "value",
    [PDUMP_COLUMN_TIME] = "time [ns]",
    [PDUMP_COLUMN_KIND] = "kind",
    [PDUMP_COLUMN_WHAT] = "what",
    [PDUMP_COLUMN_TAG] = "tag",
};

static const char *const figures[PDUMP_FIGURES] = {
    [PDUMP_FIGURE_SUM] = ".sum",
    [PDUMP_FIGURE_MIN] = ".min",
    [PDUMP_FIGURE_MAX] = ".max",
    [PDUMP_FIGURE_SUMSQ] = ".sumsq",
};

static int find_heading(const struct pdump_columns *columns, const char *kept)
{
    return (int)pdump_pair_index_find(&columns->headings, (intptr_t)kept, 0);
}

static int read_headings(struct pdump_columns *columns,
                         struct pdump_csv_load *load)
{
    struct pdump_csv *csv = &columns->csv;
    int found = pdump_csv_next(csv);

    if (found < 0)
        return found;
    if (found == 0)
        return pdump_csv_fail(csv, "the file is empty");
    columns->n_cells = csv->n_cells;
    for (int i = 0; i < csv->n_cells; i++) {
        const char *heading;

        if (pdump_csv_load_keep(load, csv->cells[i], &heading) < 0)
            return PDUMP_ENOMEM;
        if (find_heading(columns, heading) >= 0)
            return pdump_csv_fail(csv, "column '%.80s' comes twice", heading);
        if (pdump_pair_index_put(&columns->headings, (intptr_t)heading, 0, i) <
            0)
            return PDUMP_ENOMEM;
    }
    for (int i = 0; i < PDUMP_COLUMNS; i++) {
        const char *heading;

        if (pdump_csv_load_keep(load, names[i], &heading) < 0)
            return PDUMP_ENOMEM;
        columns->at[i] = find_heading(columns, heading);
    }
    return PDUMP_OK;
}

int pdump_columns_need(const struct pdump_columns *columns,
                       const enum pdump_column *needed, int n)
{
    for (int i = 0; i < n; i++)
        if (columns->at[needed[i]] < 0)
            return pdump_csv_fail(&columns->csv, "no column '%s'",
                                  names[needed[i]]);
    return PDUMP_OK;
}

int pdump_columns_open(struct pdump_columns *columns,
                       struct pdump_csv_load *load, const char *path)
{
    int err = pdump_csv_open(&columns->csv, path);

    return err < 0 ? err : read_headings(columns, load);
}

void pdump_columns_close(struct pdump_columns *columns)
{
    pdump_csv_close(&columns->csv);
    pdump_pair_index_free(&columns->headings);
    free(columns->figure);
}

/* Splits "time.sum [ns]" in place, for files without a .meta.csv. */
static bool split_heading(char *heading, struct pdump_dump_metric *out)
{
    char *bracket = strstr(heading, " [");
    char *end = heading + strlen(heading);
    char *next;

    *out = (struct pdump_dump_metric){ .name = heading, .unit = "" };
    if (bracket && end[-1] == ']') {
        while ((next = strstr(bracket + 1, " [")))
            bracket = next;
        *--end = '\0';
        out->unit = bracket + 2;
        end = bracket;
        *end = '\0';
    }
    if (end - heading <= 4 || strcmp(end - 4, figures[PDUMP_FIGURE_SUM]) != 0)
        return false;
    end[-4] = '\0';
    return true;
}

int pdump_columns_guess_metrics(const struct pdump_columns *columns,
                                struct pdump_csv_load *load)
{
    for (int i = 0; i < columns->n_cells; i++) {
        char *heading = strdup(columns->csv.cells[i]);
        struct pdump_dump_metric metric;
        int err = PDUMP_OK;

        if (!heading)
            return pdump_no_memory();
        if (split_heading(heading, &metric))
            err = pdump_csv_load_metric(load, &metric);
        free(heading);
        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}

static int find_figure(const struct pdump_columns *columns,
                       struct pdump_csv_load *load, int metric,
                       const char *what, int *out)
{
    const char *pieces[PDUMP_CSV_PIECES];
    int n = pdump_csv_heading(&load->metrics[metric], what, pieces);
    size_t len = 0;
    const char *kept;
    char *heading;

    for (int i = 0; i < n; i++)
        len += strlen(pieces[i]);
    heading = malloc(len + 1);
    if (!heading)
        return pdump_no_memory();
    heading[0] = '\0';
    for (int i = 0; i < n; i++)
        strcat(heading, pieces[i]);
    kept = pdump_string_pool_keep(load->text, heading, len);
    *out = kept ? find_heading(columns, kept) : -1;
    free(heading);
    return kept ? PDUMP_OK : pdump_no_memory();
}

int pdump_columns_find_figures(struct pdump_columns *columns,
                               struct pdump_csv_load *load, bool is_profile)
{
    columns->figure =
        calloc((size_t)load->n_metrics + 1, sizeof(*columns->figure));
    if (!columns->figure)
        return pdump_no_memory();
    for (int m = 0; m < load->n_metrics; m++) {
        for (int k = 0; k < (is_profile ? PDUMP_FIGURES : 1); k++) {
            int err =
                find_figure(columns, load, m, is_profile ? figures[k] : "",
                            &columns->figure[m][k]);

            if (err < 0)
                return err;
        }
        if (columns->figure[m][PDUMP_FIGURE_SUM] < 0)
            return pdump_csv_fail(&columns->csv,
                                  "no column for metric %.80s [%.40s]",
                                  load->metrics[m].name, load->metrics[m].unit);
    }
    return PDUMP_OK;
}

int pdump_columns_next(struct pdump_columns *columns)
{
    int found = pdump_csv_next(&columns->csv);

    if (found > 0 && columns->csv.n_cells != columns->n_cells)
        return pdump_csv_fail(&columns->csv, "%d cells instead of %d",
                              columns->csv.n_cells, columns->n_cells);
    return found;
}

const char *pdump_columns_text(const struct pdump_columns *columns,
                               enum pdump_column column)
{
    int at = columns->at[column];

    return at < 0 ? "" : columns->csv.cells[at];
}

int pdump_columns_int(const struct pdump_columns *columns,
                      enum pdump_column column, int64_t min, int64_t max,
                      int64_t fallback, int64_t *out)
{
    int err = pdump_csv_int(&columns->csv, pdump_columns_text(columns, column),
                            names[column], out);

    if (err < 0)
        return err;
    if (*out == PDUMP_MISSING)
        *out = fallback;
    else if (*out < min || *out > max)
        return pdump_csv_fail(&columns->csv, "column %s: %lld is out of range",
                              names[column], (long long)*out);
    return PDUMP_OK;
}

int pdump_columns_figure(const struct pdump_columns *columns,
                         const struct pdump_csv_load *load, int metric,
                         enum pdump_figure figure, int64_t *out)
{
    int at = columns->figure[metric][figure];

    *out = PDUMP_MISSING;
    if (at < 0)
        return PDUMP_OK;
    return pdump_csv_int(&columns->csv, columns->csv.cells[at],
                         load->metrics[metric].name, out);
}

int pdump_columns_thread(const struct pdump_columns *in,
                         const struct pdump_csv_load *load, int *out)
{
    int64_t process, number, at;
    int err = pdump_columns_int(in, PDUMP_COLUMN_PROCESS, 0, INT_MAX,
                                PDUMP_MISSING, &process);

    *out = -1;
    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_THREAD, INT_MIN, INT_MAX, 0,
                                &number);
    if (err < 0 || process == PDUMP_MISSING)
        return err;
    at = pdump_pair_index_find(&load->processes, process, 0);
    if (at >= 0)
        at = pdump_pair_index_find(&load->threads, at, number);
    if (at < 0)
        return pdump_csv_fail(&in->csv,
                              "there is no thread %lld of process "
                              "%lld",
                              (long long)number, (long long)process);
    *out = (int)at;
    return PDUMP_OK;
}

int pdump_columns_node(const struct pdump_columns *in,
                       const struct pdump_csv_load *load, int *out)
{
    int64_t id, node;
    int err = pdump_columns_int(in, PDUMP_COLUMN_NODE, 0, INT64_MAX,
                                PDUMP_MISSING, &id);

    *out = -1;
    if (err < 0 || id == PDUMP_MISSING)
        return err;
    node = pdump_pair_index_find(&load->node_ids, id, 0);
    if (node < 0)
        return pdump_csv_fail(&in->csv, "there is no node %lld", (long long)id);
    *out = (int)node;
    return PDUMP_OK;
}

int pdump_columns_some_node(const struct pdump_columns *in,
                            const struct pdump_csv_load *load, int *out)
{
    int err = pdump_columns_node(in, load, out);

    if (err == PDUMP_OK && *out < 0)
        return pdump_csv_fail(&in->csv, "there is no node -1");
    return err;
}
