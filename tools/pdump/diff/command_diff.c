/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump diff: shows the changes between two runs, or two sets of runs. */
#include "command.h"
#include "common/load.h"
#include "common/newest.h"
#include "common/number_text.h"
#include "diff/compare.h"
#include "diff/compare_print.h"
#include "report/report_choice.h"

#include "base/safe_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option {
    FAIL_ABOVE,
    FAIL_MORE,
    METRIC,
    MIN_PERCENT,
    TOP,
    ALL,
    JSON,
    MARKDOWN,
};

static const struct command_option options[] = {
    [FAIL_ABOVE] = { "fail-above", "P%",
                     "exit code 3 if a region takes more than P percent" },
    [FAIL_MORE] = { NULL, NULL, "longer per visit, beyond noise" },
    [METRIC] = { "metric", "NAME", "the metric to compare (time)" },
    [MIN_PERCENT] = { "min-percent", "P",
                      "only regions of at least P percent (1)" },
    [TOP] = { "top", "N", "the N largest changes (30)" },
    [ALL] = { "all", NULL, "regions without a change, too" },
    [JSON] = { "json", NULL, "the lines with all digits, as JSON" },
    [MARKDOWN] = { "markdown", NULL, "the table as Markdown" },
    { NULL, NULL, NULL },
};

struct request {
    const struct command *self;
    char **files;
    int n[2];
    const char *metric;
    double fail_above; /* as a fraction; NAN: never */
    double min_percent;
    double top;
    bool is_all;
    enum compare_format format;
};

/* Parses "5%" or "5". */
static bool parse_percent(const char *text, double *out)
{
    char copy[32];
    size_t len = strlen(text);

    if (len == 0 || len >= sizeof(copy))
        return false;
    memcpy(copy, text, len + 1);
    if (copy[len - 1] == '%')
        copy[len - 1] = '\0';
    return command_number(copy, 0, 1e6, out);
}

static int diff_argument(struct command_arguments *args, int which, char *value)
{
    struct request *q = args->data;
    bool is_good = true;

    if (which == ARGUMENT_OPERAND) {
        q->files[q->n[0] + q->n[1]] = value;
        q->n[args->has_ended]++;
    } else if (which == FAIL_ABOVE) {
        is_good = parse_percent(value, &q->fail_above);
        q->fail_above /= 100;
    } else if (which == METRIC) {
        q->metric = value;
    } else if (which == MIN_PERCENT) {
        is_good = parse_percent(value, &q->min_percent);
    } else if (which == TOP) {
        is_good =
            command_number(value, 1, 1e6, &q->top) && q->top == (int)q->top;
    } else if (which == ALL) {
        q->is_all = true;
    } else {
        if (q->format != COMPARE_TEXT)
            return command_usage(q->self,
                                 "--json and --markdown do not go together");
        q->format = which == JSON ? COMPARE_JSON : COMPARE_MARKDOWN;
    }
    return is_good ? -1
                   : command_usage(q->self, "--%s takes a %snumber, not \"%s\"",
                                   options[which].name,
                                   which == TOP ? "whole " : "", value);
}

static void leave_out_sides(struct request *q)
{
    int n_before = load_leave_out_sides(q->files, q->n[0]);

    q->n[1] = load_leave_out_sides(q->files + q->n[0], q->n[1]);
    memmove(q->files + n_before, q->files + q->n[0],
            (size_t)q->n[1] * sizeof(*q->files));
    q->n[0] = n_before;
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct request *q, int argc, char **argv)
{
    int code = command_parse(q->self, argc, argv, diff_argument, q);

    leave_out_sides(q);
    if (code < 0) {
        int n = q->n[0] + q->n[1], n_before = n;

        code = newest_take(q->self, q->files, &n, 2);
        q->n[0] += n - n_before;
    }
    if (code < 0 && q->n[0] == 2 && q->n[1] == 0)
        q->n[0] = q->n[1] = 1;
    if (code < 0 && (q->n[0] == 0 || q->n[1] == 0))
        code = command_usage(q->self, "which files?  BEFORE AFTER, or "
                                      "BEFORE... -- AFTER...; the newest two "
                                      "here are taken if there are so many");
    return code;
}

static void put_change(double change)
{
    if (isnan(change))
        printf(" %8s", "-");
    else if (change >= 99.995)
        printf(" %6.0f x", change + 1);
    else
        printf(" %+7.1f%%", 100 * change);
}

