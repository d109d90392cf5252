/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that have more to do the higher they are, and pass it on: who waits?
 *   mpicc ring.c $(pkg-config --cflags --libs pdump) && mpirun -n 4 ./a.out */
#include <math.h>
#include <mpi.h>
#include <pdump.h>
#include <stdio.h>

enum { STEPS = 20, CELLS = 20000 };

static double cells[CELLS];

static void compute(int rank)
{
    pdump_region_begin("compute");
    for (int again = 0; again <= rank; again++)
        for (int i = 1; i < CELLS; i++)
            cells[i] = sqrt(cells[i] + cells[i - 1] + 1);
    pdump_region_end("compute");
}

static void exchange(int rank, int size)
{
    pdump_region_begin("exchange");
    MPI_Sendrecv(&cells[CELLS - 1], 1, MPI_DOUBLE, (rank + 1) % size, 0,
                 &cells[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pdump_region_end("exchange");
}

static double reduce(void)
{
    double sum;

    pdump_region_begin("reduce");
    MPI_Allreduce(&cells[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    pdump_region_end("reduce");
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pdump_region_begin("ring");
    for (int step = 0; step < STEPS; step++) {
        compute(rank);
        exchange(rank, size);
        sum = reduce();
    }
    if (rank == 0) {
        pdump_region_begin("print");
        printf("%d ranks, sum %.6f\n", size, sum);
        pdump_region_end("print");
    }
    pdump_region_end("ring");
    MPI_Finalize(); /* writes one file for all ranks */
    return 0;
}
