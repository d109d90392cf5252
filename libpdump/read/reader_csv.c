/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads CSV dumps: the profile, and its companion files if they exist. */
#include "read/csv_layout.h"
#include "read/csv_side.h"
#include "read/reader.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int find_thread(struct pdump_csv_load *load,
                       const struct pdump_columns *columns)
{
    struct pdump_dump_process process = { 0 };
    struct pdump_dump_thread thread = {
        .name = pdump_columns_text(columns, PDUMP_COLUMN_THREAD_NAME)
    };
    int64_t place, rank, n;
    int err;

    err = pdump_columns_int(columns, PDUMP_COLUMN_PROCESS, 0, INT_MAX,
                            PDUMP_MISSING, &place);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_RANK, INT_MIN, INT_MAX, 0,
                                &rank);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_PID, INT64_MIN, INT64_MAX,
                                0, &process.pid);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_THREAD, INT_MIN, INT_MAX,
                                0, &n);
    if (err < 0)
        return err;
    process.rank = (int)rank;
    thread.process = pdump_csv_load_process(load, place, &process);
    if (thread.process < 0)
        return thread.process;
    thread.number = (int)n;
    return pdump_csv_load_thread(load, &thread);
}

static int collect_node(struct pdump_csv_load *load,
                        const struct pdump_columns *columns)
{
    struct pdump_csv_node node = {
        .region = { .name = pdump_columns_text(columns, PDUMP_COLUMN_REGION),
                    .group = pdump_columns_text(columns, PDUMP_COLUMN_GROUP),
                    .file =
                        pdump_columns_text(columns, PDUMP_COLUMN_FILE_NAME) },
        .line = columns->csv.line,
    };
    int64_t line;
    int err = pdump_columns_int(columns, PDUMP_COLUMN_NODE, 0, INT64_MAX,
                                PDUMP_MISSING, &node.id);

    if (err == PDUMP_OK && node.id == PDUMP_MISSING)
        err = pdump_csv_fail(&columns->csv, "no node");
    /* Some programs write -1 for no parent. */
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_PARENT, -1, INT64_MAX, -1,
                                &node.parent);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_LINE, INT_MIN, INT_MAX, 0,
                                &line);
    if (err < 0)
        return err;
    if (node.parent < 0)
        node.parent = PDUMP_MISSING;
    node.region.line = (int)line;
    return pdump_csv_load_node(load, &columns->csv, &node);
}

/* The first pass collects metrics, processes, threads and nodes. */
static int columns_collect(struct pdump_csv_load *load,
                           struct pdump_columns *columns)
{
    int64_t n = 0;
    int err;

    for (; (err = pdump_columns_next(columns)) > 0; n++) {
        err = find_thread(load, columns);
        if (err >= 0)
            err = collect_node(load, columns);
        if (err < 0)
            return err;
    }
    if (err == 0 && load->has_meta && n != load->n_rows)
        err = pdump_csv_fail(
            &columns->csv, "%lld rows, but the %s beside it says %lld",
            (long long)n, PDUMP_CSV_META, (long long)load->n_rows);
    return err;
}

