/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another tool for MPI, as they are written: it has functions of its own, which
 * count and call those with a P in front.  Its counts are in the file
 * tool.RANK.
 */
#include <mpi.h>
#include <stdio.h>

#define API __attribute__((visibility("default")))

enum { INIT, SEND, RECV, BCAST, ALLREDUCE, WAIT, RANK, FINALIZE, KINDS };

static const char *const names[] = { "Init",      "Send",      "Recv",
                                     "Bcast",     "Allreduce", "Wait",
                                     "Comm_rank", "Finalize" };
static int in_c[KINDS], in_fortran[KINDS], rank = -1;

__attribute__((destructor)) static void tell(void)
{
    char path[40];
    FILE *f;

    snprintf(path, sizeof(path), "tool.%d", rank);
    f = rank >= 0 ? fopen(path, "w") : NULL;
    for (int i = 0; f && i < KINDS; i++)
        fprintf(f, "%s %d %d\n", names[i], in_c[i], in_fortran[i]);
    if (f)
        fclose(f);
}

API int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);

    in_c[INIT]++;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return code;
}

API int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    int code = PMPI_Init_thread(argc, argv, wanted, given);

    in_c[INIT]++;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return code;
}

API int MPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag,
                 MPI_Comm comm)
{
    in_c[SEND]++;
    return PMPI_Send(buf, count, type, to, tag, comm);
}

API int MPI_Recv(void *buf, int count, MPI_Datatype type, int from, int tag,
                 MPI_Comm comm, MPI_Status *status)
{
    in_c[RECV]++;
    return PMPI_Recv(buf, count, type, from, tag, comm, status);
}

API int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root,
                  MPI_Comm comm)
{
    in_c[BCAST]++;
    return PMPI_Bcast(buf, count, type, root, comm);
}

API int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                      MPI_Op op, MPI_Comm comm)
{
    in_c[ALLREDUCE]++;
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

API int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    in_c[WAIT]++;
    return PMPI_Wait(request, status);
}

/* A tool's call of another function comes to whoever is first. */
API int MPI_Comm_rank(MPI_Comm comm, int *out)
{
    int size;

    in_c[RANK]++;
    MPI_Comm_size(comm, &size);
    return PMPI_Comm_rank(comm, out);
}

API int MPI_Finalize(void)
{
    in_c[FINALIZE]++;
    return PMPI_Finalize();
}

/* In Fortran: the libraries for it are the program's, if it has any. */
#define FORTRAN(kind, name, own, parameters, values)  \
    extern void own parameters __attribute__((weak)); \
    API void name parameters;                         \
    void name parameters                              \
    {                                                 \
        own values;                                   \
        in_fortran[kind]++;                           \
        if ((kind) == INIT)                           \
            PMPI_Comm_rank(MPI_COMM_WORLD, &rank);    \
    }
#define ALL(own, form, buffers)                                            \
    FORTRAN(INIT, mpi_init_##form, own##_init_##form, (int *e), (e))       \
    FORTRAN(SEND, mpi_send_##buffers, own##_send_##buffers,                \
            (void *b, int *n, int *t, int *to, int *tag, int *c, int *e),  \
            (b, n, t, to, tag, c, e))                                      \
    FORTRAN(RECV, mpi_recv_##buffers, own##_recv_##buffers,                \
            (void *b, int *n, int *t, int *from, int *tag, int *c, int *s, \
             int *e),                                                      \
            (b, n, t, from, tag, c, s, e))                                 \
    FORTRAN(BCAST, mpi_bcast_##buffers, own##_bcast_##buffers,             \
            (void *b, int *n, int *t, int *root, int *c, int *e),          \
            (b, n, t, root, c, e))                                         \
    FORTRAN(ALLREDUCE, mpi_allreduce_##buffers, own##_allreduce_##buffers, \
            (void *b, void *r, int *n, int *t, int *o, int *c, int *e),    \
            (b, r, n, t, o, c, e))                                         \
    FORTRAN(WAIT, mpi_wait_##form, own##_wait_##form,                      \
            (int *r, int *s, int *e), (r, s, e))                           \
    FORTRAN(RANK, mpi_comm_rank_##form, own##_comm_rank_##form,            \
            (int *c, int *r, int *e), (c, r, e))                           \
    FORTRAN(FINALIZE, mpi_finalize_##form, own##_finalize_##form, (int *e), (e))
ALL(pmpi, , )
#ifdef MPICH
ALL(pmpir, f08_, f08ts_)
#else
ALL(pmpi, f08_, f08_)
#endif
