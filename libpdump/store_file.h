/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of stores: where they are, and whether their process lives. */
#ifndef PDUMP_STORE_FILE_H
#define PDUMP_STORE_FILE_H

#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Make an empty file for the store of this process in PDUMP_STORE; by default
 * in the node's memory file system if it has room, else in the temporary
 * folder.  It is nobody else's, private, locked while the process lives.
 *
 * A descriptor and the path, PDUMP_ENOENT with PDUMP_STORE=off, or PDUMP_EIO.
 */
int pdump_store_file_make(const struct pdump_settings *set, const char *run,
                          char *path, size_t len);

/* Is the process that records into `path` alive? */
PDUMP_SHARED bool pdump_store_file_is_alive(const char *path);

/* The index-th folder where stores are looked for by default; false at the
 * end. */
PDUMP_SHARED bool pdump_store_file_folder(int index, char *out, size_t len);

/* Call each() for every store in `folder`, of the run `run` or of any (NULL),
 * in the order of their names; stops when it returns not 0, and returns that.
 * PDUMP_EIO if there is no such folder. */
PDUMP_SHARED int pdump_store_file_each(const char *folder, const char *run,
                                       int (*each)(const char *path,
                                                   void *data),
                                       void *data);

#endif
