/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a recorded call of MPI costs. */
#include "../../wrap/visit_cost/rounds.h"

#include <mpi.h>

static PLAIN void calls(int n)
{
    int rank;

    for (int i = 0; i < n; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static PLAIN void bare(int n)
{
    int rank;

    for (int i = 0; i < n; i++)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    print_cost(calls, bare);
    MPI_Finalize();
    return 0;
}
