/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives, one-sided calls and files, on 3 ranks. */
#include "ledger.h"

#include <mpi.h>
#include <stdlib.h>

/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;

enum { N = 100 };

static const MPI_Comm world = MPI_COMM_WORLD;
static int rank, size;
static int from[N], to[N];
static int counts[3] = { 1, 2, 3 }, places[3] = { 0, 1, 3 };

static void rooted(int root)
{
    int is_root = rank == root, own = 4 * (rank + 1);

    MPI_Bcast(to, 5, MPI_INT, root, world);
    did("MPI_Bcast", is_root ? 40 : 0, is_root ? 0 : 20, 0);
    MPI_Gather(from, 2, MPI_INT, to, 2, MPI_INT, root, world);
    did("MPI_Gather", is_root ? 0 : 8, is_root ? 16 : 0, 0);
    MPI_Gather(is_root ? MPI_IN_PLACE : from, 2, MPI_INT, to, 2, MPI_INT, root,
               world);
    did("MPI_Gather", is_root ? 0 : 8, is_root ? 16 : 0, 0);
    MPI_Gatherv(is_root ? MPI_IN_PLACE : from, rank + 1, MPI_INT, to, counts,
                places, MPI_INT, root, world);
    did("MPI_Gatherv", is_root ? 0 : own, is_root ? 24 - own : 0, 0);
    MPI_Scatter(from, 2, MPI_INT, is_root ? MPI_IN_PLACE : to, 2, MPI_INT, root,
                world);
    did("MPI_Scatter", is_root ? 16 : 0, is_root ? 0 : 8, 0);
    MPI_Scatterv(from, counts, places, MPI_INT, to, rank + 1, MPI_INT, root,
                 world);
    did("MPI_Scatterv", is_root ? 24 - own : 0, is_root ? 0 : own, 0);
    MPI_Reduce(from, to, 4, MPI_INT, MPI_SUM, root, world);
    did("MPI_Reduce", is_root ? 0 : 16, is_root ? 32 : 0, 0);
}

static void for_all(void)
{
    MPI_Datatype types[3] = { MPI_INT, MPI_INT, MPI_INT };
    int in_bytes[3] = { 0, 4, 12 }, own = 4 * (rank + 1);

    MPI_Barrier(world);
    did("MPI_Barrier", 0, 0, 0);
    MPI_Allgather(from, 2, MPI_INT, to, 2, MPI_INT, world);
    did("MPI_Allgather", 16, 16, 0);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 2, MPI_INT, world);
    did("MPI_Allgather", 16, 16, 0);
    MPI_Allgatherv(from, rank + 1, MPI_INT, to, counts, places, MPI_INT, world);
    did("MPI_Allgatherv", 2 * own, 24 - own, 0);
    MPI_Alltoall(from, 2, MPI_INT, to, 2, MPI_INT, world);
    did("MPI_Alltoall", 16, 16, 0);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 2, MPI_INT, world);
    did("MPI_Alltoall", 16, 16, 0);
    /* To rank i go i + 1; from everybody come rank + 1. */
    for (int i = 0; i < 3; i++)
        places[i] = i * 3;
    MPI_Alltoallv(from, counts, places, MPI_INT, to,
                  (int[]){ rank + 1, rank + 1, rank + 1 }, places, MPI_INT,
                  world);
    did("MPI_Alltoallv", 24 - own, 2 * own, 0);
    MPI_Alltoallw(from, counts, in_bytes, types, to,
                  (int[]){ rank + 1, rank + 1, rank + 1 }, (int[]){ 0, 12, 24 },
                  types, world);
    did("MPI_Alltoallw", 24 - own, 2 * own, 0);
    MPI_Allreduce(MPI_IN_PLACE, to, 3, MPI_INT, MPI_SUM, world);
    did("MPI_Allreduce", 12, 12, 0);
    MPI_Scan(from, to, 3, MPI_INT, MPI_SUM, world);
    did("MPI_Scan", rank < 2 ? 12 : 0, rank ? 12 : 0, 0);
    MPI_Exscan(from, to, 3, MPI_INT, MPI_SUM, world);
    did("MPI_Exscan", rank < 2 ? 12 : 0, rank ? 12 : 0, 0);
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, world);
    did("MPI_Reduce_scatter", 24 - own, 2 * own, 0);
    MPI_Reduce_scatter_block(from, to, 2, MPI_INT, MPI_SUM, world);
    did("MPI_Reduce_scatter_block", 16, 16, 0);
}

