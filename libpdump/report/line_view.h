/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "lines", function by function: for those who show them beside the
 * source. */
#ifndef PDUMP_LINE_VIEW_H
#define PDUMP_LINE_VIEW_H

#include "dump/dump.h"

struct pdump_line {
    int number; /* from 1 on */
    int64_t hits;
    int64_t time;          /* ns */
    int64_t called;        /* of that, in functions that have lines, too */
    const int64_t *values; /* as a row of the table has them */
};

/* A region in a file. */
struct pdump_line_function {
    int region;       /* or -1 */
    const char *name; /* borrowed from the dump */
    char *file;
    int first; /* line that it begins at, as far as that is known */
    const struct pdump_line *lines; /* that were run, in order */
    int64_t n;
    int64_t time; /* of them all */
};

struct pdump_line_view {
    struct pdump_line_function *functions; /* those with most time first */
    int64_t n;                             /* 0: no lines were recorded */
    struct pdump_line *lines;              /* of all functions */
    int64_t *values;                       /* of all lines */
    /* Fields beside hits and times, from `first` to `last`; each one value. */
    const struct pdump_dump_detail *detail; /* borrowed */
    int first, last;
};

/* Over all threads and ranks; `dump` is borrowed as long as the view is used.
 * On success end with pdump_line_view_free(). */
PDUMP_SHARED int pdump_line_view(const struct pdump_dump *dump,
                                 struct pdump_line_view *out);
/* The same; PDUMP_ENOENT if no lines were recorded. */
PDUMP_SHARED int pdump_line_view_some(const struct pdump_dump *dump,
                                      struct pdump_line_view *out);
PDUMP_SHARED void pdump_line_view_free(struct pdump_line_view *view);

#endif
