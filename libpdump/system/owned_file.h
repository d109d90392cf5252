/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening files in folders that every user of the machine can write to.
 *
 * A file is accepted only if it is a regular file that belongs to the effective
 * user, has no further hard links, and is not writable by other users.  No
 * other file is followed, waited for, read or removed.
 */
#ifndef PDUMP_OWNED_FILE_H
#define PDUMP_OWNED_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* From now on accept the files of `user`, instead of those of the effective
 * user or in addition to them.  The first is for `pdump recover --user`, the
 * second for `pdump run` as root, whose processes may drop their privileges. */
PDUMP_SHARED void pdump_owned_file_instead(uid_t user);
PDUMP_SHARED void pdump_owned_file_also(uid_t user);

/* Open the folder of `path` (O_PATH), and point *name (borrowed) to the rest of
 * the path.  Returns a descriptor, or -1 with errno. */
int pdump_owned_file_folder(const char *path, const char **name);

/* Open the file `name`, which has no slash, in `folder`; `flags` is O_RDONLY or
 * O_RDWR.  Returns a descriptor, or PDUMP_EIO with the reason; errno is EPERM
 * if the file belongs to another user or could be changed by one. */
int pdump_owned_file_open_at(int folder, const char *name, int flags);
PDUMP_SHARED int pdump_owned_file_open(const char *path, int flags);

/* Remove a file if it is the one that is open as `fd`.  Returns false with
 * errno if it is not, or cannot be removed. */
bool pdump_owned_file_remove_at(int folder, const char *name, int fd);
PDUMP_SHARED bool pdump_owned_file_remove(const char *path, int fd);

/* Returns true if the file open as `fd` belongs to the effective user. */
bool pdump_owned_file_is_self(int fd);

#endif
