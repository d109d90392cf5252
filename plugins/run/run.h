/* SPDX-License-Identifier: BSD-3-Clause */
/* libpdump-run.so: the library in every process that `pdump run` follows. */
#ifndef PDUMP_RUN_H
#define PDUMP_RUN_H

#include <stdbool.h>
#include <sys/types.h>

/* The content of PDUMP_RUN, and the state of this process. */
struct run {
    bool is_followed;   /* the process belongs to a run */
    bool is_recorded;   /* the program has a region of its own */
    bool is_forked;     /* forked, without exec since then */
    bool wants_mpi;     /* MPI calls are to be recorded */
    int notes;          /* descriptor in the first process of the run */
    long root;          /* its pid */
    const char *origin; /* see run_join.h */
    const char *folder; /* of this library */
    pid_t pid;
};

extern struct run run;

/* Returns true if the session belongs to this process.  A child of vfork()
 * borrows the memory of its parent and must not change it; a child that was not
 * created by fork(), and has not called libpdump yet, has no session to end. */
bool run_is_ours(void);

/* Begins the program's region on the calling thread. */
void run_begin(void);

/* Called before the process ends without exit handlers, or executes another
 * program: completes its record. */
void run_leave(void);

/* Returns the next definition of a function: the C library's. */
void *run_next(const char *name);
#define RUN_NEXT(name) ((__typeof__(&name))run_next(#name))

#endif
