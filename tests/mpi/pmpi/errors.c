/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that fail, on 2 ranks: prints what they return and how often the error
 * handler was called, which is to be the same with and without those who
 * watch. */
#include <mpi.h>
#include <stdio.h>

/* The compiler would take it for a very short list. */
static MPI_Status *volatile ignored = MPI_STATUSES_IGNORE;

enum { N = 10 };

static int rank, other, n_handled;
static int from[N], to[N];

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    n_handled++;
}

static void show(const char *what, int code)
{
    int kind = -1;

    PMPI_Error_class(code, &kind);
    if (rank == 0)
        printf("%s: %d, handled %d times\n", what, kind, n_handled);
    n_handled = 0;
}

/* The second message is too long. */
static void start(MPI_Request *requests)
{
    MPI_Irecv(to, 3, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(to, 3, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(from, 3, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(from, 6, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[3]);
}

static void finish(MPI_Request *requests)
{
    for (int i = 0; i < 4; i++)
        if (requests[i] != MPI_REQUEST_NULL) {
            if (rank == 0)
                printf("request %d is left\n", i);
            PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
}

static void requests(void)
{
    MPI_Request all[4];
    MPI_Status statuses[4];

    start(all);
    show("waitall", MPI_Waitall(4, all, ignored));
    finish(all);
    start(all);
    show("waitall, statuses", MPI_Waitall(4, all, statuses));
    for (int i = 0; i < 4; i++)
        show("status", statuses[i].MPI_ERROR);
    finish(all);
    start(all);
    PMPI_Barrier(MPI_COMM_WORLD);
    show("wait, too long", MPI_Wait(&all[1], MPI_STATUS_IGNORE));
    show("wait, good", MPI_Wait(&all[0], MPI_STATUS_IGNORE));
    finish(all);
}

static void arguments(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_File file;

    show("send, rank", MPI_Send(from, 1, MPI_INT, 77, 0, MPI_COMM_WORLD));
    show("send, count", MPI_Send(from, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    show("send, type",
         MPI_Send(from, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
    show("send, tag", MPI_Send(from, 1, MPI_INT, 0, -7, MPI_COMM_WORLD));
    show("send, communicator", MPI_Send(from, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    show("isend, rank",
         MPI_Isend(from, 1, MPI_INT, 77, 0, MPI_COMM_WORLD, &request));
    show("bcast, root", MPI_Bcast(from, 1, MPI_INT, 77, MPI_COMM_WORLD));
    show("bcast, communicator", MPI_Bcast(from, 1, MPI_INT, 0, MPI_COMM_NULL));
    show("rank, communicator", MPI_Comm_rank(MPI_COMM_NULL, &from[0]));
    show("open", MPI_File_open(MPI_COMM_SELF, "no such folder/file",
                               MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
}

int main(int argc, char **argv)
{
    int is_up = -1, is_down = -1;
    MPI_Errhandler handler;

    MPI_Initialized(&is_up);
    MPI_Finalized(&is_down);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    if (rank == 0)
        printf("before: %d %d\n", is_up, is_down);
    requests();
    arguments();
    MPI_Finalize();
    MPI_Initialized(&is_up);
    MPI_Finalized(&is_down);
    if (rank == 0)
        printf("after: %d %d\n", is_up, is_down);
    return 0;
}