static int read_values(struct pdump_csv_load *load,
                       const struct pdump_columns *columns, int64_t row)
{
    for (int m = 0; m < load->n_metrics; m++) {
        int at = columns->figure[m][PDUMP_FIGURE_SUMSQ];
        int64_t figure[PDUMP_FIGURE_SUMSQ];
        double sumsq = NAN;
        int err = PDUMP_OK;

        for (int k = PDUMP_FIGURE_SUM;
             err == PDUMP_OK && k < PDUMP_FIGURE_SUMSQ; k++)
            err = pdump_columns_figure(columns, load, m, k, &figure[k]);
        if (err == PDUMP_OK && at >= 0)
            err = pdump_csv_real(&columns->csv, columns->csv.cells[at],
                                 load->metrics[m].name, &sumsq);
        if (err == PDUMP_OK)
            err = pdump_builder_value(load->b, row, m, figure[PDUMP_FIGURE_SUM],
                                      figure[PDUMP_FIGURE_MIN],
                                      figure[PDUMP_FIGURE_MAX], sumsq);
        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}

static int read_row(struct pdump_csv_load *load,
                    const struct pdump_columns *columns)
{
    int64_t visits, node, is_open = 0, row;
    int thread = find_thread(load, columns);
    int err = thread < 0 ? thread : PDUMP_OK;

    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_NODE, 0, INT64_MAX, -1,
                                &node);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_VISITS, 0, INT64_MAX, 0,
                                &visits);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_OPEN, 0, 1, 0, &is_open);
    if (err < 0)
        return err;
    row = pdump_builder_row(
        load->b, thread, (int)pdump_pair_index_find(&load->node_ids, node, 0),
        visits, is_open != 0);
    return row < 0 ? (int)row : read_values(load, columns, row);
}

/* The second pass reads the figures. */
static int read_rows(struct pdump_csv_load *load, struct pdump_columns *columns)
{
    int err = pdump_csv_rewind(&columns->csv);

    if (err == PDUMP_OK)
        err = pdump_columns_next(columns); /* skip the headings */
    while (err >= 0 && (err = pdump_columns_next(columns)) > 0)
        err = read_row(load, columns);
    return err;
}

static int read_profile(struct pdump_csv_load *load,
                        struct pdump_columns *columns)
{
    static const enum pdump_column needed[] = { PDUMP_COLUMN_NODE,
                                                PDUMP_COLUMN_REGION,
                                                PDUMP_COLUMN_VISITS };
    int err = pdump_columns_need(columns, needed, 3);

    if (err == PDUMP_OK && !load->has_meta)
        err = pdump_columns_guess_metrics(columns, load);
    if (err == PDUMP_OK)
        err = pdump_columns_find_figures(columns, load, true);
    if (err == PDUMP_OK)
        err = columns_collect(load, columns);
    if (err == PDUMP_OK)
        err = pdump_csv_load_build_nodes(load, &columns->csv);
    if (err == PDUMP_OK)
        err = read_rows(load, columns);
    return err;
}

static int read_sample(struct pdump_csv_load *load,
                       const struct pdump_columns *columns, int64_t *values)
{
    struct pdump_dump_sample sample = { .thread = find_thread(load, columns) };
    int err = sample.thread < 0 ? sample.thread : PDUMP_OK;

    if (err == PDUMP_OK)
        err = pdump_columns_some_node(columns, load, &sample.node);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_NUMBER, INT64_MIN,
                                INT64_MAX, 0, &sample.number);
    if (err == PDUMP_OK)
        err = pdump_columns_int(columns, PDUMP_COLUMN_START, INT64_MIN,
                                INT64_MAX, 0, &sample.start);
    for (int m = 0; err == PDUMP_OK && m < load->n_metrics; m++)
        err = pdump_columns_figure(columns, load, m, PDUMP_FIGURE_SUM,
                                   &values[m]);
    if (err < 0)
        return err;
    return pdump_builder_sample(load->b, &sample, values);
}

static int read_samples(struct pdump_csv_load *load,
                        struct pdump_columns *columns)
{
    static const enum pdump_column needed[] = { PDUMP_COLUMN_NODE,
                                                PDUMP_COLUMN_NUMBER };
    int64_t *values = malloc(((size_t)load->n_metrics + 1) * sizeof(*values));
    int64_t n = 0;
    int err = values ? PDUMP_OK : pdump_no_memory();

