/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls while recording is on and off, on 2 ranks; ledger.h tells of those that
 * count. */
#include "ledger.h"

#include <mpi.h>
#include <pdump.h>
#include <pthread.h>

/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;
static int rank, other;
static char out[100], in[100];

static void exchange(int bytes)
{
    MPI_Sendrecv(out, bytes, MPI_BYTE, other, 1, in, 100, MPI_BYTE, other, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_counts(int bytes)
{
    exchange(bytes);
    did("MPI_Sendrecv", bytes, bytes, 0);
    met(1, other, bytes);
    met(0, other, bytes);
}

static void start(MPI_Request *requests)
{
    MPI_Irecv(in, 100, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(out, 5, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[1]);
}

static void start_counts(MPI_Request *requests)
{
    start(requests);
    did("MPI_Irecv", 0, 0, 0);
    did("MPI_Isend", 5, 0, 0);
    met(1, other, 5);
}

static void blocking(void)
{
    exchange_counts(1);
    pdump_disable_recording();
    exchange(2);
    MPI_Bcast(out, 100, MPI_BYTE, 0, MPI_COMM_WORLD);
    pdump_disable_recording();
    exchange(3);
    pdump_enable_recording();
    exchange(4);
    pdump_enable_recording();
    exchange_counts(8);
    pdump_disable_recording_all();
    exchange(16);
    pdump_enable_recording_all();
    exchange_counts(32);
}

/* What was begun is complete, or is not known, whatever was on in between. */
static void requests(void)
{
    MPI_Request both[2];

    start_counts(both);
    pdump_disable_recording();
    MPI_Waitall(2, both, ignored);
    start(both);
    pdump_enable_recording();
    MPI_Waitall(2, both, ignored);
    did("MPI_Waitall", 0, 0, 0);
    start_counts(both);
    MPI_Waitall(2, both, ignored);
    did("MPI_Waitall", 0, 5, 2);
    met(0, other, 5);
}

static void prepare(MPI_Request *both)
{
    MPI_Recv_init(in, 100, MPI_BYTE, other, 3, MPI_COMM_WORLD, &both[0]);
    MPI_Send_init(out, 7, MPI_BYTE, other, 3, MPI_COMM_WORLD, &both[1]);
}

static void persistent(void)
{
    MPI_Request both[2], unknown[2];

    prepare(both);
    did("MPI_Recv_init", 0, 0, 0);
    did("MPI_Send_init", 0, 0, 0);
    pdump_disable_recording();
    MPI_Startall(2, both);
    pdump_enable_recording();
    MPI_Waitall(2, both, ignored);
    did("MPI_Waitall", 0, 0, 0);
    MPI_Startall(2, both);
    did("MPI_Startall", 7, 0, 0);
    MPI_Waitall(2, both, ignored);
    did("MPI_Waitall", 0, 7, 2);
    met(1, other, 7);
    met(0, other, 7);
    pdump_disable_recording();
    prepare(unknown);
    pdump_enable_recording();
    MPI_Startall(2, unknown);
    did("MPI_Startall", 0, 0, 0);
    MPI_Waitall(2, unknown, ignored);
    did("MPI_Waitall", 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        PMPI_Request_free(&both[i]);
        PMPI_Request_free(&unknown[i]);
    }
}

static void *on_thread(void *arg)
{
    (void)arg;
    exchange_counts(64);
    return NULL;
}

/* It is this thread whose recording is off. */
static void threads(void)
{
    pthread_t thread;

    pdump_disable_recording();
    if (pthread_create(&thread, NULL, on_thread, NULL) == 0)
        pthread_join(thread, NULL);
    exchange(65);
    pdump_enable_recording();
}

/* With PDUMP_MPI=sync the others wait for a rank that records nothing, too. */
static void on_one_rank(void)
{
    if (rank == 0)
        pdump_disable_recording();
    MPI_Bcast(out, 9, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        pdump_enable_recording();
    else
        did("MPI_Bcast", 0, 9, 0);
}

int main(int argc, char **argv)
{
    int level;

    PMPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    blocking();
    requests();
    persistent();
    threads();
    on_one_rank();
    tell(rank);
    PMPI_Finalize();
    return 0;
}
