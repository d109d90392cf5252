/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump score: shows what recording costs, region by region, and what a filter
 * saves. */
#include "command.h"
#include "common/load.h"
#include "common/newest.h"
#include "common/number_text.h"
#include "score/score.h"

#include "base/safe_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option {
    REGIONS,
    FILTER,
    GENERATE,
    OUTPUT,
    THRESHOLD,
    THRESHOLD_MORE,
};

static const struct command_option options[] = {
    [REGIONS] = { "regions", NULL, "a line for each region, too" },
    [FILTER] = { "filter", "FILE", "show what this filter file would leave" },
    [GENERATE] = { "generate", NULL,
                   "write a filter file that excludes the costly regions" },
    [OUTPUT] = { "output", "FILE", "its name (pdump.filter)" },
    [THRESHOLD] = { "threshold", "N",
                    "costly: a visit takes less than N times what" },
    [THRESHOLD_MORE] = { NULL, NULL, "recording it takes (10)" },
    { NULL, NULL, NULL },
};

struct request {
    const struct command *self;
    char **files;
    int n_files;
    bool has_regions, is_generating;
    const char *filter, *output;
    double threshold;
};

static int score_argument(struct command_arguments *args, int which,
                          char *value)
{
    struct request *q = args->data;

    switch (which) {
    case ARGUMENT_OPERAND:
        q->files[q->n_files++] = value;
        return -1;
    case REGIONS:
        q->has_regions = true;
        return -1;
    case FILTER:
        q->filter = value;
        return -1;
    case GENERATE:
        q->is_generating = true;
        return -1;
    case OUTPUT:
        q->output = value;
        return -1;
    default:
        if (command_number(value, 0, 1e6, &q->threshold))
            return -1;
        return command_usage(q->self, "--threshold takes a number, not \"%s\"",
                             value);
    }
}

/* Returns an exit code, or -1 to go on. */
static int parse(struct request *q, int argc, char **argv)
{
    int code = command_parse(q->self, argc, argv, score_argument, q);

    q->n_files = load_leave_out_sides(q->files, q->n_files);
    if (code < 0)
        code = newest_take(q->self, q->files, &q->n_files, 1);
    if (code < 0 && q->n_files == 0)
        return command_usage(q->self,
                             "which file? there is no dump here; perf_dump.h5 "
                             "or perf_dump.csv is where a run writes");
    if (code < 0 && q->output && !q->is_generating)
        return command_usage(q->self, "--output is for --generate");
    if (!q->output)
        q->output = "pdump.filter";
    return code;
}

static void put_figure(const char *text)
{
    putchar(' ');
    number_text_put_right(text, 9);
}

/* Prints the process with the most visits, if there are several. */
static void put_process(const struct pdump_dump *dump, int process)
{
    if (process >= 0 && dump->n_processes > 1)
        printf(" (rank %d, pid %" PRId64 ")", dump->processes[process].rank,
               dump->processes[process].pid);
    putchar('\n');
}

/* Prints the size of a timeline, and the settings needed to record it. */
static void put_summary(const struct score *s, const struct score_sum *sum,
                        int process, const char *head)
{
    struct score_advice advice = score_advise(s, sum->most);
    char all[48], most[48], cost[48];
    double ns = s->overhead * (double)sum->visits;

    pdump_safe_text_put(stdout, head, 0);
    printf(": %" PRId64 " visits of %d region%s\n", sum->visits, sum->n_regions,
           sum->n_regions == 1 ? "" : "s");
    printf("  timeline   %s, %s%s in the largest process",
           number_text(score_bytes(sum->visits), "B", all),
           s->is_bound ? "at most " : "",
           number_text(score_bytes(sum->most), "B", most));
    put_process(s->dump, process);
    if (advice.is_possible)
        printf(
            "  memory     PDUMP_EVENTS_MODE=ring PDUMP_EVENTS_BUFFER=%" PRId64
            " PDUMP_MEMORY_MAX=%" PRId64 "\n",
            advice.buffer, advice.memory);
    else
        printf("  memory     no ring holds that: filter it, or "
               "PDUMP_EVENTS_MODE=flush\n");
    if (s->overhead > 0 && s->total.all.own > 0)
        printf("  recording  %s per visit, %s, %.1f %% of the time\n",
               number_text(s->overhead, "ns", all), number_text(ns, "ns", cost),
               fmin(100, 100 * ns / s->total.all.own));
    else
        printf("  recording  the file does not say what a visit cost\n");
}

static void put_figures(const struct score *s, const struct score_sum *sum)
{
    char visits[48], own[48], each[48], bytes[48], most[48];
    double total = s->total.all.own;

    put_figure(number_text((double)sum->visits, "1", visits));
    put_figure(number_text(sum->own, "ns", own));
    printf(" %5.1f", total > 0 ? 100 * sum->own / total : 0);
    put_figure(sum->visits
                   ? number_text(sum->whole / (double)sum->visits, "ns", each)
                   : "-");
    put_figure(number_text(score_bytes(sum->visits), "B", bytes));
    put_figure(number_text(score_bytes(sum->most), "B", most));
}

