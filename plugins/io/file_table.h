/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives files numbers: one for every path, and one for each kind of file
 * without a path.
 *
 * The functions may be called from several threads at once and from signal
 * handlers: they do not lock, wait or use malloc().  Numbers and texts stay
 * valid until the process ends.
 */
#ifndef PDUMP_IO_FILE_TABLE_H
#define PDUMP_IO_FILE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum pdump_io_file {
    PDUMP_IO_UNKNOWN, /* not looked up yet */
    PDUMP_IO_STDIN,   /* the three descriptors open at the start */
    PDUMP_IO_STDOUT,
    PDUMP_IO_STDERR,
    PDUMP_IO_PIPE,
    PDUMP_IO_SOCKET,
    PDUMP_IO_ANONYMOUS, /* without a name: memory, events, timers */
    PDUMP_IO_NONE,      /* descriptor is not open */
    PDUMP_IO_STREAMS,   /* fflush(NULL) */
    PDUMP_IO_MORE,      /* all paths after PDUMP_IO_FILES_MAX */
    PDUMP_IO_SYSTEM,    /* of MPI or the system: system.h */
    PDUMP_IO_HIDDEN,    /* excluded by the user */
    PDUMP_IO_FIRST,     /* the first number of a path */
};

/* The most paths with a number of their own; the others get PDUMP_IO_MORE. */
enum { PDUMP_IO_FILES_MAX = 1 << 16 };

/* Returns the number of a path; adds the path if it is new. */
uint32_t pdump_io_files_add(const char *path, size_t len);

/* Returns the text of a file number; static. */
const char *pdump_io_files_name(uint32_t file);

/* Finds the file behind a descriptor; PDUMP_IO_NONE if it is not open.  `path`
 * is the path that it was opened by, or NULL; it is used if there is no
 * /proc. */
uint32_t pdump_io_files_look(int fd, const char *path);

#endif
