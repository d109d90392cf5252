/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of stores: their folders, names and locks. */
#ifndef PDUMP_STORE_FILE_H
#define PDUMP_STORE_FILE_H

#include "config/settings.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Create a file for the store of this process.  If `root`, the path of the
 * store of the run's first process, is not "", the file is created in the same
 * folder, where that process looks for it.  Otherwise, or if that fails, it is
 * created in PDUMP_STORE, which is made if it is missing; by default in the
 * node's memory file system if it has room, else in the temporary folder.  A
 * store whose events go to a file beside it is on a disk by default.  The file
 * is new, private, and locked while the process lives.
 *
 * Returns a descriptor, with the path in `path`; PDUMP_ENOENT with
 * PDUMP_STORE=off; or PDUMP_EIO.
 */
int pdump_store_file_make(const struct pdump_settings *set, const char *run,
                          const char *root, char *path, size_t len);

/* Write a shell pattern that matches the stores of all processes of the run of
 * `path`. */
void pdump_store_file_pattern(const char *path, const char *run, char *out,
                              size_t len);

/* Returns true if the open store is locked by another descriptor, that is, if
 * its process is alive. */
bool pdump_store_file_is_locked(int fd);

/* Returns true if `path` is locked, that is, if the process that records into
 * it is alive. */
PDUMP_SHARED bool pdump_store_file_is_alive(const char *path);

/* The lock of a store marks its owner: the process that records into it, or one
 * that takes it over later.  Locking succeeds if no one has the lock, the file
 * is not empty (it is then being created), and `path` is still that file. */
bool pdump_store_file_lock(int fd, const char *path);
void pdump_store_file_unlock(int fd);

/* Write the index-th of the folders in which stores are looked for by default.
 * Returns false at the end. */
PDUMP_SHARED bool pdump_store_file_folder(int index, char *out, size_t len);

/* Call each() for every store in `folder`, in the order of their names: the
 * stores of the run `run`, or of any run if it is NULL, including those that a
 * process has taken over (run_children.h).  Stops when each() returns a value
 * other than 0, and returns that.  PDUMP_EIO if there is no such folder. */
PDUMP_SHARED int pdump_store_file_each(const char *folder, const char *run,
                                       int (*each)(const char *path,
                                                   void *data),
                                       void *data);

#endif
