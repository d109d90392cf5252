/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library to preload or link for MPI: it records each call of MPI, from its
 * begin to its row in the tables.
 *
 * generate.awk makes the wrappers that programs call.  The wrappers only
 * forward their arguments.  A plan, generated from calls.txt, says which
 * argument is the communicator, the count, the datatype and so on.
 */
#ifndef PDUMP_PMPI_MPI_CALL_H
#define PDUMP_PMPI_MPI_CALL_H

#include "probe/call_detail.h"

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

/* Kinds of calls that need more than the figures of the call. */
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
    PDUMP_CALL_ABORTS,
};

/* How the arguments determine the number of bytes; see calls.txt. */
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
    uint8_t count; /* number of the argument */
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
    bool is_collective; /* also if it is nonblocking */
    /* True if call_fast_end.h can end it and it is recorded.  False until the
     * settings have been read. */
    _Atomic bool is_simple;
    void (*next)(void); /* another tool's function to call; tools.h */
    _Atomic int first;  /* in mpi_f08: 1 + the first index; 0: unknown */
    struct pdump_plan plan;
};

/* The functions of this MPI; made by generate.awk. */
extern struct pdump_mpi_function pdump_mpi_functions[];
extern const int pdump_n_mpi_functions;

enum pdump_language {
    PDUMP_C,
    PDUMP_F77,   /* mpif.h and the module mpi */
    PDUMP_F08,   /* the module mpi_f08 */
    PDUMP_F08TS, /* the same, with buffers as descriptors */
};

/* Our own status, used if the caller ignores the status. */
union pdump_status {
    MPI_Status status;
    MPI_Fint words[32];
};

struct pdump_state;

struct pdump_mpi_call {
    struct pdump_call call;
    struct pdump_state *state; /* of the calling thread */
    struct pdump_mpi_function *function;
    uintptr_t *a; /* arguments; in Fortran, their addresses */
    const void *site;
    void (*routine)(void); /* in Fortran: MPI's own */
    enum pdump_language language;
    bool is_outer;    /* called by the program, not by MPI, and under way */
    bool is_on;       /* recorded */
    bool is_simple;   /* ended by call_fast_end.h: in C, and recorded */
    bool is_saved;    /* the thread's buffer has the original requests */
    int n;            /* number of requests */
    uintptr_t handle; /* of a message, before the call */
    uint64_t last;    /* pdump_requests_last() before the call */
    int64_t blocked;
    union pdump_status status;
};

/* Called before and after the call of MPI.  `call` is in the caller's stack
 * frame.  The latter returns the code for the caller: `code`, or what it would
 * be without our changes to the arguments. */
void pdump_mpi_call_enter(struct pdump_mpi_call *call,
                          struct pdump_mpi_function *function,
                          uintptr_t *arguments, enum pdump_language language,
                          const void *site, const void *frame);
int pdump_mpi_call_leave(struct pdump_mpi_call *call, int code);

/* Ends a call that an exception has left, for example one that an error handler
 * throws through MPI.  It is recorded as a call that failed. */
void pdump_mpi_call_abandon(struct pdump_mpi_call *call);

/* Runs when a wrapper is left, normally or by an exception. */
static inline void pdump_mpi_call_left(struct pdump_mpi_call *call)
{
    if (__builtin_expect(call->is_outer, 0))
        pdump_mpi_call_abandon(call);
}

#endif
