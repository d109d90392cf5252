/* SPDX-License-Identifier: BSD-3-Clause */
/* Files become one dump. */
#ifndef PDUMP_LOAD_H
#define PDUMP_LOAD_H

#include "command.h"

#include "dump/dump.h"

/* Read them, and merge them if there are several.  COMMAND_OK and *out, given;
 * or a message and its code. */
int load_files(const struct command *self, char *const *files, int n,
               struct pdump_dump **out);

/* The same of files that are a run each: the processes of the first have rank
 * 1, those of the second rank 2, and so on. */
int load_runs(const struct command *self, char *const *files, int n,
              struct pdump_dump **out);

#endif
