/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump html: writes a dump as an HTML page, or two as a comparison. */
#include "common/load.h"
#include "diff/compare_dump.h"
#include "export/export.h"

static const struct command_option options[] = {
    { "output", "NAME", "name of the page (as the first FILE, .html)" },
    { "compare", NULL, "what the second of two FILEs has changed" },
    { NULL, NULL, NULL },
};

/* Reads both files as a comparison. */
static int read_pair(const struct export_request *q, struct pdump_dump **out)
{
    struct pdump_dump *pair[2] = { NULL, NULL };
    int code;

    if (q->n_files != 2)
        return command_usage(q->self, "--compare takes two files, BEFORE and "
                                      "AFTER");
    code = load_files(q->self, q->files, 1, &pair[0]);
    if (code == COMMAND_OK)
        code = load_files(q->self, q->files + 1, 1, &pair[1]);
    if (code == COMMAND_OK && compare_dump_make(pair, q->files, out) < 0)
        code = command_fail(q->self, "%s", pdump_last_error());
    pdump_dump_free(pair[0]);
    pdump_dump_free(pair[1]);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_request q = { .self = self,
                                .format = "html",
                                .read_pair = read_pair };

    return export_run_request(&q, argc, argv);
}

const struct command command_html = {
    .name = "html",
    .operands = "FILE...",
    .about = "Write a dump as a page to look at",
    .more = "One file for any browser, without a network: call tree, regions, "
            "ranks,\nsamples over time, for every metric.  With --compare "
            "BEFORE AFTER, what has\nchanged, as compare.html if there is no "
            "-o.",
    .options = options,
    .letters = "o",
    .run = run,
};
