/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the current source of a program that was measured. */
#ifndef PDUMP_SOURCE_CODE_H
#define PDUMP_SOURCE_CODE_H

#include "dump/dump.h"

/* Starts as zeroes, ends with pdump_source_code_free(). */
struct pdump_source_code {
    char *text;         /* the whole file; each line ends with a NUL */
    const char **lines; /* line 1 is lines[0] */
    int n_lines;        /* 0: no source */
};

/* Reads the file.  Returns what is wrong with it, static: it does not exist, or
 * is newer than the run.  NULL if nothing is known to be wrong. */
PDUMP_SHARED const char *pdump_source_code_read(struct pdump_source_code *s,
                                                const char *file,
                                                const struct pdump_dump *dump);
PDUMP_SHARED void pdump_source_code_free(struct pdump_source_code *s);

/* Copies a line, counted from 1, to `buf`, with tabs replaced by blanks; empty
 * if there is no such line.  Returns `buf`. */
PDUMP_SHARED const char *pdump_source_code_line(
    const struct pdump_source_code *s, int number, char *buf, size_t len);

/* Returns the last line of the function that begins at `first` and contains the
 * line `last`, found by indentation. */
PDUMP_SHARED int pdump_source_code_end(const struct pdump_source_code *s,
                                       int first, int last);

#endif
