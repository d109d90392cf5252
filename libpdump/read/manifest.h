/* SPDX-License-Identifier: BSD-3-Clause */
/* The manifest of a run's folder (PDUMP_EXPERIMENT_DIR): it names the run and
 * the dumps in the folder. */
#ifndef PDUMP_MANIFEST_H
#define PDUMP_MANIFEST_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define PDUMP_MANIFEST "manifest.txt"
#define PDUMP_MANIFEST_TITLE "libpdump run 1" /* its first line */

/* Opens the manifest in `dir` and skips its title.  Returns NULL if there is
 * none. */
FILE *pdump_manifest_open(const char *dir);

/* Returns the file of a dump if the line of a manifest names one, otherwise
 * NULL.  The result is part of the line, whose newline is removed. */
const char *pdump_manifest_dump(char *line);

/* Returns true if `dir` is the folder of the run `run` (NULL: of any run). */
bool pdump_manifest_is_of(const char *dir, const char *run);

/* Finds the dump in the folder `dir`: PDUMP_EIO if it is not the folder of a
 * run, or if it contains what no run makes, such as a pipe; PDUMP_EFORMAT if it
 * does not have exactly one dump. */
int pdump_manifest_find(const char *dir, char path[PATH_MAX]);

#endif
