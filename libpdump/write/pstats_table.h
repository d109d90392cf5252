/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts a dump to the tables of Python's profilers: functions and their
 * callers instead of a tree.  Processes and threads are added up.
 */
#ifndef PDUMP_PSTATS_TABLE_H
#define PDUMP_PSTATS_TABLE_H

#include "stream/stream.h"

/* A recursion counts once in `primitive` and `total`. */
struct pdump_pstats_table_figures {
    int64_t calls;
    int64_t primitive;
    int64_t own;   /* ns without the functions that it calls */
    int64_t total; /* ns with them */
};

struct pdump_pstats_table_function {
    const char *file; /* "~" if unknown, as in cProfile */
    int line;
    const char *name;
    struct pdump_pstats_table_figures figures;
};

/* One function called by another. */
struct pdump_pstats_table_call {
    int caller;
    int callee;
    struct pdump_pstats_table_figures figures;
};

struct pdump_pstats_table {
    struct pdump_pstats_table_function *functions;
    int n_functions;
    struct pdump_pstats_table_call *calls; /* sorted by callee */
    int n_calls;
};

/* The strings are borrowed from the stream.  The caller frees the table, also
 * after an error. */
int pdump_pstats_table_of(struct pdump_stream *in,
                          struct pdump_pstats_table *out);
void pdump_pstats_table_free(struct pdump_pstats_table *p);

#endif
