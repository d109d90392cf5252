/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PDUMP_IO: a comma-separated list of what to record.
 *
 * Each word is a class of files (files, pipes, sockets, standard, others), a
 * class of functions (posix, stdio), or a pattern of paths, which has a `/` or
 * a `*`.  Only what is listed is recorded; if no word of a kind is listed,
 * everything of that kind is.  A `-` before a word excludes it and keeps the
 * rest.
 *
 * Files of MPI and of the system (system.h) share one row.  The word "system"
 * gives each of them its own row; so does a pattern that matches a file.
 */
#ifndef PDUMP_IO_IO_FILTER_H
#define PDUMP_IO_IO_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/* The classes as bits. */
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
    const char *patterns; /* the list with patterns; NULL: there are none */
    const char *unknown;  /* the first unknown word, or NULL */
    enum { PDUMP_IO_TOGETHER, PDUMP_IO_ONE_BY_ONE, PDUMP_IO_LEFT_OUT } system;
};

/* `list` is borrowed as long as the filter is used; NULL: record everything. */
void pdump_io_filter_read(struct pdump_io_filter *filter, const char *list);

/* Returns true unless the patterns exclude the path (any text). */
bool pdump_io_filter_takes_path(const struct pdump_io_filter *filter,
                                const char *path);

/* Returns true if the path matches a pattern without a minus. */
bool pdump_io_filter_lists(const struct pdump_io_filter *filter,
                           const char *path);

/* Returns true unless the patterns or the file's class exclude the file. */
bool pdump_io_filter_takes(const struct pdump_io_filter *filter, uint32_t file);

#endif
