/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends rank 1 many short messages, in two ways; all are to arrive. */
#include <mpi.h>

#include <stdio.h>

enum { MANY = 1000 };

static int rank;
static long sum;

static void at_once(long i)
{
    long got = 0;

    if (rank == 0)
        MPI_Send(&i, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += got;
}

static void later(long i)
{
    MPI_Request request;
    long got = 0;

    if (rank == 0)
        MPI_Isend(&i, 1, MPI_LONG, 1, 2, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(&got, 1, MPI_LONG, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += got;
}

int main(int argc, char **argv)
{
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < MANY; i++)
        at_once(i);
    for (long i = 0; i < MANY; i++)
        later(i);
    if (rank == 1)
        printf("sum %ld\n", sum);
    PMPI_Finalize();
    return 0;
}
