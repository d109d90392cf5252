/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the newest dumps of a folder, for commands without a file. */
#ifndef PDUMP_TOOL_NEWEST_H
#define PDUMP_TOOL_NEWEST_H

#include "command.h"

/*
 * Replaces each folder among the n files by its newest dump, unless it is the
 * folder of a run.  If there is no file, takes the `wanted` newest dumps of the
 * current folder, the oldest of them first, if there are so many; `files` has
 * room for them.  Prints which ones.  Returns an exit code after a message, or
 * -1 to go on; *n may still be 0 then.  The names are static.
 */
int newest_take(const struct command *self, char **files, int *n, int wanted);

#endif
