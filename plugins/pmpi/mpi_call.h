/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call of MPI, from its begin to what is recorded of it.
 *
 * The functions that programs call are made by generate.awk.  They know no more
 * than their arguments; where in these is what is told by plans, which come
 * from calls.txt.
 */
#ifndef PDUMP_PMPI_MPI_CALL_H
#define PDUMP_PMPI_MPI_CALL_H

#include "probe/detail.h"

#include <mpi.h>
#include <pdump.h>
#include <stdbool.h>
#include <stdint.h>

/* Words of PDUMP_MPI. */
enum pdump_mpi_class {
    PDUMP_MPI_P2P,
    PDUMP_MPI_COLL,
    PDUMP_MPI_NONBLOCKING,
    PDUMP_MPI_RMA,
    PDUMP_MPI_IO,
    PDUMP_MPI_COMM,
    PDUMP_MPI_ENV,
    PDUMP_MPI_CLASSES,
};

/* What calls need more than figures. */
enum pdump_call_kind {
    PDUMP_CALL_PLAIN,
    PDUMP_CALL_WAIT,
    PDUMP_CALL_WAITALL,
    PDUMP_CALL_WAITANY,
    PDUMP_CALL_WAITSOME,
    PDUMP_CALL_STARTS,
    PDUMP_CALL_FORGET,
    PDUMP_CALL_PROBE,
    PDUMP_CALL_MRECV,
    PDUMP_CALL_BEGINS,
};

/* How arguments give bytes. */
enum pdump_shape {
    PDUMP_NONE,
    PDUMP_ONCE,
    PDUMP_EACH,
    PDUMP_OWN,
    PDUMP_LIST,
    PDUMP_TYPES,
    PDUMP_SUM,
    PDUMP_MINE,
};

enum pdump_when {
    PDUMP_ALWAYS,
    PDUMP_ROOT,
    PDUMP_OTHER,
    PDUMP_UNLAST,
    PDUMP_UNFIRST,
};

struct pdump_side {
    uint8_t shape; /* enum pdump_shape */
    uint8_t when;  /* enum pdump_when */
    uint8_t count; /* arguments */
    uint8_t type;
};

/* Numbers of arguments, from 1; 0: there is none.  See calls.txt. */
struct pdump_plan {
    uint8_t kind; /* enum pdump_call_kind */
    uint8_t comm, win, root, place;
    uint8_t to, from, source, parts, op;
    uint8_t request, n, flag, index, n_done, message, status;
    uint8_t start, init;
    bool is_large; /* counts are MPI_Count */
    bool is_neighbours;
    bool is_reads;
    struct pdump_side out, in;
};

struct pdump_mpi_function {
    struct pdump_callee callee;
    uint8_t kind; /* enum pdump_mpi_class */
    bool is_left_out;
    bool is_collective; /* also one that is only begun */
    /* As call_fast_end.h has it, and recorded.  False until all is ready. */
    _Atomic bool is_simple;
    void (*next)(void); /* another tool's function to call; tools.h */
    _Atomic int first;  /* in mpi_f08: 1 + the first index; 0: not known yet */
    struct pdump_plan plan;
};

/* Those of this MPI; made by generate.awk. */
extern struct pdump_mpi_function pdump_mpi_functions[];
extern const int pdump_n_mpi_functions;

enum pdump_language {
    PDUMP_C,
    PDUMP_F77,   /* mpif.h and the module mpi */
    PDUMP_F08,   /* the module mpi_f08 */
    PDUMP_F08TS, /* the same, where buffers are descriptors */
};

/* A status of ours, for a caller that wants none. */
union pdump_status {
    MPI_Status status;
    MPI_Fint words[32];
};

struct pdump_state;

struct pdump_mpi_call {
    struct pdump_call call;
    struct pdump_state *state; /* the thread's */
    struct pdump_mpi_function *function;
    uintptr_t *a; /* arguments; in Fortran, their addresses */
    const void *site;
    void (*routine)(void); /* in Fortran: MPI's own */
    enum pdump_language language;
    bool is_outer;    /* not made by MPI itself, and under way */
    bool is_on;       /* recorded */
    bool is_simple;   /* the function is, called in C, and recorded */
    bool is_saved;    /* the thread has the requests as they were */
    int n;            /* requests */
    uintptr_t handle; /* of a message, before the call */
    uint64_t last;    /* of pdump_requests_last() then */
    int64_t blocked;
    union pdump_status status;
};

/* Around the call of MPI.  `call` is in the caller's frame.  leave() returns
 * `code`, or what it would be if the caller's arguments had not been exchanged
 * for ours. */
void pdump_mpi_call_enter(struct pdump_mpi_call *call,
                          struct pdump_mpi_function *function,
                          uintptr_t *arguments, enum pdump_language language,
                          const void *site, const void *frame);
int pdump_mpi_call_leave(struct pdump_mpi_call *call, int code);

/* For what an exception leaves: one that an error handler, for example, throws
 * through MPI.  As a call that failed. */
void pdump_mpi_call_abandon(struct pdump_mpi_call *call);

/* At the end of the functions that programs call, however it comes. */
static inline void pdump_mpi_call_left(struct pdump_mpi_call *call)
{
    if (__builtin_expect(call->is_outer, 0))
        pdump_mpi_call_abandon(call);
}

#endif
