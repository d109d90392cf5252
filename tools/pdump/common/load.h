/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files into one dump. */
#ifndef PDUMP_LOAD_H
#define PDUMP_LOAD_H

#include "command.h"

#include "dump/dump.h"

/* Leaves out side files of CSV dumps if their main file is among the files, as
 * when the shell has expanded *.csv.  Returns the number of files that are
 * left. */
int load_leave_out_sides(char **files, int n);

/* Reads the files, and merges them if there are several.  Returns COMMAND_OK
 * and *out, given; or an exit code after a message. */
int load_files(const struct command *self, char *const *files, int n,
               struct pdump_dump **out);

/* The same without the stacks of the dump (dump/stacks.h), for commands that
 * show regions. */
int load_regions(const struct command *self, char *const *files, int n,
                 struct pdump_dump **out);

/* As load_files() for files that are one run each: the processes of the first
 * file get rank 1, those of the second rank 2, and so on. */
int load_runs(const struct command *self, char *const *files, int n,
              struct pdump_dump **out);

#endif
