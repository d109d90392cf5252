/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `pdump report`. */
#include "report/report_request.h"
#include "common/load.h"
#include "common/newest.h"

#include <stdlib.h>
#include <string.h>

enum { PIPE_WIDTH = 120 }; /* of a page that is not for a terminal */

static int take_whole(const struct report_request *q, const char *name,
                      const char *text, int low, int *out)
{
    double number;

    if (!command_number(text, low, 1e6, &number) || number != (int)number)
        return command_usage(q->self,
                             "--%s takes a whole number from %d to 1000000, "
                             "not \"%s\"",
                             name, low, text);
    *out = (int)number;
    return COMMAND_OK;
}

static int take_flat(struct report_request *q, enum pdump_view_flat by)
{
    q->view.is_flat = true;
    q->view.flat_by = by;
    return COMMAND_OK;
}

static int take_by_word(struct report_request *q, const char *word)
{
    if (strcmp(word, "region") == 0)
        return take_flat(q, PDUMP_VIEW_REGIONS);
    if (strcmp(word, "function") == 0)
        return take_flat(q, PDUMP_VIEW_FUNCTIONS);
    if (strcmp(word, "file") == 0)
        return take_flat(q, PDUMP_VIEW_FILES);
    if (strcmp(word, "rank") == 0)
        q->look.by_rank = true;
    else if (strcmp(word, "run") == 0)
        q->by_run = true;
    else if (strcmp(word, "thread") == 0)
        q->view.by_thread = true;
    else
        return command_usage(q->self,
                             "--by is rank, run, thread, region, function or "
                             "file, not \"%s\"",
                             word);
    return COMMAND_OK;
}

static int take_by(struct report_request *q, const char *value)
{
    char *text = strdup(value), *rest = text, *word;
    int code = text ? COMMAND_OK : command_fail(q->self, "out of memory");

    while (code == COMMAND_OK && (word = strsep(&rest, ",")) != NULL)
        code = take_by_word(q, word);
    free(text);
    return code;
}

static int take_sort(struct report_request *q, const char *value)
{
    q->names.sort = value;
    return COMMAND_OK;
}

static int take_depth(struct report_request *q, const char *value)
{
    return take_whole(q, "depth", value, 1, &q->view.depth);
}

static int take_top(struct report_request *q, const char *value)
{
    return take_whole(q, "top", value, 1, &q->view.top);
}

static int take_min_percent(struct report_request *q, const char *value)
{
    if (!command_number(value, 0, 100, &q->view.min_percent))
        return command_usage(q->self,
                             "--min-percent takes 0 to 100, not \"%s\"", value);
    return COMMAND_OK;
}

static int take_region(struct report_request *q, const char *value)
{
    q->names.regions[q->names.n_regions++] = value;
    return COMMAND_OK;
}

static int take_hot_path(struct report_request *q, const char *value)
{
    (void)value;
    q->view.is_hot = true;
    return COMMAND_OK;
}

static int take_rank(struct report_request *q, const char *value)
{
    if (!rank_list_parse(value, &q->ranks))
        return command_usage(
            q->self, "--rank takes numbers as in 0,4-7, not \"%s\"", value);
    return COMMAND_OK;
}

static int take_metric(struct report_request *q, const char *value)
{
    q->names.metrics[q->names.n_metrics++] = value;
    return COMMAND_OK;
}

static int take_width(struct report_request *q, const char *value)
{
    q->has_width = true;
    return take_whole(q, "width", value, 0, &q->look.width);
}

static int take_color(struct report_request *q, const char *value)
{
    if (!command_color(value, &q->look.has_color))
        return command_usage(
            q->self, "--color is auto, always or never, not \"%s\"", value);
    return COMMAND_OK;
}

static int take_format(struct report_request *q, const char *value)
{
    if (q->format && strcmp(q->format, value) != 0)
        return command_usage(q->self, "--%s and --%s do not go together",
                             q->format, value);
    q->format = value;
    q->look.format = strcmp(value, "csv") == 0    ? PDUMP_REPORT_CSV
                     : strcmp(value, "json") == 0 ? PDUMP_REPORT_JSON
                                                  : PDUMP_REPORT_MARKDOWN;
    return COMMAND_OK;
}

static int take_all(struct report_request *q, const char *value)
{
    (void)value;
    q->is_all = true;
    return COMMAND_OK;
}