static void nonblocking(void)
{
    MPI_Request requests[2];

    MPI_Ibcast(to, 5, MPI_INT, 1, world, &requests[0]);
    did("MPI_Ibcast", rank == 1 ? 40 : 0, rank == 1 ? 0 : 20, 0);
    MPI_Iallreduce(from, to + 50, 3, MPI_INT, MPI_SUM, world, &requests[1]);
    did("MPI_Iallreduce", 12, 12, 0);
    MPI_Waitall(2, requests, ignored);
    did("MPI_Waitall", 0, 0, 2);
}

/* A row: nobody is beyond its ends. */
static void row(void)
{
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    int size_of_row = size, is_ring = 0, has[2] = { rank > 0, rank < 2 };
    int n_has = has[0] + has[1];
    MPI_Comm line;

    PMPI_Cart_create(world, 1, &size_of_row, &is_ring, 0, &line);
    MPI_Neighbor_allgather(from, 2, MPI_INT, to, 2, MPI_INT, line);
    did("MPI_Neighbor_allgather", n_has * 8, n_has * 8, 0);
    MPI_Neighbor_alltoall(from, 2, MPI_INT, to, 2, MPI_INT, line);
    did("MPI_Neighbor_alltoall", n_has * 8, n_has * 8, 0);
    MPI_Neighbor_alltoallv(from, (int[]){ 1, 2 }, (int[]){ 0, 1 }, MPI_INT, to,
                           (int[]){ 2, 1 }, (int[]){ 0, 2 }, MPI_INT, line);
    did("MPI_Neighbor_alltoallv", 4 * has[0] + 8 * has[1],
        8 * has[0] + 4 * has[1], 0);
    MPI_Neighbor_alltoallw(from, (int[]){ 1, 2 }, (MPI_Aint[]){ 0, 4 }, types,
                           to, (int[]){ 2, 1 }, (MPI_Aint[]){ 0, 8 }, types,
                           line);
    did("MPI_Neighbor_alltoallw", 4 * has[0] + 8 * has[1],
        8 * has[0] + 4 * has[1], 0);
    PMPI_Comm_free(&line);
}

/* A ring: two neighbours each; and one that all send to. */
static void neighbours(void)
{
    int sources[2] = { 1, 2 }, weights[2] = { 1, 1 }, zero = 0,
        size_of_ring = size, is_ring = 1;
    MPI_Comm ring, star;

    PMPI_Cart_create(world, 1, &size_of_ring, &is_ring, 0, &ring);
    MPI_Neighbor_allgather(from, 2, MPI_INT, to, 2, MPI_INT, ring);
    did("MPI_Neighbor_allgather", 16, 16, 0);
    MPI_Neighbor_alltoall(from, 2, MPI_INT, to, 2, MPI_INT, ring);
    did("MPI_Neighbor_alltoall", 16, 16, 0);
    PMPI_Dist_graph_create_adjacent(world, rank == 0 ? 2 : 0, sources, weights,
                                    rank == 0 ? 0 : 1, &zero, weights,
                                    MPI_INFO_NULL, 0, &star);
    MPI_Neighbor_alltoallv(from, (int[]){ rank }, (int[]){ 0 }, MPI_INT, to,
                           (int[]){ 1, 2 }, (int[]){ 0, 1 }, MPI_INT, star);
    did("MPI_Neighbor_alltoallv", rank * 4, rank == 0 ? 12 : 0, 0);
    PMPI_Comm_free(&ring);
    PMPI_Comm_free(&star);
}

static void one_sided(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    int *memory;
    MPI_Request request;
    MPI_Win win;

    MPI_Win_allocate(400, 4, MPI_INFO_NULL, world, &memory, &win);
    did("MPI_Win_allocate", 0, 0, 0);
    PMPI_Win_lock_all(0, win);
    MPI_Put(from, 3, MPI_INT, next, 0, 3, MPI_INT, win);
    did("MPI_Put", 12, 0, 0);
    met(1, next, 12);
    MPI_Get(to, 4, MPI_INT, before, 10, 4, MPI_INT, win);
    did("MPI_Get", 0, 16, 0);
    met(0, before, 16);
    MPI_Fetch_and_op(from, to + 20, MPI_INT, next, 30, MPI_SUM, win);
    did("MPI_Fetch_and_op", 4, 4, 0);
    met(1, next, 4);
    met(0, next, 4);
    MPI_Rput(from, 5, MPI_INT, next, 40, 5, MPI_INT, win, &request);
    did("MPI_Rput", 20, 0, 0);
    met(1, next, 20);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 1);
    PMPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    did("MPI_Win_free", 0, 0, 0);
}

