/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks that send messages of all kinds; then each copies its store, with
 * the events that are in it, to rank-N.store. */
#include <mpi.h>
#include <pdump.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, other;
static char out[4096], in[4096];

static void blocking(void)
{
    MPI_Status status;

    if (rank == 0) {
        MPI_Send(out, 100, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        MPI_Ssend(out, 10, MPI_INT, other, 2, MPI_COMM_WORLD);
        MPI_Recv(in, 4096, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, 4096, MPI_BYTE, other, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(in, 100, MPI_INT, other, 2, MPI_COMM_WORLD, &status);
        MPI_Send(out, 0, MPI_BYTE, other, 3, MPI_COMM_WORLD);
    }
    MPI_Send(out, 1, MPI_BYTE, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
    MPI_Sendrecv(out, 200 + rank, MPI_BYTE, other, 5, in, 4096, MPI_BYTE, other,
                 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nonblocking(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];

    for (int i = 0; i < 2; i++) {
        MPI_Irecv(in + 2000 * i, 2000, MPI_BYTE, other, 6 + i, MPI_COMM_WORLD,
                  &requests[i]);
        MPI_Isend(out, 300 + i, MPI_BYTE, other, 6 + i, MPI_COMM_WORLD,
                  &requests[2 + i]);
    }
    MPI_Waitall(4, requests, statuses);
}

static void persistent(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Recv_init(in, 4096, MPI_BYTE, other, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 400, MPI_BYTE, other, 8, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* The same two ranks with their numbers exchanged. */
static void reversed(void)
{
    MPI_Comm comm;
    int mine;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &mine);
    MPI_Sendrecv(out, 500, MPI_BYTE, 1 - mine, 9, in, 4096, MPI_BYTE,
                 MPI_ANY_SOURCE, 9, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

static int copy_store(void)
{
    char text[4096], buffer[65536];
    FILE *from, *to;
    glob_t found;
    size_t n;

    snprintf(text, sizeof(text), "%s/*-%ld.store", getenv("PDUMP_STORE"),
             (long)getpid());
    if (glob(text, 0, NULL, &found) != 0 || found.gl_pathc != 1)
        return 1;
    snprintf(text, sizeof(text), "rank-%d.store", rank);
    from = fopen(found.gl_pathv[0], "r");
    to = fopen(text, "w");
    globfree(&found);
    if (!from || !to)
        return 1;
    while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0)
        fwrite(buffer, 1, n, to);
    fclose(from);
    return fclose(to) != 0;
}

int main(int argc, char **argv)
{
    int sum, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    pdump_region_begin("work");
    blocking();
    nonblocking();
    persistent();
    reversed();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    pdump_region_end("work");
    code = copy_store();
    MPI_Finalize();
    return code;
}
