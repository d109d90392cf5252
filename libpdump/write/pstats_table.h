/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump as Python's profilers see a run: functions and who called them, the
 * tree folded up.  Processes and threads are added up.
 */
#ifndef PDUMP_PSTATS_TABLE_H
#define PDUMP_PSTATS_TABLE_H

#include "stream/stream.h"

/* A recursion counts once in `primitive` and `total`. */
struct pdump_pstats_table_figures {
    int64_t calls;
    int64_t primitive;
    int64_t own;   /* ns without what it calls */
    int64_t total; /* ns with it */
};

struct pdump_pstats_table_function {
    const char *file; /* "~" if unknown, as cProfile has it */
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

/* Borrows the strings of the stream.  To be freed also if it failed. */
int pdump_pstats_table_of(struct pdump_stream *in,
                          struct pdump_pstats_table *out);
void pdump_pstats_table_free(struct pdump_pstats_table *p);

#endif