static int take_wide(struct report_request *q, const char *value)
{
    (void)value;
    q->look.is_wide = true;
    return COMMAND_OK;
}

static int take_explain(struct report_request *q, const char *value)
{
    (void)value;
    q->look.has_all_notes = true;
    return COMMAND_OK;
}

static int take_columns(struct report_request *q, const char *value)
{
    return report_names_columns(q->self, &q->names, value);
}

static int take_summary(struct report_request *q, const char *value)
{
    (void)value;
    q->is_summary = true;
    return COMMAND_OK;
}

static int take_section(struct report_request *q, const char *value)
{
    if (q->n_sections < REPORT_SECTIONS_MAX)
        q->sections[q->n_sections++] = value;
    return COMMAND_OK;
}

enum option {
    BY,
    BY_MORE,
    METRIC,
    METRIC_MORE,
    SORT,
    SORT_MORE,
    TOP,
    MIN_PERCENT,
    DEPTH,
    ALL,
    ALL_MORE,
    REGION,
    REGION_MORE,
    HOT_PATH,
    RANK,
    MPI,
    MPI_MORE,
    IO,
    HEAP,
    LINES,
    STACKS,
    SUMMARY,
    FLAT,
    THREADS,
    BY_RANK,
    CSV,
    JSON,
    JSON_MORE,
    MARKDOWN,
    COLUMNS,
    COLUMNS_MORE,
    WIDE,
    EXPLAIN,
    WIDTH,
    COLOR,
    N_OPTIONS,
};

/* A new option is a row here and a row in the table below. */
const struct command_option report_request_options[] = {
    [BY] = { "by", "WHAT[,WHAT]",
             "rank or run: a column for each; thread: a tree for" },
    [BY_MORE] = { NULL, NULL,
                  "each; region, function or file: a line for each" },
    [METRIC] = { "metric", "NAME[,NAME]", "only these counters and derived" },
    [METRIC_MORE] = { NULL, NULL, "metrics, in this order; none: no counters" },
    [SORT] = { "sort", "KEY", "time, self, visits, name, or a metric; the" },
    [SORT_MORE] = { NULL, NULL, "percentages are of that metric (time)" },
    [TOP] = { "top", "N", "only the first N in that order, and their parents" },
    [MIN_PERCENT] = { "min-percent", "P",
                      "only regions of at least P percent" },
    [DEPTH] = { "depth", "N", "only N levels of the tree" },
    [ALL] = { "all", NULL, "also lines below 0.5 %, Python's imports and" },
    [ALL_MORE] = { NULL, NULL, "frames of IPython" },
    [REGION] = { "region", "NAME",
                 "only regions of this name, or pattern as in" },
    [REGION_MORE] = { NULL, NULL, "'mpi_*', with what is in and around them" },
    [HOT_PATH] = { "hot-path", NULL, "only the hot path" },
    [RANK] = { "rank", "N[,N-N]", "only these ranks" },
    [MPI] = { "mpi", NULL, "MPI calls instead of the tree: by function, call" },
    [MPI_MORE] = { NULL, NULL, "site, rank and size" },
    [IO] = { "io", NULL, "I/O calls: by function, file and size" },
    [HEAP] = { "heap", NULL,
               "what each region allocated, and what was never freed" },
    [LINES] = { "lines", NULL, "source of Python functions, line by line" },
    [STACKS] = { "stacks", NULL,
                 "functions of stacks, and the hot path as source" },
    [SUMMARY] = { "summary", NULL, "the summary that a run ends with" },
    [FLAT] = { "flat", NULL, "the same as --by region" },
    [THREADS] = { "threads", NULL, "the same as --by thread" },
    [BY_RANK] = { "by-rank", NULL, "the same as --by rank" },
    [CSV] = { "csv", NULL, "the lines with all digits, for programs" },
    [JSON] = { "json", NULL,
               "the same as JSON; with no option above but --rank," },
    [JSON_MORE] = { NULL, NULL, "everything in the files" },
    [MARKDOWN] = { "markdown", NULL, "the page as Markdown" },
    [COLUMNS] = { "columns", "NAME[,NAME]",
                  "these columns: share, time, self, visits," },
    [COLUMNS_MORE] = { NULL, NULL, "... or metrics; a wrong name lists all" },
    [WIDE] = { "wide", NULL, "all columns, and names in full" },
    [EXPLAIN] = { "explain", NULL, "say what the columns mean" },
    [WIDTH] = { "width", "N", "columns of the page; 0: no limit" },
    [COLOR] = { "color", "WHEN", "auto (on a terminal), always or never" },
    { NULL, NULL, NULL },
};

