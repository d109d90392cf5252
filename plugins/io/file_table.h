/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files by number: every path once, and what is no path by what it is.
 *
 * Calls may come from threads at once and from signal handlers: nothing here
 * locks, waits or uses malloc().  Numbers and texts stay until the process
 * ends.
 */
#ifndef PDUMP_IO_FILE_TABLE_H
#define PDUMP_IO_FILE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum pdump_io_file {
    PDUMP_IO_UNKNOWN, /* not looked at yet */
    PDUMP_IO_STDIN,   /* the three that were there at the start */
    PDUMP_IO_STDOUT,
    PDUMP_IO_STDERR,
    PDUMP_IO_PIPE,
    PDUMP_IO_SOCKET,
    PDUMP_IO_ANONYMOUS, /* has no name: memory, events, timers */
    PDUMP_IO_NONE,      /* no open descriptor */
    PDUMP_IO_STREAMS,   /* fflush(NULL) */
    PDUMP_IO_MORE,      /* all those that there are no numbers for */
    PDUMP_IO_SYSTEM,    /* not the program's: system.h */
    PDUMP_IO_HIDDEN,    /* the user does not want to see it */
    PDUMP_IO_FIRST,     /* of those with paths */
};

/* So many paths have a number of their own; PDUMP_IO_MORE for the others. */
enum { PDUMP_IO_FILES_MAX = 1 << 16 };

/* The number of a path. */
uint32_t pdump_io_files_add(const char *path, size_t len);

/* Its text; static. */
const char *pdump_io_files_name(uint32_t file);

/* What is behind a descriptor: PDUMP_IO_NONE if nothing is open there. `path`
 * is what it was opened by, if that is known, for systems without /proc. */
uint32_t pdump_io_files_look(int fd, const char *path);

#endif
