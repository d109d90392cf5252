/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump html: a dump as a page to look at. */
#include "export.h"

#include <stdlib.h>

static const struct command_option options[] = {
    { "output", "NAME", "name of the page (as the first FILE, .html)" },
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
        else
            order->output = value;
    }
    return order->n_files ? -1 : command_usage(self, "which file?");
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_order order = { .format = "html" };
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
