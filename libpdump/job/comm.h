/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam for processes: one alone, or the ranks of a job.
 *
 * Nothing here communicates while the program runs.  When a dump is due, the
 * ranks enter() a group; until leave() they can talk to each other.  Every call
 * has the deadline that was given to enter(): a rank that does not answer makes
 * it fail with PDUMP_EPEER, and after one failure no other call is tried.  No
 * call ends the program, whatever the job's own library does with errors.
 */
#ifndef PDUMP_COMM_H
#define PDUMP_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pdump_comm {
    const char *name; /* "solo", "mpi" */
    /* Join the job if it is up; at_end() will be called while the ranks can
     * still talk, on the thread that ends the job.  PDUMP_ESTATE if it is not
     * up yet, or not any more.  Local, cheap, may be called again. */
    int (*attach)(void (*at_end)(void));
    /* Is it up: joined, and not yet ended? */
    bool (*is_up)(void);
    /* Has the program started the job's library, whoever has joined? */
    bool (*was_started)(void);
    /* In the group that was entered, else in the whole job. */
    int (*rank)(void);
    int (*size)(void);

    /* Meet the other ranks of a group: `group` points to a handle of the job's
     * own library (MPI_Comm), NULL: the whole job.  PDUMP_EPEER if not all came
     * within so many seconds.  Collective. */
    int (*enter)(const void *group, int64_t seconds);
    void (*leave)(void);
    /* 0 only if every rank passed 0, else the least: ranks go on, or give up,
     * together.  Collective. */
    int (*agree)(int err);
    /* 1 if every rank passed the same value, else 0.  Collective. */
    int (*same)(uint64_t value);
    /* A message to another rank of the group; the receiver frees *bytes, and
     * may be more patient than the deadline, `times` times.  Messages between
     * two ranks arrive in order. */
    int (*send)(int to, const void *bytes, size_t len);
    int (*receive)(int from, int times, void **bytes, size_t *len);
    /* The group that Fortran knows by a number, as `group` above; until the
     * next call. */
    const void *(*from_fortran)(int handle);
    /* The handle of the group that was entered, as `group` above: for modules
     * that use the job's library themselves.  NULL if there is none. */
    const void *(*native)(void);
};

extern const struct pdump_comm pdump_comm_solo; /* comm_solo.c */

#endif
