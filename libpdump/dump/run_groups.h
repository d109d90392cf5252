/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of several dumps are of one run, and what to call their ranks when all
 * of them stand side by side.
 *
 * A process that was forked belongs to the run of the one that forked it, in
 * whatever file that is.  All else that has a rank which another run has got
 * already is another run: its ranks get numbers behind those of all others, so
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
    int64_t host; /* a number that stands for its name */
};

struct pdump_run_groups_file {
    int first;     /* process */
    int run;       /* the number of the first file of its run */
    int64_t shift; /* to be added to its ranks */
    /* Of runs, that is of their first files: */
    int low;
    int high;
    bool is_again;     /* another run had one of its ranks before */
    int64_t job_ranks; /* as metadata say, where rows are not of all; or 0 */
};

/* Starts as zeroes. */
struct pdump_run_groups {
    struct pdump_run_groups_file *files;
    struct pdump_run_groups_process *processes;
    int n_files;
    int n_processes;
    int n_shifted;   /* runs */
    int64_t n_ranks; /* of all of them together */
};

/* One more file. */
int pdump_run_groups_add(struct pdump_run_groups *r,
                         const struct pdump_dump *dump);

/* All files are there: find the runs and, if `is_apart`, the shifts. */
int pdump_run_groups_settle(struct pdump_run_groups *r, bool is_apart);

void pdump_run_groups_free(struct pdump_run_groups *r);

#endif
