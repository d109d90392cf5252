/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to be counted by pmpi_cost.sh: of MPI_Comm_rank, MPI_Sendrecv, or
 * MPI_Put and MPI_Win_flush (rank, message, window), and how many; the third
 * argument is the number of other windows, which are not used.  Without
 * arguments: the compiler, as that makes a difference. */
#include "compiler.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS_MAX = 8 };

static void window(long n, int n_others)
{
    char from[8] = "", *memory;
    MPI_Win win, others[OTHERS_MAX];

    for (int i = 0; i < n_others; i++)
        MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                         &others[i]);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < n; i++) {
        MPI_Put(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    for (int i = 0; i < n_others; i++)
        MPI_Win_free(&others[i]);
}

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
    else if (strcmp(argv[1], "window") == 0)
        window(n, argc > 3 ? atoi(argv[3]) % OTHERS_MAX : 0);
    else
        for (long i = 0; i < n; i++)
            MPI_Sendrecv(from, 8, MPI_CHAR, 0, 0, to, 8, MPI_CHAR, 0, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
