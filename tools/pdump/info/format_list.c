/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the output formats of the library and of modules. */
#include "info/format_list.h"

#include "write/sink.h"

#include <stdio.h>

void format_list_print(void)
{
    const struct pdump_sink *sink;

    for (int i = 0; (sink = pdump_sink_at(i)) != NULL; i++) {
        printf("  %-20s  %s (", sink->name, sink->about);
        for (const struct pdump_sink_part *p = sink->parts; p->suffix; p++)
            printf("%s%s", p == sink->parts ? "" : ", ", p->suffix);
        printf(")\n");
    }
}

void format_list_help(void)
{
    printf("\nFormats, which PDUMP_OUTPUT_FORMAT takes, too:\n");
    format_list_print();
}
