/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out which of several dumps belong to one run, and how to number their
 * ranks side by side.
 *
 * A forked process belongs to the run of its parent, even if that is in another
 * file.  Otherwise, a dump with a rank that an earlier run already has belongs
 * to another run.  The ranks of such a run get numbers above all others, so
 * that rank 0 of Monday is not taken for rank 0 of Tuesday.
 */
#ifndef PDUMP_RUN_GROUPS_H
#define PDUMP_RUN_GROUPS_H

#include "base/pair_index.h"

#include "dump/dump.h"

struct pdump_run_groups_process {
    int file;
    int rank;
    int64_t pid;
    int64_t parent;
    int64_t host; /* a number that stands for the host name */
};

struct pdump_run_groups_file {
    int first;     /* index of its first process */
    int run;       /* index of the first file of its run */
    int64_t shift; /* added to its ranks */
    /* Only valid in the first file of a run, for the whole run: */
    int low;
    int high;
    bool is_again;     /* an earlier run already has one of its ranks */
    int64_t job_ranks; /* from the metadata if not all ranks have rows; or 0 */
};

/* Starts as zeroes. */
struct pdump_run_groups {
    struct pdump_run_groups_file *files;
    struct pdump_run_groups_process *processes;
    int n_files;
    int n_processes;
    int n_shifted;   /* number of runs with a shift */
    int64_t n_ranks; /* of all runs together */
};

/* Adds a file. */
int pdump_run_groups_add(struct pdump_run_groups *r,
                         const struct pdump_dump *dump);

/* Call this when all files have been added: finds the runs and, if `is_apart`,
 * the shifts. */
int pdump_run_groups_settle(struct pdump_run_groups *r, bool is_apart);

void pdump_run_groups_free(struct pdump_run_groups *r);

#endif
