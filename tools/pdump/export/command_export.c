/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump export: writes a dump in another format. */
#include "export/export.h"
#include "info/format_list.h"

static const struct command_option options[] = {
    { "format", "FORMAT", "one of those below" },
    { "output", "NAME", "name of the file; its ending may stand for" },
    { NULL, NULL, "the format (as the first FILE, new ending);" },
    { NULL, NULL, "- is standard output" },
    { NULL, NULL, NULL },
};

static int run(const struct command *self, int argc, char **argv)
{
    return export_run(self, argc, argv, NULL);
}

const struct command command_export = {
    .name = "export",
    .operands = "FILE...",
    .about = "Write a dump in another format",
    .more = "Several files become one, their processes side by side.  A file "
            "that\nhas the name already is renamed, never replaced.  "
            "Between csv and\nhdf5 nothing is lost.",
    .options = options,
    .letters = "fo",
    .put_more = format_list_help,
    .run = run,
};
