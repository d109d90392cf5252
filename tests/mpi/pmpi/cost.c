/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to be counted by pmpi_cost.sh: of MPI_Comm_rank or MPI_Sendrecv (rank,
 * message), and how many.  Without arguments: the compiler, as that makes a
 * difference. */
#include "compiler.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 0;
    char from[8] = "", to[8];
    int rank;

    if (n <= 0) {
        puts(compiler);
        return 0;
    }
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "rank") == 0)
        for (long i = 0; i < n; i++)
            MPI_Comm_rank(MPI_COMM_SELF, &rank);
    else
        for (long i = 0; i < n; i++)
            MPI_Sendrecv(from, 8, MPI_CHAR, 0, 0, to, 8, MPI_CHAR, 0, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
