/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that are measured as a user would: PROGRAM CASE.  Each prints "done"
 * at its end, whatever became of MPI and of the measurement. */
#ifndef PDUMP_TESTS_MPI_JOB_KIT_H
#define PDUMP_TESTS_MPI_JOB_KIT_H

#include "program/behaviour/kit.h"

#include <mpi.h>
#include <unistd.h>

static int rank, size;

static inline void look_around(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline void start(void)
{
    MPI_Init(NULL, NULL);
    look_around();
}

/* What `worked` of dumps.sh expects: solve 1, 2, 3 ... times on rank 0, 1, 2
 * ..., and solve/inner twice as often. */
static inline void work(void)
{
    for (int i = 0; i <= rank; i++) {
        OK(pdump_region_begin("solve"));
        visit("inner");
        visit("inner");
        OK(pdump_region_end("solve"));
    }
}

static inline int main_of(int argc, char **argv, const struct behaviour *table)
{
    int code = run_behaviour(argc, argv, table);

    printf("done\n");
    fflush(stdout);
    return code;
}

#endif