/* The handler of each option, whether the option selects lines, and its value
 * if it takes none. */
static const struct {
    int (*take)(struct report_request *q, const char *value);
    bool is_choice;
    const char *value;
} actions[N_OPTIONS] = {
    [BY] = { take_by, true, NULL },
    [METRIC] = { take_metric, true, NULL },
    [SORT] = { take_sort, true, NULL },
    [TOP] = { take_top, true, NULL },
    [MIN_PERCENT] = { take_min_percent, true, NULL },
    [DEPTH] = { take_depth, true, NULL },
    [ALL] = { take_all, false, NULL },
    [REGION] = { take_region, true, NULL },
    [HOT_PATH] = { take_hot_path, true, NULL },
    [RANK] = { take_rank, false, NULL },
    [MPI] = { take_section, false, "mpi" },
    [IO] = { take_section, false, "io" },
    [HEAP] = { take_section, false, "heap" },
    [LINES] = { take_section, false, "lines" },
    [STACKS] = { take_section, false, "stacks" },
    [SUMMARY] = { take_summary, false, NULL },
    [FLAT] = { take_by, true, "region" },
    [THREADS] = { take_by, true, "thread" },
    [BY_RANK] = { take_by, true, "rank" },
    [CSV] = { take_format, false, "csv" },
    [JSON] = { take_format, false, "json" },
    [MARKDOWN] = { take_format, false, "markdown" },
    [COLUMNS] = { take_columns, false, NULL },
    [WIDE] = { take_wide, false, NULL },
    [EXPLAIN] = { take_explain, false, NULL },
    [WIDTH] = { take_width, false, NULL },
    [COLOR] = { take_color, false, NULL },
};

/* Checks for contradicting options.  Returns a usage error, or -1. */
static int check(const struct report_request *q)
{
    if (q->n_files == 0)
        return command_usage(q->self,
                             "which file? there is no dump here; perf_dump.h5 "
                             "or perf_dump.csv is where a run writes");
    if (q->view.by_thread && (q->look.by_rank || q->by_run))
        return command_usage(q->self,
                             "--by thread and --by %s do not go together",
                             q->by_run ? "run" : "rank");
    if (q->by_run && (q->look.by_rank || q->ranks.n > 0))
        return command_usage(q->self, "--by run and %s do not go together",
                             q->look.by_rank ? "--by rank" : "--rank");
    if (q->view.is_hot && (q->view.is_flat || q->names.n_regions > 0))
        return command_usage(q->self, "--hot-path and %s do not go together",
                             q->view.is_flat ? "a flat list" : "--region");
    return -1;
}

static int report_argument(struct command_arguments *args, int which,
                           char *value)
{
    struct report_request *q = args->data;
    int code;

    if (which == ARGUMENT_OPERAND) {
        q->files[q->n_files++] = value;
        return -1;
    }
    code = actions[which].take(q, actions[which].value ? actions[which].value
                                                       : value);
    q->has_choice |= actions[which].is_choice;
    return code == COMMAND_OK ? -1 : code;
}

/* Returns true if no option selects lines, and people read them. */
static bool is_brief(const struct report_request *q)
{
    return !q->is_all && q->view.top == 0 && q->view.depth == 0 &&
           q->view.min_percent <= 0 && q->names.n_regions == 0 &&
           !q->view.is_hot &&
           (!q->format || q->look.format == PDUMP_REPORT_MARKDOWN);
}

int report_request_parse(struct report_request *q, int argc, char **argv)
{
    int code;

    command_color("auto", &q->look.has_color);
    q->look.width = command_width(PIPE_WIDTH);
    code = command_parse(q->self, argc, argv, report_argument, q);
    if (q->look.is_wide && !q->has_width)
        q->look.width = 0;
    q->view.is_brief = is_brief(q);
    q->look.columns = q->names.columns;
    q->look.n_columns = q->names.n_columns;
    q->n_files = load_leave_out_sides(q->files, q->n_files);
    if (code < 0)
        code = newest_take(q->self, q->files, &q->n_files, 1);
    return code < 0 ? check(q) : code;
}