static void put_head(const char *first, const char *last)
{
    printf("\n%-12s %9s %9s %5s %9s %9s %9s%s\n", first, "visits", "own time",
           "%", "per visit", "bytes", "largest", last);
}

static void put_group(const struct score *s, const struct score_group *group,
                      bool is_filtered)
{
    char left[48];

    pdump_safe_text_put(stdout, group->name, 12);
    printf("%*s",
           (int)(strlen(group->name) < 12 ? 12 - strlen(group->name) : 0), "");
    put_figures(s, &group->all);
    if (is_filtered)
        printf(" %9s", number_text(score_bytes(group->left.most), "B", left));
    putchar('\n');
}

static void put_groups(const struct score *s, bool is_filtered)
{
    put_head("group", is_filtered ? "  filtered" : "");
    put_group(s, &s->total, is_filtered);
    for (int i = 0; i < s->n_groups; i++)
        if (s->groups[i].all.visits > 0)
            put_group(s, &s->groups[i], is_filtered);
}

static void put_regions(const struct score *s)
{
    put_head("group", "  region");
    for (int i = 0; i < s->n_regions; i++) {
        const struct score_region *r = &s->regions[i];
        const struct pdump_dump_region *region = &s->dump->regions[r->region];

        printf("%c%c%-10.10s", r->is_excluded ? '-' : ' ',
               r->is_costly ? '!' : ' ', region->group);
        put_figures(s, &r->sum);
        printf("  ");
        pdump_safe_text_put(stdout, region->name, 0);
        putchar('\n');
    }
}

static void put_costly(const struct request *q, const struct score *s)
{
    struct score_sum sum = { 0 };
    char each[48];

    for (int i = 0; i < s->n_regions; i++)
        if (s->regions[i].is_costly) {
            sum.n_regions++;
            sum.visits += s->regions[i].sum.visits;
        }
    if (!sum.n_regions)
        return;
    printf("\n! %d region%s too short to be worth recording: %.0f %% of the "
           "visits, which take\n  less than %g times the %s of recording%s\n",
           sum.n_regions, sum.n_regions == 1 ? " is" : "s are",
           100 * (double)sum.visits / (double)s->total.all.visits, q->threshold,
           number_text(s->overhead, "ns", each),
           q->is_generating ? "" : " (-r shows them, -g writes a filter)");
}

static int generate(const struct request *q, const struct score *s)
{
    int n = 0;

    for (int i = 0; i < s->n_regions; i++)
        n += s->regions[i].is_costly;
    if (!n) {
        printf("\nNo region costs more than it tells: no filter is written.\n");
        return COMMAND_OK;
    }
    n = score_write_filter(s, q->files[0], q->threshold, q->output);
    if (n < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    putchar('\n');
    command_say("%s excludes %s.", q->output, n == 1 ? "it" : "them");
    return COMMAND_OK;
}

static int show(const struct request *q, const struct score *s)
{
    char head[400];

    put_summary(s, &s->total.all, s->process, q->files[0]);
    if (q->filter) {
        snprintf(head, sizeof(head), "with %.300s", q->filter);
        put_summary(s, &s->total.left, s->process_left, head);
    }
    put_groups(s, q->filter != NULL);
    if (q->has_regions)
        put_regions(s);
    put_costly(q, s);
    printf("\nA visit is two events of %d bytes in a timeline.%s\n",
           SCORE_EVENT_BYTES,
           q->has_regions && q->filter ? "  Lines with - are filtered." : "");
    return q->is_generating ? generate(q, s) : COMMAND_OK;
}

static int score(const struct request *q, const struct pdump_dump *dump)
{
    struct pdump_filter *filter = NULL;
    struct score s;
    int code;

    if (q->filter && pdump_filter_read(q->filter, &filter) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    if (score_make(dump, filter, q->threshold, &s) < 0) {
        code = command_fail(q->self, "%s", pdump_last_error());
    } else {
        code = show(q, &s);
        score_free(&s);
    }
    pdump_filter_free(filter);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request q = { .self = self, .threshold = 10 };
    struct pdump_dump *dump = NULL;
    int code;

    q.files = calloc((size_t)argc + 1, sizeof(*q.files));
    if (!q.files)
        return command_fail(self, "out of memory");
    code = parse(&q, argc, argv);
    if (code < 0)
        code = load_regions(self, q.files, q.n_files, &dump);
    if (dump)
        code = score(&q, dump);
    pdump_dump_free(dump);
    free(q.files);
    return code;
}

const struct command command_score = {
    .name = "score",
    .operands = "[FILE]...",
    .about = "Show what recording costs, and what a filter would save",
    .more = "Per group and region: visits, time, and how large a timeline of "
            "them would\nbe.  Regions of at least 1000 visits which take "
            "hardly longer than recording\nthem are too short to be worth "
            "recording: PDUMP_FILTER leaves them out.",
    .options = options,
    .letters = "rfgo",
    .run = run,
};
