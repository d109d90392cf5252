/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump report: the region tree of one or more files. */
#include "command.h"
#include "load.h"
#include "json.h"
#include "nearest.h"
#include "rank_list.h"

#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option {
    SORT,
    SORT_MORE,
    DEPTH,
    MIN_PERCENT,
    FLAT,
    THREADS,
    RANK,
    BY_RANK,
    BY_RANK_MORE,
    METRIC,
    METRIC_MORE,
    WIDTH,
    COLOR,
    JSON,
};

static const struct command_option options[] = {
    [SORT] = { "sort", "KEY", "time, self, visits, name, or a metric; the" },
    [SORT_MORE] = { NULL, NULL, "percentages are of that metric (time)" },
    [DEPTH] = { "depth", "N", "only N levels of the tree" },
    [MIN_PERCENT] = { "min-percent", "P",
                      "only regions of at least P percent" },
    [FLAT] = { "flat", NULL, "one line per region, wherever it was called" },
    [THREADS] = { "threads", NULL, "a tree for each thread" },
    [RANK] = { "rank", "N[,N-N]", "only these ranks" },
    [BY_RANK] = { "by-rank", NULL,
                  "a column for each rank: of the time, of the" },
    [BY_RANK_MORE] = { NULL, NULL, "key sorted by, or of the first --metric" },
    [METRIC] = { "metric", "NAME[,NAME]", "only these counters and derived" },
    [METRIC_MORE] = { NULL, NULL, "metrics, in this order; none: no counters" },
    [WIDTH] = { "width", "N", "columns of the page; 0: as many as it takes" },
    [COLOR] = { "color", "WHEN", "auto (on a terminal), always or never" },
    [JSON] = { "json", NULL, "everything in the files, as JSON" },
    { NULL, NULL, NULL },
};

/* What was asked for, before a dump is there to ask. */
struct request {
    const struct command *self;
    char **files;
    int n_files;
    const char *sort;
    const char *metrics;
    bool is_json;
    struct rank_list ranks;
    const char *not_json; /* an option that does not go with --json */
    struct pdump_view_options view;
    struct pdump_report_options look;
};

static bool parse_number(const char *text, double low, double high, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return errno == 0 && end != text && *end == '\0' && *out >= low &&
           *out <= high;
}

static int parse_whole(const struct request *q, const char *name,
                       const char *text, int low, int *out)
{
    double number;

    if (!parse_number(text, low, 1e6, &number) || number != (int)number)
        return command_usage(q->self,
                             "--%s takes a whole number from %d to 1000000, "
                             "not \"%s\"",
                             name, low, text);
    *out = (int)number;
    return COMMAND_OK;
}

/* NO_COLOR (https://no-color.org) is for programs that decide by themselves. */
static int parse_color(struct request *q, const char *text)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (strcmp(text, "always") == 0)
        q->look.has_color = true;
    else if (strcmp(text, "never") == 0)
        q->look.has_color = false;
    else if (strcmp(text, "auto") == 0)
        q->look.has_color = isatty(STDOUT_FILENO) && !(no && no[0] != '\0') &&
                            term && strcmp(term, "dumb") != 0;
    else
        return command_usage(
            q->self, "--color is auto, always or never, not \"%s\"", text);
    return COMMAND_OK;
}

static int parse_option(struct request *q, enum option which, const char *value)
{
    if (which != JSON && which != COLOR && which != RANK)
        q->not_json = options[which].name;
    switch (which) {
    case SORT:
        q->sort = value;
        return COMMAND_OK;
    case DEPTH:
        return parse_whole(q, "depth", value, 1, &q->view.depth);
    case MIN_PERCENT:
        if (!parse_number(value, 0, 100, &q->view.min_percent))
            return command_usage(
                q->self, "--min-percent takes 0 to 100, not \"%s\"", value);
        return COMMAND_OK;
    case FLAT:
        q->view.is_flat = true;
        return COMMAND_OK;
    case THREADS:
        q->view.by_thread = true;
        return COMMAND_OK;
    case RANK:
        if (!rank_list_parse(value, &q->ranks))
            return command_usage(
                q->self, "--rank takes numbers as in 0,4-7, not \"%s\"", value);
        return COMMAND_OK;
    case BY_RANK:
        q->look.by_rank = true;
        return COMMAND_OK;
    case METRIC:
        q->metrics = value;
        return COMMAND_OK;
    case WIDTH:
        return parse_whole(q, "width", value, 0, &q->look.width);
    case COLOR:
        return parse_color(q, value);
    default:
        q->is_json = true;
        return COMMAND_OK;
    }
}

/* Exit code, or -1 to go on. */
static int parse(struct request *q, int argc, char **argv)
{
    struct command_arguments args = { q->self, argc, argv, 0, false };
    const char *value;
    int which, code;

    parse_color(q, "auto");
    q->look.width = command_width(0);
    while ((which = command_next(&args, &value)) != ARGUMENT_END) {
        if (which == ARGUMENT_HELP)
            return COMMAND_OK;
        if (which == ARGUMENT_BAD)
            return COMMAND_USAGE;
        if (which == ARGUMENT_OPERAND) {
            q->files[q->n_files++] = (char *)value;
            continue;
        }
        code = parse_option(q, (enum option)which, value);
        if (code != COMMAND_OK)
            return code;
    }
    if (q->n_files == 0)
        return command_usage(q->self,
                             "which file? perf_dump.h5 or perf_dump.csv "
                             "is where a run writes");
    if (q->look.by_rank && q->view.by_thread)
        return command_usage(q->self, "--by-rank and --threads do not go "
                                      "together");
    if (q->is_json && q->not_json)
        return command_usage(q->self,
                             "--json writes everything; --%s does not "
                             "go with it",
                             q->not_json);
    return -1;
}

