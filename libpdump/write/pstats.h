/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump as Python's profilers see a run: functions and who called them, the
 * tree folded up.  Processes and threads are added up.
 */
#ifndef PDUMP_PSTATS_H
#define PDUMP_PSTATS_H

#include "stream/stream.h"

/* A recursion counts once in `primitive` and `total`. */
struct pdump_pstats_figures {
    int64_t calls;
    int64_t primitive;
    int64_t own;   /* ns without what it calls */
    int64_t total; /* ns with it */
};

struct pdump_pstats_function {
    const char *file; /* "~" if unknown, as cProfile has it */
    int line;
    const char *name;
    struct pdump_pstats_figures figures;
};

/* One function called by another. */
struct pdump_pstats_call {
    int caller;
    int callee;
    struct pdump_pstats_figures figures;
};

struct pdump_pstats {
    struct pdump_pstats_function *functions;
    int n_functions;
    struct pdump_pstats_call *calls; /* sorted by callee */
    int n_calls;
};

/* Borrows the strings of the stream.  To be freed also if it failed. */
int pdump_pstats_of(struct pdump_stream *in, struct pdump_pstats *out);
void pdump_pstats_free(struct pdump_pstats *p);

#endif
