/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders that are missing. */
#ifndef PDUMP_FOLDER_H
#define PDUMP_FOLDER_H

#include "base/error.h"

/* Makes the folders above `path`, as far as possible. */
int pdump_folder_make_parents(const char *path);

/* Makes a folder and its parents, like mkdir -p. */
int pdump_folder_make(const char *dir);

#endif