/* Prints the end of a path that is too long: it ends with the region. */
static void put_path(const char *path)
{
    enum { BEFORE = 64, LEAST = 16, PIPE = 120 };
    int room = command_width(PIPE) - BEFORE;
    size_t most = (size_t)(room < LEAST ? LEAST : room), len = strlen(path);

    if (len > most) {
        path += len - most + 2;
        while (((unsigned char)*path & 0xc0) == 0x80)
            path++;
        fputs("..", stdout);
    }
    pdump_safe_text_put(stdout, path, 0);
}

static void put_line(const struct compare *c, const struct compare_line *line,
                     const char *unit)
{
    char before[48], after[48], impact[48], path[512];
    double size = fabs(line->impact);

    number_text(line->side[0].n ? line->side[0].each : NAN, unit, before);
    number_text(line->side[1].n ? line->side[1].each : NAN, unit, after);
    number_text(size, unit, impact);
    number_text_put_right(before, 10);
    number_text_put_right(after, 11);
    put_change(line->change);
    printf("   %c", line->impact < 0 ? '-' : '+');
    number_text_put_right(impact, 9);
    printf("  %-15s ", compare_verdict_text(line->verdict));
    pdump_dump_node_path(c->tree, line->node, path, sizeof(path));
    put_path(path);
    putchar('\n');
}

/* Returns true if the region is large enough on one of the sides. */
static bool is_large(const struct request *q, const struct compare *c,
                     const struct compare_line *line)
{
    for (int side = 0; side < 2; side++)
        if (line->side[side].n > 0 &&
            100 * fabs(line->side[side].sum) >= q->min_percent * c->total[side])
            return true;
    return false;
}

static void put_head(const struct request *q, const struct compare *c,
                     const struct pdump_dump_metric *metric)
{
    bool is_level = metric->kind == PDUMP_GAUGE;
    char before[48], after[48];

    number_text(c->total[0], metric->unit, before);
    number_text(c->total[1], metric->unit, after);
    pdump_safe_text_put(stdout, metric->name, 0);
    printf(": %s in %d run%s, then %s in %d run%s", before, q->n[0],
           q->n[0] == 1 ? "" : "s", after, q->n[1], q->n[1] == 1 ? "" : "s");
    if (c->total[0] > 0)
        printf(" (%+.1f%%)", 100 * (c->total[1] / c->total[0] - 1));
    puts(q->n[0] > 1 || q->n[1] > 1
             ? "\nmedians; noise is judged by ranking the runs"
         : is_level ? "\none run each: of a level, only several tell what is "
                      "noise"
                    : "\none run each: indicative only");
    printf("\n%10s %10s %8s   %10s  %-15s %s\n",
           is_level ? "highest" : "per visit", "then", "change",
           is_level ? "by" : "in total", "", "region");
}

/* Returns true if the line is shown, if there is room for it. */
static bool is_shown(const struct request *q, const struct compare *c,
                     const struct compare_line *line)
{
    return is_large(q, c, line) && (line->verdict != COMPARE_SAME || q->is_all);
}

/* Prints the table in another format.  Returns the exit code. */
static int print_other(const struct request *q, const struct compare *c,
                       const struct pdump_dump_metric *metric)
{
    const struct compare_line **lines =
        calloc((size_t)c->n_lines + 1, sizeof(*lines));
    int n = 0, n_worse = 0;

    if (!lines)
        return command_fail(q->self, "out of memory");
    for (int i = 0; i < c->n_lines; i++) {
        const struct compare_line *line = &c->lines[i];

        n_worse += is_large(q, c, line) && line->verdict == COMPARE_MORE &&
                   line->change > q->fail_above;
        if (is_shown(q, c, line) && n < q->top)
            lines[n++] = line;
    }
    if (q->format == COMPARE_JSON)
        compare_json(c, metric, q->n, lines, n);
    else
        compare_markdown(c, metric, q->n, lines, n);
    free(lines);
    return n_worse ? COMMAND_WORSE : COMMAND_OK;
}

