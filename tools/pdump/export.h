/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps that are there, written once more. */
#ifndef PDUMP_TOOL_EXPORT_H
#define PDUMP_TOOL_EXPORT_H

#include "command.h"

/* A whole command: FILE..., with the options "output" and perhaps "format" of
 * its table.  `format` NULL: as these say.  Exit code. */
int export_run(const struct command *self, int argc, char **argv,
               const char *format);

#endif
