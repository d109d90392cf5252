/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A private folder for new files: ".NAME.PID-N" in the folder where the files
 * will be, until they are complete.
 *
 * Only this user can enter it, so no other user finds a name there to replace.
 * All calls use descriptors of the two folders: even if the outer one is open
 * to all users, no existing file is opened and no link is followed.
 */
#ifndef PDUMP_PRIVATE_FOLDER_H
#define PDUMP_PRIVATE_FOLDER_H

#include "base/error.h"
#include "system/new_file.h"

#include <limits.h>
#include <stdbool.h>

struct pdump_private_folder {
    int place;           /* the folder it is in; borrowed */
    int fd;              /* the private folder itself, or -1 */
    bool is_ours;        /* the file system really keeps others out */
    char path[PATH_MAX]; /* for messages */
};

/* Makes a folder in `place`, a descriptor whose name is `dir`.  The caller ends
 * with pdump_private_folder_remove(), even after an error. */
int pdump_private_folder_make(int place, const char *dir, const char *name,
                              struct pdump_private_folder *out);

/* Removes the folder with what is left in it. */
void pdump_private_folder_remove(struct pdump_private_folder *p);

/* Makes a new, empty file or folder in it.  `path` gets its name, and is
 * borrowed by *out.  The caller closes the descriptor. */
int pdump_private_folder_add(const struct pdump_private_folder *p,
                             const char *name, bool is_folder,
                             char path[PATH_MAX], struct pdump_new_file *out);

#endif
