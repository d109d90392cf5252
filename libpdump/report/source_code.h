/* SPDX-License-Identifier: BSD-3-Clause */
/* The source that a program was run from, as it is now. */
#ifndef PDUMP_SOURCE_CODE_H
#define PDUMP_SOURCE_CODE_H

#include "dump/dump.h"

/* Starts with zeroes, ends with pdump_source_code_free(). */
struct pdump_source_code {
    char *text;         /* the whole file, lines ended by NULs */
    const char **lines; /* the first is [0] */
    int n_lines;        /* 0: there is no source */
};

/* What is wrong with it, static: it is gone, or newer than the run.  NULL if
 * nothing is known to be wrong. */
PDUMP_SHARED const char *pdump_source_code_read(struct pdump_source_code *s,
                                                const char *file,
                                                const struct pdump_dump *dump);
PDUMP_SHARED void pdump_source_code_free(struct pdump_source_code *s);

/* A line, counted from 1, without tabs; empty if there is none.  In `buf`. */
PDUMP_SHARED const char *pdump_source_code_line(
    const struct pdump_source_code *s, int number, char *buf, size_t len);

/* The last line of the function that begins at `first` and has the line `last`,
 * by its indentation. */
PDUMP_SHARED int pdump_source_code_end(const struct pdump_source_code *s,
                                       int first, int last);

#endif