static int unknown_metric(const struct request *q, const char *option,
                          const struct pdump_dump *dump, const char *word)
{
    struct nearest near = { .word = word };
    char buf[400];

    for (int i = 0; i < dump->n_metrics; i++)
        nearest_offer(&near, dump->metrics[i].name);
    for (int i = 0; i < pdump_derived_count(); i++) {
        const char *name = pdump_derived_at(i)->name;
        bool is_derived;

        if (pdump_view_find(dump, name, &is_derived) >= 0 && is_derived &&
            (i == 0 || strcmp(name, pdump_derived_at(i - 1)->name) != 0))
            nearest_offer(&near, name);
    }
    return command_fail(q->self, "--%s: there is no metric \"%s\" in it%s",
                        option, word, nearest_text(&near, "", buf));
}

/* `list` has room for one more than there are commas. */
static int choose_metrics(struct request *q, const struct pdump_dump *dump,
                          char *text, struct pdump_report_metric *list)
{
    char *rest = text, *word;

    q->look.metrics = list;
    if (strcmp(text, "none") == 0)
        return COMMAND_OK;
    while ((word = strsep(&rest, ",")) != NULL) {
        struct pdump_report_metric *metric = &list[q->look.n_metrics];

        metric->index = pdump_view_find(dump, word, &metric->is_derived);
        if (metric->index < 0)
            return unknown_metric(q, "metric", dump, word);
        q->look.n_metrics++;
    }
    return COMMAND_OK;
}

/* Does a page of this dump have what was asked for? */
static int check(const struct request *q, const struct pdump_dump *dump)
{
    bool has_counted = q->look.n_metrics == 0;

    if (q->view.by_thread && dump->stats && dump->n_rows == 0)
        return command_fail(q->self, "--threads: there are statistics over "
                                     "ranks only, and no thread's own figures");
    for (int i = 0; i < q->look.n_metrics; i++)
        has_counted |= !q->look.metrics[i].is_derived;
    if (q->look.by_rank && !has_counted)
        return command_fail(q->self, "--by-rank shows what is counted, not a "
                                     "derived metric");
    return COMMAND_OK;
}

static int print(struct request *q, const struct pdump_dump *dump)
{
    struct pdump_view *view;
    int err;

    if (pdump_view_new(dump, &q->view, &view) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    err = pdump_report_print(stdout, view, &q->look);
    pdump_view_free(view);
    if (err < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    return COMMAND_OK;
}

static int report(struct request *q, const struct pdump_dump *dump)
{
    struct pdump_report_metric *list = NULL;
    char *text = NULL;
    int code = COMMAND_OK;

    if (q->sort && pdump_view_sort_by(dump, q->sort, &q->view) < 0)
        return unknown_metric(q, "sort", dump, q->sort);
    if (q->metrics) {
        text = strdup(q->metrics);
        list = calloc(strlen(q->metrics) + 1, sizeof(*list));
        code = text && list ? choose_metrics(q, dump, text, list)
                            : command_fail(q->self, "out of memory");
    }
    if (code == COMMAND_OK)
        code = check(q, dump);
    if (code == COMMAND_OK)
        code = print(q, dump);
    free(list);
    free(text);
    return code;
}

/* Only the ranks that were asked for; *dump is replaced. */
static int choose_ranks(const struct request *q, struct pdump_dump **dump)
{
    struct pdump_dump *all = *dump;
    int code;

    if (q->ranks.n == 0)
        return COMMAND_OK;
    *dump = NULL;
    code = rank_list_select(q->self, &q->ranks, all, dump);
    pdump_dump_free(all);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request q = { .self = self, .view = { .key = -1 } };
    struct pdump_dump *dump = NULL;
    int code;

    q.files = calloc((size_t)argc + 1, sizeof(*q.files));
    if (!q.files)
        return command_fail(self, "out of memory");
    code = parse(&q, argc, argv);
    if (code < 0)
        code = load_files(q.self, q.files, q.n_files, &dump);
    if (dump)
        code = choose_ranks(&q, &dump);
    if (dump)
        code = q.is_json ? json_print(self, dump) : report(&q, dump);
    pdump_dump_free(dump);
    free(q.ranks.ranges);
    free(q.files);
    return code;
}

const struct command command_report = {
    .name = "report",
    .operands = "FILE...",
    .about = "Show the region tree of a dump, with times and counters",
    .more = "Several files are read as one: their processes side by side.  "
            "Derived metrics\n(instructions per cycle, miss ratios, ...) are "
            "shown where their counters are.  Of several MPI ranks their "
            "mean is shown, with\nminimum, maximum, imbalance and a bar of all "
            "ranks.",
    .options = options,
    .run = run,
};
