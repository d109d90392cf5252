/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of all kinds, on 3 ranks; ledger.h tells what there was. */
#include "ledger.h"

#include <mpi.h>
#include <stdlib.h>

/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;

enum { N = 100 };

static MPI_Comm world; /* MPI_COMM_WORLD, or the same ranks the other way */
static int rank, size, left, right, world_left, world_right;
static double from[N], to[N];

static void sent(const char *name, int count)
{
    did(name, count * 8, 0, 0);
    met(1, world_right, count * 8);
}

static void received(const char *name, int count)
{
    did(name, 0, count * 8, 0);
    met(0, world_left, count * 8);
}

/* Even what is larger than the buffers: an odd number of ranks needs care. */
static void blocking(void)
{
    MPI_Message message;
    MPI_Status status;

    MPI_Bsend(from, 3, MPI_DOUBLE, right, 1, world);
    sent("MPI_Bsend", 3);
    MPI_Recv(to, N, MPI_DOUBLE, MPI_ANY_SOURCE, 1, world, MPI_STATUS_IGNORE);
    received("MPI_Recv", 3);
    MPI_Send(from, rank + 1, MPI_DOUBLE, right, 2, world);
    sent("MPI_Send", rank + 1);
    MPI_Probe(left, 2, world, &status);
    did("MPI_Probe", 0, 0, 0);
    MPI_Recv(to, N, MPI_DOUBLE, left, 2, world, &status);
    received("MPI_Recv", left + 1);
    MPI_Send(from, 0, MPI_DOUBLE, right, 3, world);
    sent("MPI_Send", 0);
    MPI_Mprobe(MPI_ANY_SOURCE, 3, world, &message, &status);
    did("MPI_Mprobe", 0, 0, 0);
    MPI_Mrecv(to, N, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    received("MPI_Mrecv", 0);
    MPI_Sendrecv(from, 5, MPI_DOUBLE, right, 4, to, N, MPI_DOUBLE, left, 4,
                 world, MPI_STATUS_IGNORE);
    did("MPI_Sendrecv", 40, 40, 0);
    MPI_Sendrecv_replace(from, 6, MPI_DOUBLE, right, 5, MPI_ANY_SOURCE, 5,
                         world, MPI_STATUS_IGNORE);
    did("MPI_Sendrecv_replace", 48, 48, 0);
    for (int i = 5; i <= 6; i++) {
        met(1, world_right, i * 8);
        met(0, world_left, i * 8);
    }
    MPI_Send(from, N, MPI_DOUBLE, MPI_PROC_NULL, 0, world);
    did("MPI_Send", 0, 0, 0);
    MPI_Recv(to, N, MPI_DOUBLE, MPI_PROC_NULL, 0, world, MPI_STATUS_IGNORE);
    did("MPI_Recv", 0, 0, 0);
}

static void start(MPI_Request *requests, int tag)
{
    MPI_Irecv(to, N, MPI_DOUBLE, MPI_ANY_SOURCE, tag, world, &requests[0]);
    did("MPI_Irecv", 0, 0, 0);
    MPI_Isend(from, 2, MPI_DOUBLE, right, tag, world, &requests[1]);
    sent("MPI_Isend", 2);
    met(0, world_left, 16);
}

static void wait_and_test(void)
{
    MPI_Request requests[3];
    int index, is_done = 0, n_done, indices[3];

    requests[2] = MPI_REQUEST_NULL;
    start(requests, 10);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 1);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 16, 1);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 0);
    start(requests, 11);
    MPI_Waitall(3, requests, ignored);
    did("MPI_Waitall", 0, 16, 2);
    start(requests, 12);
    for (int i = 0; i < 3; i++) {
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
        did("MPI_Waitany", 0, index == 0 ? 16 : 0, index >= 0 && index < 3);
    }
    start(requests, 13);
    for (int i = 0; i < 2; i += n_done) {
        MPI_Waitsome(3, requests, &n_done, indices, ignored);
        did("MPI_Waitsome", 0,
            indices[0] == 0 || (n_done == 2 && indices[1] == 0) ? 16 : 0,
            n_done);
    }
    start(requests, 14);
    for (is_done = 0; !is_done;) {
        MPI_Test(&requests[0], &is_done, MPI_STATUS_IGNORE);
        did("MPI_Test", 0, is_done ? 16 : 0, is_done);
    }
    for (is_done = 0; !is_done;) {
        MPI_Testall(3, requests, &is_done, ignored);
        did("MPI_Testall", 0, 0, is_done);
    }
}

