/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "lines", function by function, for showing it beside the source. */
#ifndef PDUMP_LINE_VIEW_H
#define PDUMP_LINE_VIEW_H

#include "dump/dump.h"

struct pdump_line {
    int number; /* from 1 on */
    int64_t hits;
    int64_t time;   /* ns */
    int64_t called; /* part of `time` in functions that have lines themselves */
    const int64_t *values; /* in the layout of a row of the table */
};

/* A region with its file. */
struct pdump_line_function {
    int region;       /* or -1 */
    const char *name; /* borrowed from the dump */
    char *file;
    int first; /* first line of the function, as far as known */
    const struct pdump_line *lines; /* that were executed, in order */
    int64_t n;
    int64_t time; /* of all its lines */
};

struct pdump_line_view {
    struct pdump_line_function *functions; /* most time first */
    int64_t n;                             /* 0: no lines were recorded */
    struct pdump_line *lines;              /* of all functions */
    int64_t *values;                       /* of all lines */
    /* The fields other than hits and times, from `first` to `last`; each has
     * one value. */
    const struct pdump_dump_detail *detail; /* borrowed */
    int first, last;
};

/* Makes the view over all threads and ranks; `dump` is borrowed as long as it
 * is used.  On success, the caller ends with pdump_line_view_free(). */
PDUMP_SHARED int pdump_line_view(const struct pdump_dump *dump,
                                 struct pdump_line_view *out);
/* The same for the functions of stacks: hits and time are those of the stacks
 * that end in a line. */
int pdump_line_view_stacks(const struct pdump_dump *dump,
                           struct pdump_line_view *out);
/* Makes the view; PDUMP_ENOENT if no lines were recorded. */
int pdump_line_view_some(const struct pdump_dump *dump,
                         struct pdump_line_view *out);
PDUMP_SHARED void pdump_line_view_free(struct pdump_line_view *view);

#endif
