/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises the side files of a CSV dump, such as "run.meta.csv". */
#ifndef PDUMP_CSV_SIDE_H
#define PDUMP_CSV_SIDE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns true if `path` is named like a side file and is no profile itself.
 * `stem` gets the length of what it has in common with the main file; it may be
 * NULL. */
PDUMP_SHARED bool pdump_csv_is_side(const char *path, size_t *stem);

/* Returns the length of `path` without its ending, which is what the side files
 * of this main file have in common with it. */
PDUMP_SHARED size_t pdump_csv_stem(const char *path);

/* Fails with a message that says what the side file is; PDUMP_EFORMAT. */
int pdump_csv_side_fail(const char *path);

#endif
