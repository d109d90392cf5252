/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump html: a dump as a page to look at. */
#include "export.h"

static const struct command_option options[] = {
    { "output", "NAME", "name of the page (as the first FILE, .html)" },
    { NULL, NULL, NULL },
};

static int run(const struct command *self, int argc, char **argv)
{
    return export_run(self, argc, argv, "html");
}

const struct command command_html = {
    .name = "html",
    .operands = "FILE...",
    .about = "Write a dump as a page to look at",
    .more = "One file for any browser, without a network: call tree, regions, "
            "ranks,\nsamples over time, for every metric.",
    .options = options,
    .letters = "o",
    .run = run,
};
