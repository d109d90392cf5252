/* SPDX-License-Identifier: BSD-3-Clause */
/* The manifest of a run's folder (PDUMP_EXPERIMENT_DIR): which run it is of,
 * and which dumps are in it. */
#ifndef PDUMP_MANIFEST_H
#define PDUMP_MANIFEST_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define PDUMP_MANIFEST "manifest.txt"
#define PDUMP_MANIFEST_TITLE "libpdump run 1" /* its first line */

/* Open the manifest in `dir`, behind its title; NULL if there is none. */
FILE *pdump_manifest_open(const char *dir);

/* The file of a dump that a line of a manifest names, or NULL.  Part of the
 * line, whose newline is cut off. */
const char *pdump_manifest_dump(char *line);

/* Returns true if `dir` is the folder of the run `run` (NULL: of any). */
bool pdump_manifest_is_of(const char *dir, const char *run);

/* The dump in the folder at `dir`: PDUMP_EIO if that is none of ours,
 * PDUMP_EFORMAT if there is not exactly one. */
int pdump_manifest_find(const char *dir, char path[PATH_MAX]);

#endif