static void test_some(void)
{
    MPI_Request requests[2];
    int is_done, index, n_done, indices[2];

    start(requests, 15);
    for (int i = 0; i < 2; i += is_done) {
        MPI_Testany(2, requests, &index, &is_done, MPI_STATUS_IGNORE);
        did("MPI_Testany", 0, is_done && index == 0 ? 16 : 0, is_done);
    }
    start(requests, 16);
    for (int i = 0; i < 2; i += n_done) {
        MPI_Testsome(2, requests, &n_done, indices, ignored);
        did("MPI_Testsome", 0,
            (n_done > 0 && indices[0] == 0) || (n_done == 2 && indices[1] == 0)
                ? 16
                : 0,
            n_done);
    }
}

/* Requests that end in another way. */
static void odd_ends(void)
{
    MPI_Request request;
    MPI_Message message;
    int is_there = 0;

    MPI_Irecv(to, N, MPI_DOUBLE, left, 99, world, &request);
    did("MPI_Irecv", 0, 0, 0);
    MPI_Cancel(&request);
    did("MPI_Cancel", 0, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 1);
    MPI_Isend(from, 4, MPI_DOUBLE, right, 20, world, &request);
    sent("MPI_Isend", 4);
    MPI_Request_free(&request);
    did("MPI_Request_free", 0, 0, 0);
    while (!is_there) {
        MPI_Improbe(MPI_ANY_SOURCE, 20, world, &is_there, &message,
                    MPI_STATUS_IGNORE);
        did("MPI_Improbe", 0, 0, 0);
    }
    MPI_Imrecv(to, N, MPI_DOUBLE, &message, &request);
    did("MPI_Imrecv", 0, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 32, 1);
    met(0, world_left, 32);
    MPI_Mprobe(MPI_PROC_NULL, 0, world, &message, MPI_STATUS_IGNORE);
    did("MPI_Mprobe", 0, 0, 0);
    MPI_Imrecv(to, N, MPI_DOUBLE, &message, &request);
    did("MPI_Imrecv", 0, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 1);
}

static void persistent(void)
{
    MPI_Request requests[2];

    MPI_Recv_init(to, N, MPI_DOUBLE, MPI_ANY_SOURCE, 30, world, &requests[0]);
    did("MPI_Recv_init", 0, 0, 0);
    MPI_Send_init(from, 7, MPI_DOUBLE, right, 30, world, &requests[1]);
    did("MPI_Send_init", 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        if (i == 0) {
            MPI_Start(&requests[0]);
            did("MPI_Start", 0, 0, 0);
            MPI_Start(&requests[1]);
            did("MPI_Start", 56, 0, 0);
        } else {
            MPI_Startall(2, requests);
            did("MPI_Startall", 56, 0, 0);
        }
        MPI_Waitall(2, requests, ignored);
        did("MPI_Waitall", 0, 56, 2);
        met(1, world_right, 56);
        met(0, world_left, 56);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&requests[i]);
        did("MPI_Request_free", 0, 0, 0);
    }
}

static void all(void)
{
    PMPI_Comm_rank(world, &rank);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    blocking();
    wait_and_test();
    test_some();
    odd_ends();
    persistent();
}

int main(int argc, char **argv)
{
    static char buffer[10000];
    int world_rank;

    PMPI_Init(&argc, &argv);
    PMPI_Buffer_attach(buffer, sizeof(buffer));
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    world_right = (world_rank + 1) % size;
    world_left = (world_rank + size - 1) % size;
    world = MPI_COMM_WORLD;
    all();
    /* The same ranks the other way round: others are left and right. */
    PMPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &world);
    world_left = (world_rank + 1) % size;
    world_right = (world_rank + size - 1) % size;
    all();
    tell(world_rank);
    PMPI_Comm_free(&world);
    PMPI_Finalize();
    return 0;
}
