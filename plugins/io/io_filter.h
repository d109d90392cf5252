/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PDUMP_IO: what to record, a comma-separated list.
 *
 * A class of files (files, pipes, sockets, standard, others), one of functions
 * (posix, stdio), or a pattern of paths, which has a `/` or a `*`.  Only what
 * is listed is recorded; of classes that are not mentioned, everything.  With a
 * `-` in front all but this.
 *
 * Files of MPI and of the system (system.h) share one row.  The word "system"
 * gives each of them its own row; so does a pattern that matches a file.
 */
#ifndef PDUMP_IO_IO_FILTER_H
#define PDUMP_IO_IO_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/* Classes, as bits. */
enum {
    PDUMP_IO_FILES = 1,
    PDUMP_IO_PIPES = 2,
    PDUMP_IO_SOCKETS = 4,
    PDUMP_IO_STANDARD = 8,
    PDUMP_IO_OTHERS = 16,
    PDUMP_IO_POSIX = 32,
    PDUMP_IO_STDIO = 64,
};

struct pdump_io_filter {
    unsigned classes;
    const char *patterns; /* the list that they are in; NULL: there are none */
    const char *unknown;  /* the first word that is none of these, or NULL */
    enum { PDUMP_IO_TOGETHER, PDUMP_IO_ONE_BY_ONE, PDUMP_IO_LEFT_OUT } system;
};

/* `list` is borrowed for as long as the filter is used; NULL: everything. */
void pdump_io_filter_read(struct pdump_io_filter *filter, const char *list);

/* Is a path (any text) not left out by the patterns? */
bool pdump_io_filter_takes_path(const struct pdump_io_filter *filter,
                                const char *path);

/* Returns true if the path matches a pattern without a minus. */
bool pdump_io_filter_lists(const struct pdump_io_filter *filter,
                           const char *path);

/* The same as pdump_io_filter_takes_path() for a file by its number, its class
 * included. */
bool pdump_io_filter_takes(const struct pdump_io_filter *filter, uint32_t file);

#endif