/* Returns the exit code. */
static int print(const struct request *q, const struct compare *c,
                 const struct pdump_dump_metric *metric)
{
    int n_shown = 0, n_same = 0, n_worse = 0;

    put_head(q, c, metric);
    for (int i = 0; i < c->n_lines; i++) {
        const struct compare_line *line = &c->lines[i];

        if (!is_large(q, c, line))
            continue;
        n_worse +=
            line->verdict == COMPARE_MORE && line->change > q->fail_above;
        if (line->verdict == COMPARE_SAME && !q->is_all)
            n_same++;
        else if (n_shown++ < q->top)
            put_line(c, line, metric->unit);
    }
    if (n_shown > q->top)
        printf("... and %d more (--top)\n", n_shown - (int)q->top);
    if (n_same)
        printf("%d region%s without a significant change (--all)\n", n_same,
               n_same == 1 ? "" : "s");
    if (n_worse)
        printf("%d region%s more than %g%% above\n", n_worse,
               n_worse == 1 ? " is" : "s are", 100 * q->fail_above);
    return n_worse ? COMMAND_WORSE : COMMAND_OK;
}

/* Derived metrics cannot be compared: names the metrics that it is made of. */
static void refuse(const struct request *q, const struct pdump_dump *dump,
                   int index)
{
    int n = pdump_derived_count();
    struct pdump_derived *list = malloc((size_t)n * sizeof(*list)), *d;

    if (!list || pdump_derived_find(dump, list, n) <= index) {
        command_fail(q->self, "--metric: out of memory");
    } else {
        d = &list[index];
        command_fail(
            q->self, "--metric: %s is made of %s%s%s and %s; compare these",
            q->metric, dump->metrics[d->top].name, d->plus < 0 ? "" : ", ",
            d->plus < 0 ? "" : dump->metrics[d->plus].name,
            dump->metrics[d->bottom].name);
    }
    free(list);
}

/* Finds the metric by the name it has in the first run; all runs must have it.
 * NULL after a message. */
static const struct pdump_dump_metric *find_metric(const struct request *q,
                                                   struct pdump_dump **dumps)
{
    bool is_derived;
    int found = pdump_view_find(dumps[0], q->metric, &is_derived);
    const char *name =
        found >= 0 && !is_derived ? dumps[0]->metrics[found].name : q->metric;
    char buf[400];

    if (found >= 0 && is_derived) {
        refuse(q, dumps[0], found);
        return NULL;
    }
    for (int i = 0; i < q->n[0] + q->n[1]; i++)
        if (pdump_dump_find_metric(dumps[i], name) < 0) {
            command_fail(q->self, "--metric: %s has no metric \"%s\"%s",
                         q->files[i], name,
                         report_near_metrics(dumps[i], name, false, buf));
            return NULL;
        }
    return &dumps[0]->metrics[found];
}

static int compare_all(const struct request *q, struct pdump_dump **dumps)
{
    const struct pdump_dump_metric *metric = find_metric(q, dumps);
    struct compare c;
    int code;

    if (!metric)
        return COMMAND_FAILED;
    if (compare_make(dumps, q->n, metric->name, &c) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    code = q->format == COMPARE_TEXT ? print(q, &c, metric)
                                     : print_other(q, &c, metric);
    compare_free(&c);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request q = { .self = self,
                         .metric = "time",
                         .fail_above = NAN,
                         .min_percent = 1,
                         .top = 30 };
    struct pdump_dump **dumps = calloc((size_t)argc + 2, sizeof(*dumps));
    int code;

    q.files = calloc((size_t)argc + 2, sizeof(*q.files));
    if (!q.files || !dumps)
        code = command_fail(self, "out of memory");
    else
        code = parse(&q, argc, argv);
    for (int i = 0; code < 0 && i < q.n[0] + q.n[1]; i++)
        if (load_regions(self, &q.files[i], 1, &dumps[i]) != COMMAND_OK)
            code = COMMAND_FAILED;
    if (code < 0)
        code = compare_all(&q, dumps);
    for (int i = 0; dumps && i < q.n[0] + q.n[1]; i++)
        pdump_dump_free(dumps[i]);
    free(dumps);
    free(q.files);
    return code;
}

const struct command command_diff = {
    .name = "diff",
    .operands = "[BEFORE... [--] AFTER...]",
    .about = "Compare two runs, or two sets of runs",
    .more =
        "Regions are matched by their path and compared per visit.  With "
        "one file on\neach side, noise is judged by the spread of the visits "
        "in a run; with several,\nby a rank test over the runs: four on each "
        "side, or three and five, are the\nfewest that can show a difference.",
    .options = options,
    .letters = "  m",
    .run = run,
};