/* A window after another has ended, which may have had the same handle, with
 * the ranks in another order. */
static void other_window(void)
{
    int next = (rank + 1) % size;
    MPI_Comm turned;
    int *memory;
    MPI_Win win;

    PMPI_Comm_split(world, 0, -rank, &turned);
    PMPI_Win_allocate(400, 4, MPI_INFO_NULL, turned, &memory, &win);
    PMPI_Win_lock_all(0, win);
    MPI_Put(from, 3, MPI_INT, size - 1 - next, 0, 3, MPI_INT, win);
    did("MPI_Put", 12, 0, 0);
    met(1, next, 12);
    MPI_Get(to, 4, MPI_INT, size - 1 - next, 10, 4, MPI_INT, win);
    did("MPI_Get", 0, 16, 0);
    met(0, next, 16);
    MPI_Accumulate(from, 2, MPI_INT, size - 1 - next, 20, 2, MPI_INT, MPI_SUM,
                   win);
    did("MPI_Accumulate", 8, 0, 0);
    met(1, next, 8);
    MPI_Put(from, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win);
    did("MPI_Put", 0, 0, 0);
    MPI_Get(to, 4, MPI_INT, MPI_PROC_NULL, 10, 4, MPI_INT, win);
    did("MPI_Get", 0, 0, 0);
    MPI_Win_flush_all(win);
    did("MPI_Win_flush_all", 0, 0, 0);
    PMPI_Win_unlock_all(win);
    PMPI_Win_free(&win);
    PMPI_Comm_free(&turned);
}

static void files(const char *path)
{
    MPI_Request request;
    MPI_File file;

    MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    did("MPI_File_open", 0, 0, 0);
    MPI_File_write_at(file, rank * 40, from, 10, MPI_INT, MPI_STATUS_IGNORE);
    did("MPI_File_write_at", 40, 0, 0);
    PMPI_File_sync(file);
    PMPI_Barrier(world);
    MPI_File_read_at_all(file, rank * 40, to, 10, MPI_INT, MPI_STATUS_IGNORE);
    did("MPI_File_read_at_all", 0, 40, 0);
    /* Beyond the end: there are only 5 left. */
    MPI_File_read_at(file, 100, to, 10, MPI_INT, MPI_STATUS_IGNORE);
    did("MPI_File_read_at", 0, 20, 0);
    MPI_File_iread_at(file, 0, to, 10, MPI_INT, &request);
    did("MPI_File_iread_at", 0, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 40, 1);
    MPI_File_close(&file);
    did("MPI_File_close", 0, 0, 0);
}

/* Between two groups: {0, 1} and {2}. */
static void two_groups(void)
{
    int is_in_first = rank < 2, root;
    MPI_Comm part, both;

    PMPI_Comm_split(world, is_in_first, 0, &part);
    PMPI_Intercomm_create(part, 0, world, is_in_first ? 2 : 0, 1, &both);
    MPI_Allgather(from, 2, MPI_INT, to, 2, MPI_INT, both);
    did("MPI_Allgather", is_in_first ? 8 : 16, is_in_first ? 8 : 16, 0);
    root = !is_in_first ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(to, 3, MPI_INT, root, both);
    did("MPI_Bcast", rank == 0 ? 12 : 0, is_in_first ? 0 : 12, 0);
    if (rank == 2) {
        MPI_Send(from, 3, MPI_INT, 1, 0, both);
        did("MPI_Send", 12, 0, 0);
        met(1, 1, 12);
    } else if (rank == 1) {
        MPI_Recv(to, 3, MPI_INT, MPI_ANY_SOURCE, 0, both, MPI_STATUS_IGNORE);
        did("MPI_Recv", 0, 12, 0);
        met(0, 2, 12);
    }
    PMPI_Comm_free(&part);
    PMPI_Comm_free(&both);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    did("MPI_Init", 0, 0, 0);
    MPI_Comm_rank(world, &rank);
    did("MPI_Comm_rank", 0, 0, 0);
    PMPI_Comm_size(world, &size);
    rooted(0);
    rooted(2);
    for_all();
    nonblocking();
    row();
    neighbours();
    one_sided();
    other_window();
    files(argc > 1 ? argv[1] : "file");
    two_groups();
    tell(rank);
    PMPI_Finalize();
    return 0;
}
