/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Four ranks with messages around a ring, and collectives of several groups.
 *
 * Each collective is in a region of its own, which has the same name on every
 * rank that takes part: so a test knows what belongs together.
 */
#include <mpi.h>
#include <pdump.h>

#include <stdio.h>

static int rank, size;

static void send_around(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    char out[1000] = "", in[1000];
    MPI_Request requests[2];
    MPI_Status statuses[2];

    for (int i = 0; i < 10; i++) {
        MPI_Sendrecv(out, 10 + rank, MPI_BYTE, right, i % 2, in, sizeof(in),
                     MPI_BYTE, left, i % 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(in, sizeof(in), MPI_BYTE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(out, 100 * i, MPI_BYTE, left, 7, MPI_COMM_WORLD,
                  &requests[1]);
        MPI_Waitall(2, requests, statuses);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* One of each on `comm`, in regions called after `name`. */
static void collect(MPI_Comm comm, const char *name)
{
    int one = 1, sum;
    MPI_Request request;
    char text[40];

    snprintf(text, sizeof(text), "%s: all", name);
    pdump_region_begin(text);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    pdump_region_end(text);
    snprintf(text, sizeof(text), "%s: later", name);
    pdump_region_begin(text);
    MPI_Ibcast(&one, 1, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pdump_region_end(text);
    snprintf(text, sizeof(text), "%s: barrier", name);
    pdump_region_begin(text);
    MPI_Barrier(comm);
    pdump_region_end(text);
}

int main(int argc, char **argv)
{
    MPI_Comm half, copy, turned, between;
    int is_odd;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    is_odd = rank % 2;
    send_around();
    collect(MPI_COMM_WORLD, "world");
    MPI_Comm_split(MPI_COMM_WORLD, is_odd, rank, &half);
    collect(half, is_odd ? "odd" : "even");
    /* Halves need not do the same. */
    if (is_odd)
        collect(half, "odd again");
    /* What one rank does not record counts on all. */
    if (rank == 1)
        pdump_disable_recording();
    collect(MPI_COMM_WORLD, "not by 1");
    if (rank == 1)
        pdump_enable_recording();
    /* The same ranks in the same order, and in another. */
    MPI_Comm_dup(half, &copy);
    collect(copy, is_odd ? "odd copy" : "even copy");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    collect(turned, "turned");
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - is_odd, 3, &between);
    pdump_region_begin("between: barrier");
    MPI_Barrier(between);
    pdump_region_end("between: barrier");
    collect(MPI_COMM_WORLD, "world again");
    MPI_Comm_free(&between);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
