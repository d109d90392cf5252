/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that an error handler leaves, by a jump or as an exception of C++ does;
 * ledger.h tells what there was. */
#include "ledger.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <unwind.h>

static jmp_buf back;
static bool is_exception;
static int rank, data[10];

/* Where the exception is caught. */
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions,
                                _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *exception,
                                struct _Unwind_Context *context, void *frame)
{
    (void)version, (void)kind, (void)exception;
    if (_Unwind_GetCFA(context) > (uintptr_t)frame ||
        (actions & _UA_END_OF_STACK))
        longjmp(back, 1);
    return _URC_NO_REASON;
}

static char *catcher;

static void leave(MPI_Comm *comm, int *code, ...)
{
    static struct _Unwind_Exception exception;

    (void)comm, (void)code;
    if (is_exception)
        _Unwind_ForcedUnwind(&exception, stop, catcher);
    longjmp(back, 1);
}

/* To a rank that is not there, by a function with few arguments, then others:
 * all are the program's, beside each other. */
static __attribute__((noinline)) void try(void)
{
    catcher = __builtin_frame_address(0);
    if (!setjmp(back))
        MPI_Probe(99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!setjmp(back))
        MPI_Probe(99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 2, MPI_INT, rank, 0, data + 5, 2, MPI_INT, rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What throws is over when it is left, and others may follow further down. */
static __attribute__((noinline)) void below(void)
{
    volatile char room[4096];

    room[0] = 0;
    MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    room[1] = room[0];
}

static __attribute__((noinline)) void try_above(void)
{
    catcher = __builtin_frame_address(0);
    if (!setjmp(back))
        MPI_Probe(99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    below();
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_create_errhandler(leave, &handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try();
    is_exception = true;
    try();
    try_above();
    for (int i = 0; i < 2; i++) {
        did("MPI_Sendrecv", 8, 8, 0);
        met(1, rank, 8);
        met(0, rank, 8);
        did("MPI_Barrier", 0, 0, 0);
    }
    /* What a jump has left has no row. */
    for (int i = 0; i < 3; i++)
        did("MPI_Probe", 0, 0, 0);
    did("MPI_Allreduce", 4, 4, 0);
    tell(rank);
    PMPI_Finalize();
    return 0;
}
