/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump report: prints the regions of one or more files, as a table or as
 * data. */
#include "command.h"
#include "common/load.h"
#include "common/print_json.h"
#include "report/report_request.h"

#include "base/safe_text.h"
#include "dump/stacks.h"
#include "report/report.h"
#include "report/report_warning.h"
#include "report/section/section.h"
#include "report/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void warning_print(void *data, const char *text, int64_t count)
{
    const struct command *self = data;
    char times[40] = "";

    if (count > 1)
        snprintf(times, sizeof(times), " (%lld times)", (long long)count);
    command_warn(self, "warning: %s%s", text, times);
}

/* Prints the report.  CSV has no place for warnings. */
static int print(const struct report_request *q, const struct pdump_dump *dump)
{
    struct pdump_view *view;
    int err;

    if (pdump_view_new(dump, &q->view, &view) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    err = pdump_report_print(stdout, view, &q->look);
    if (err >= 0 && q->look.format == PDUMP_REPORT_CSV)
        err = pdump_report_warnings(view, q->look.is_part, q->by_run,
                                    warning_print, (void *)q->self);
    pdump_view_free(view);
    if (err < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    return COMMAND_OK;
}

static bool is_data(enum pdump_report_format format)
{
    return format == PDUMP_REPORT_CSV || format == PDUMP_REPORT_JSON;
}

static int print_sections(const struct report_request *q,
                          const struct pdump_dump *dump)
{
    struct pdump_section_options how = {
        .format = q->look.format,
        .width = q->look.width,
        .top = q->view.top               ? q->view.top
               : is_data(q->look.format) ? 0
                                         : PDUMP_SECTION_TOP,
    };
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    int err = f ? pdump_section_print(f, q->sections, q->n_sections, dump, &how)
                : pdump_no_memory();

    /* All of it, or nothing: half a document helps no program. */
    if (f && fclose(f) == 0 && err >= 0)
        fwrite(text, 1, len, stdout);
    free(text);
    return err < 0 ? command_fail(q->self, "%s", pdump_last_error())
                   : COMMAND_OK;
}

/* Prints what `pdump run` prints at the end, too. */
static int print_summary(const struct report_request *q,
                         const struct pdump_dump *dump)
{
    fputc('\n', stdout);
    if (pdump_summary_print(stdout, dump, q->look.width) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    fputs("\npdump: ", stdout);
    pdump_safe_text_put(stdout, q->files[0], 0);
    fputs("\n  next: pdump report ", stdout);
    pdump_safe_text_put(stdout, q->files[0], 0);
    fputc('\n', stdout);
    return COMMAND_OK;
}

static int print_tree(struct report_request *q,
                      const struct pdump_dump *regions)
{
    struct report_choice choice = { NULL, NULL };
    int code =
        report_choose(q->self, &q->names, regions, &choice, &q->view, &q->look);

    if (code == COMMAND_OK)
        code = print(q, regions);
    report_choice_free(&choice);
    return code;
}

static int print_regions(struct report_request *q,
                         const struct pdump_dump *dump)
{
    struct pdump_dump *rest = NULL;
    int code;

    if (pdump_stacks_are_in(dump) && pdump_stacks_leave_out(dump, &rest) < 0)
        return command_fail(q->self, "%s", pdump_last_error());
    code = print_tree(q, rest ? rest : dump);
    if (code == COMMAND_OK && !q->format && !q->has_choice)
        pdump_section_put_hints(
            stdout, dump,
            &(struct pdump_section_options){ .width = q->look.width });
    pdump_dump_free(rest);
    return code;
}

static int report(struct report_request *q, const struct pdump_dump *dump)
{
    if (q->is_summary)
        return print_summary(q, dump);
    if (q->n_sections > 0)
        return print_sections(q, dump);
    if (q->look.format == PDUMP_REPORT_JSON && !q->has_choice)
        return json_print(q->self, dump);
    return print_regions(q, dump);
}

/* Replaces *dump by the part with the requested ranks. */
static int choose_ranks(struct report_request *q, struct pdump_dump **dump)
{
    struct pdump_dump *all = *dump;
    int code;

    if (q->ranks.n == 0)
        return COMMAND_OK;
    *dump = NULL;
    q->look.is_part = true;
    code = rank_list_select(q->self, &q->ranks, all, dump);
    pdump_dump_free(all);
    return code;
}

static int load(struct report_request *q, struct pdump_dump **dump)
{
    q->look.n_files = q->n_files;
    if (!q->by_run)
        return load_files(q->self, q->files, q->n_files, dump);
    q->look.by_rank = true;
    q->look.runs = (const char *const *)q->files;
    q->look.n_runs = q->n_files;
    return load_runs(q->self, q->files, q->n_files, dump);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct report_request q = { .self = self, .view = { .key = -1 } };
    struct pdump_dump *dump = NULL;
    int code = report_names_new(self, argc, &q.names);

    q.files = calloc((size_t)argc + 1, sizeof(*q.files));
    if (code == COMMAND_OK)
        code = q.files ? report_request_parse(&q, argc, argv)
                       : command_fail(self, "out of memory");
    if (code < 0)
        code = load(&q, &dump);
    if (dump)
        code = choose_ranks(&q, &dump);
    if (dump && code == COMMAND_OK)
        code = report(&q, dump);
    pdump_dump_free(dump);
    free(q.ranks.ranges);
    report_names_free(&q.names);
    free(q.files);
    return code;
}

const struct command command_report = {
    .name = "report",
    .operands = "[FILE]...",
    .about = "Show the region tree of a dump, with times and counters",
    .more =
        "Several files are read as one, their processes side by side; with "
        "--by run each\nis a run of its own.  Derived metrics (instructions "
        "per cycle, miss ratios, ...)\nare shown if their counters are there.  "
        "Of several MPI ranks the\nmean is shown, the maximum with its rank, "
        "and the imbalance.",
    .options = report_request_options,
    .run = run,
};
