/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI program that knows nothing of libpdump. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For sanitizers to find. */
static void overflow(int n)
{
    volatile char *block = malloc((size_t)n);

    if (block)
        block[n] = 1;
    free((void *)block);
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "";
    int rank = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d\n", rank);
    fflush(stdout);
    if (strcmp(end, "kill") == 0 && rank == 1)
        raise(SIGKILL);
    if (strcmp(end, "wait") == 0)
        sleep(100);
    if (strcmp(end, "overflow") == 0)
        overflow(argc);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return strcmp(end, "code") == 0 ? 3 : 0;
}
