/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps that are there, written once more. */
#ifndef PDUMP_TOOL_EXPORT_H
#define PDUMP_TOOL_EXPORT_H

#include "command.h"

struct export_order {
    char **files;
    int n_files;
    const char *format; /* NULL: as `output` ends */
    const char *output; /* NULL: as the first file, with another ending */
};

/* Exit code. */
int export_files(const struct command *self, const struct export_order *order);

#endif
