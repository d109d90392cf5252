/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is being written. */
#ifndef PDUMP_NEW_FILE_H
#define PDUMP_NEW_FILE_H

#include <stdint.h>

/*
 * A new file, or folder.  It is written and read back by its descriptor,
 * because another user may have replaced its name.  Where a library can only
 * open names, as MPI does, the inode tells whether it has opened this file.
 */
struct pdump_new_file {
    int fd;           /* for reading and writing; -1: made by another process */
    int64_t inode;    /* its number */
    const char *path; /* borrowed; for messages */
};

#endif
