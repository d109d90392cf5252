/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls whose figures are known, on 3 ranks, each kind in a region of its own.
 * Who sleeps does it where the other's call, or what it asks of MPI, cannot be
 * over before: however slow the machine is, these times are at least that.
 */
#include <mpi.h>
#include <pdump.h>

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { N = 1000 };

/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;
static MPI_Comm world, self, pair; /* pair: ranks 2 and 0, in this order */
static int rank;
static char out[N], in[N];

static void nap(long ms)
{
    struct timespec rest = { 0, ms * 1000000 };

    while (nanosleep(&rest, &rest) != 0)
        continue;
}

/* Of a loop that it can count, the compiler may make several call sites. */
static int times(int n)
{
    static volatile int more;

    return n + more;
}

/* The last call of a function may be a jump: then it returns to the caller, and
 * what was one site is two. */
static void no_jump(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Rank 1 sleeps between the two messages of rank 0's call. */
static void late(void)
{
    for (int i = 0, n = times(2); i < n; i++) {
        if (rank == 0)
            MPI_Sendrecv(out, 1, MPI_BYTE, 1, 1, in, N, MPI_BYTE, 1, 1, world,
                         MPI_STATUS_IGNORE);
        if (rank != 1)
            continue;
        MPI_Recv(in, N, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
        nap(i ? 40 : 10);
        MPI_Send(out, 100, MPI_BYTE, 0, 1, world);
    }
}

/* Rank 2 sends when it is asked, which is after the receive was begun. */
static void flight(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Irecv(in, N, MPI_BYTE, MPI_ANY_SOURCE, 2, world, &request);
        MPI_Ssend(out, 0, MPI_BYTE, 2, 2, world);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Recv(in, N, MPI_BYTE, 0, 2, world, MPI_STATUS_IGNORE);
        nap(50);
        MPI_Send(out, 7, MPI_BYTE, 0, 2, world);
    }
}

/* Its name is part of its call sites. */
static __attribute__((noinline)) void two(void)
{
    MPI_Request requests[2];

    MPI_Irecv(in, N, MPI_BYTE, 0, 3, self, &requests[0]);
    MPI_Isend(out, 10, MPI_BYTE, 0, 3, self, &requests[1]);
    nap(30);
    MPI_Waitall(2, requests, ignored);
}

static void persistent(void)
{
    MPI_Request requests[2];

    PMPI_Barrier(world);
    MPI_Recv_init(in, N, MPI_BYTE, 0, 4, self, &requests[0]);
    MPI_Send_init(out, 10, MPI_BYTE, 0, 4, self, &requests[1]);
    nap(30);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, ignored);
    PMPI_Request_free(&requests[0]);
    PMPI_Request_free(&requests[1]);
}

/* Nothing was sent, so nothing is done. */
static void not_yet(void)
{
    MPI_Request request;
    int is_done;

    MPI_Irecv(in, N, MPI_BYTE, 0, 5, self, &request);
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    PMPI_Cancel(&request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* MPI_Wait() and MPI_Test() call this, and are not over before it is. */
static int on_query(void *extra, MPI_Status *status)
{
    (void)extra;
    nap(30);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int on_free(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int on_cancel(void *extra, int is_done)
{
    (void)extra, (void)is_done;
    return MPI_SUCCESS;
}

static MPI_Request asked(void)
{
    MPI_Request request;

    MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &request);
    PMPI_Grequest_complete(request);
    return request;
}

static void blocked(void)
{
    MPI_Request request = asked();
    int is_done;

    MPI_Wait(&request, MPI_STATUS_IGNORE);
    request = asked();
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
}

static void between(void)
{
    int number;

    MPI_Comm_rank(world, &number);
    nap(30);
    MPI_Comm_size(world, &number);
}

static void part(void)
{
    if (rank == 0)
        MPI_Send(out, 3, MPI_BYTE, 0, 6, pair);
    if (rank == 2)
        MPI_Recv(in, N, MPI_BYTE, MPI_ANY_SOURCE, 6, pair, MPI_STATUS_IGNORE);
    if (rank != 1)
        MPI_Bcast(out, 5, MPI_BYTE, 1, pair);
}

static void peers(void)
{
    int n = times(2);

    for (int i = 1; rank == 0 && i <= n; i++)
        MPI_Send(out, 1, MPI_BYTE, i, 7, world);
    if (rank != 0)
        MPI_Recv(in, N, MPI_BYTE, 0, 7, world, MPI_STATUS_IGNORE);
    for (int i = 1; i <= n; i++)
        MPI_Bcast(out, 1, MPI_BYTE, i, world);
    no_jump();
}

static void largest(void)
{
    const MPI_Comm comms[] = { self, world, pair };

    for (int i = 0, n = times(3); i < n; i++)
        MPI_Barrier(comms[i]);
    no_jump();
}

/* The root is ready for more than it gets, which is nothing: nobody looks into
 * all that memory. */
static void sizes(void)
{
    static const int bytes[] = {
        0, 1, 2, 3, 4, 7, 8, 1 << 20, (1 << 30) - 1, 1 << 30
    };
    size_t most = (size_t)1 << 31;
    void *room = mmap(NULL, most, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MPI_Datatype large;

    if (room == MAP_FAILED)
        puts("no room");
    PMPI_Type_contiguous(1 << 30, MPI_SHORT, &large);
    PMPI_Type_commit(&large);
    for (int i = 0, n = times(11); rank != 1 && i < n; i++) {
        int counts[] = { i < 10 ? bytes[i] : 1, 0 }, places[] = { 0, 0 };

        MPI_Gatherv(out, rank == 2 && i > 0, i < 10 ? MPI_BYTE : MPI_SHORT,
                    room, counts, places, i < 10 ? MPI_BYTE : large, 1, pair);
    }
    PMPI_Type_free(&large);
    if (room != MAP_FAILED)
        munmap(room, most);
}

static void within(const char *name, void (*work)(void))
{
    PMPI_Barrier(world);
    pdump_region_begin(name);
    work();
    pdump_region_end(name);
}

int main(int argc, char **argv)
{
    PMPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    self = MPI_COMM_SELF;
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_split(world, rank == 1, -rank, &pair);
    within("late", late);
    within("flight", flight);
    within("two", two);
    within("persistent", persistent);
    within("not yet", not_yet);
    within("blocked", blocked);
    within("between", between);
    within("part", part);
    within("peers", peers);
    within("largest", largest);
    within("sizes", sizes);
    /* Where the program is in memory is not the same on every rank. */
    printf("%p\n", (void *)&out);
    PMPI_Comm_free(&pair);
    PMPI_Finalize();
    return 0;
}
