/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump export: a dump in another format. */
#include "export.h"
#include "format_list.h"

#include <stdlib.h>

enum option {
    FORMAT,
    OUTPUT,
    OUTPUT_MORE,
};

static const struct command_option options[] = {
    [FORMAT] = { "format", "FORMAT", "one of those below" },
    [OUTPUT] = { "output", "NAME",
                 "name of the file; its ending may stand for" },
    [OUTPUT_MORE] = { NULL, NULL,
                      "the format (as the first FILE, new ending)" },
    { NULL, NULL, NULL },
};

/* Exit code, or -1 to go on. */
static int parse(const struct command *self, struct export_order *order,
                 int argc, char **argv)
{
    struct command_arguments args = { self, argc, argv, 0, false };
    const char *value;
    int which;

    while ((which = command_next(&args, &value)) != ARGUMENT_END) {
        if (which == ARGUMENT_HELP)
            return COMMAND_OK;
        if (which == ARGUMENT_BAD)
            return COMMAND_USAGE;
        if (which == ARGUMENT_OPERAND)
            order->files[order->n_files++] = argv[args.at - 1];
        else if (which == FORMAT)
            order->format = value;
        else
            order->output = value;
    }
    if (order->n_files == 0)
        return command_usage(self, "which file?");
    if (!order->format && !order->output)
        return command_usage(self, "which format? -f csv, or -o NAME.csv");
    return -1;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_order order = { 0 };
    int code;

    order.files = calloc((size_t)argc + 1, sizeof(*order.files));
    if (!order.files)
        return command_fail(self, "out of memory");
    code = parse(self, &order, argc, argv);
    if (code < 0)
        code = export_files(self, &order);
    free(order.files);
    return code;
}

static void put_formats(void)
{
    printf("\nFormats, which PDUMP_OUTPUT_FORMAT takes, too:\n");
    format_list_print();
}

const struct command command_export = {
    .name = "export",
    .operands = "FILE...",
    .about = "Write a dump in another format",
    .more = "Several files become one, their processes side by side.  A file "
            "that\nhas the name already is renamed away, never replaced.  "
            "Between csv and\nhdf5 nothing is lost.",
    .options = options,
    .letters = "fo",
    .put_more = put_formats,
    .run = run,
};