    if (err == PDUMP_OK)
        err = pdump_columns_need(columns, needed, 2);
    if (err == PDUMP_OK)
        err = pdump_columns_find_figures(columns, load, false);
    for (; err >= 0 && (err = pdump_columns_next(columns)) > 0; n++)
        err = read_sample(load, columns, values);
    free(values);
    if (err == 0 && load->has_meta && n != load->n_samples)
        err = pdump_csv_fail(
            &columns->csv, "%lld samples, but the %s beside it says %lld",
            (long long)n, PDUMP_CSV_META, (long long)load->n_samples);
    return err;
}

/* Returns the name of a companion file: `suffix` replaces the ending, whatever
 * that is.  Given: free(). */
static char *companion_name(const char *path, const char *suffix)
{
    size_t len = pdump_csv_stem(path);
    char *name = malloc(len + strlen(suffix) + 1);

    if (name) {
        memcpy(name, path, len);
        strcpy(name + len, suffix);
    }
    return name;
}

static int load_samples(struct pdump_csv_load *load, const char *path)
{
    struct pdump_columns columns = { 0 };
    int err;

    if (load->has_meta && load->n_samples == 0)
        return PDUMP_OK; /* if the file exists, it is of another run */
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        char warning[160];

        if (!load->has_meta)
            return PDUMP_OK;
        snprintf(warning, sizeof(warning),
                 "the file of the %lld samples is missing",
                 (long long)load->n_samples);
        return pdump_builder_warning(load->b, warning, 1);
    }
    err = pdump_columns_open(&columns, load, path);
    if (err == PDUMP_OK)
        err = read_samples(load, &columns);
    pdump_columns_close(&columns);
    return err;
}

static int load_profile(struct pdump_csv_load *load, const char *path)
{
    struct pdump_columns columns = { 0 };
    int err = pdump_columns_open(&columns, load, path);

    if (err == PDUMP_OK)
        err = read_profile(load, &columns);
    pdump_columns_close(&columns);
    return err;
}

static int csv_read(const char *path, struct pdump_builder *b)
{
    struct pdump_csv_load load = { .b = b };
    char *meta = companion_name(path, PDUMP_CSV_META);
    char *samples = companion_name(path, PDUMP_CSV_SAMPLES);
    char *stats = companion_name(path, PDUMP_CSV_STATS);
    char *details = companion_name(path, PDUMP_CSV_DETAILS);
    char *events = companion_name(path, PDUMP_CSV_EVENTS);
    int err = meta && samples && stats && details && events
                  ? pdump_string_pool_new(&load.text)
                  : pdump_no_memory();

    if (err == PDUMP_OK)
        err = pdump_csv_load_meta(&load, meta);
    if (err == PDUMP_OK)
        err = load_profile(&load, path);
    if (err == PDUMP_OK)
        err = load_samples(&load, samples);
    if (err == PDUMP_OK)
        err = pdump_csv_load_stats(&load, stats);
    if (err == PDUMP_OK)
        err = pdump_csv_load_details(&load, details);
    if (err == PDUMP_OK)
        err = pdump_csv_load_events(&load, events);
    pdump_csv_load_free(&load);
    free(events);
    free(details);
    free(stats);
    free(samples);
    free(meta);
    return err;
}

/* Returns true if one of the cells of the first line is `cell`. */
static bool has_cell(const char *line, size_t len, const char *cell)
{
    size_t n = strlen(cell);

    for (size_t i = 0; i + n <= len; i++) {
        bool starts = i == 0 || line[i - 1] == ',' || line[i - 1] == '\xbf';
        bool ends = i + n == len || line[i + n] == ',' || line[i + n] == '\r';

        if (starts && ends && memcmp(line + i, cell, n) == 0)
            return true;
    }
    return false;
}

static bool csv_knows(const char *head, size_t len)
{
    const char *end = memchr(head, '\n', len);
    size_t n = end ? (size_t)(end - head) : len;

    return has_cell(head, n, "node") && has_cell(head, n, "region");
}

const struct pdump_reader pdump_reader_csv = {
    .name = "csv",
    .knows = csv_knows,
    .read = csv_read,
};
