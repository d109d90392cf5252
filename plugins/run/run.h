/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in a process that `pdump run` follows. */
#ifndef PDUMP_RUN_H
#define PDUMP_RUN_H

#include <stdbool.h>
#include <sys/types.h>

/* What PDUMP_RUN says, and where this process stands. */
struct run {
    bool is_followed;   /* there is a run */
    bool is_recorded;   /* this program has a region of its own */
    bool is_forked;     /* and no exec since */
    bool wants_mpi;     /* wrappers of MPI calls */
    int notes;          /* descriptor in the first process of the run */
    long root;          /* its pid */
    const char *origin; /* as in adopt.h */
    const char *folder; /* of this library */
    pid_t pid;
};

extern struct run run;

/* Returns true if the session belongs to this process.  A child of vfork()
 * borrows the memory of its parent and must not change it; a child that was not
 * created by fork(), and has not called libpdump yet, has no session to end. */
bool run_is_ours(void);

/* The program's region on the calling thread: begin it. */
void run_begin(void);

/* The process is about to end without its exit handlers, or to become another
 * program: see to it that its record is whole. */
void run_leave(void);

/* The next definition of a function, that of libc. */
void *run_next(const char *name);
#define RUN_NEXT(name) ((__typeof__(&name))run_next(#name))

#endif
