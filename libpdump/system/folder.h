/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders that are missing, opens them, and works on what is in them. */
#ifndef PDUMP_FOLDER_H
#define PDUMP_FOLDER_H

#include "base/error.h"

#include <stdbool.h>

/* Makes the folders above `path`, as far as possible. */
int pdump_folder_make_parents(const char *path);

/* Makes a folder and its parents, like mkdir -p. */
int pdump_folder_make(const char *dir);

/* Opens a folder to look names up in it (O_PATH), or, with `is_link_refused`,
 * only if the last part of its name is no link.  PDUMP_EIO. */
int pdump_folder_open(const char *dir, bool is_link_refused);

/* Calls each() for `name` in a folder; if that is a folder, first for all that
 * it contains.  Follows no link.  Returns the first error, after which it goes
 * on. */
typedef int pdump_folder_visit(int folder, const char *name, bool is_folder,
                               void *data);
PDUMP_SHARED int pdump_folder_walk(int folder, const char *name,
                                   pdump_folder_visit *each, void *data);

/* Removes `name` with its contents, like rm -r; only the contents if it is
 * ".". */
PDUMP_SHARED void pdump_folder_remove(int folder, const char *name);

/* Writes `name` and its contents to the disk.  PDUMP_EIO; the message has
 * `path`. */
int pdump_folder_sync(int folder, const char *name, const char *path);

/* Renames, but never replaces anything.  Returns 0, or -1 with errno. */
int pdump_folder_rename_new(int from_folder, const char *from, int to_folder,
                            const char *to);

#endif
