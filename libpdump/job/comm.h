/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam for processes: a single process, or the ranks of a job.
 *
 * Nothing here communicates while the program runs.  When a dump is due, the
 * ranks enter() a group; until leave() they can exchange messages.  Every call
 * has the deadline that was given to enter(): if a rank does not answer, it
 * fails with PDUMP_EPEER, and after one failure no other call is tried.  No
 * call ends the program, whatever the job's own library does with errors.
 *
 * This is the central header of job/, which brings processes together: ranks,
 * their clocks, and the union of their dumps.
 */
#ifndef PDUMP_COMM_H
#define PDUMP_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pdump_comm {
    const char *name; /* "solo", "mpi" */
    /* Joins the job if it is running.  at_end() will be called while the ranks
     * can still communicate, on the thread that ends the job.  PDUMP_ESTATE if
     * the job has not started or has ended.  Local, cheap, may be called
     * again. */
    int (*attach)(void (*at_end)(void));
    /* Returns true if the job has been joined and has not ended. */
    bool (*is_up)(void);
    /* Returns true if the program has started the job's library, whether or not
     * the job was joined. */
    bool (*was_started)(void);
    /* In the group that was entered, otherwise in the whole job. */
    int (*rank)(void);
    int (*size)(void);

    /* Meets the other ranks of a group.  `group` points to a handle of the
     * job's own library (MPI_Comm); NULL means the whole job.  PDUMP_EPEER if
     * not all ranks come within `seconds`.  Collective. */
    int (*enter)(const void *group, int64_t seconds);
    void (*leave)(void);
    /* Returns 0 only if every rank passed 0, otherwise the smallest value, so
     * that all ranks go on or all give up.  Collective. */
    int (*agree)(int err);
    /* Returns 1 if every rank passed the same value, otherwise 0.
     * Collective. */
    int (*same)(uint64_t value);
    /* Send a message to another rank of the group, and receive one.  The
     * receiver frees *bytes, and waits `times` deadlines.  Messages between two
     * ranks arrive in order. */
    int (*send)(int to, const void *bytes, size_t len);
    int (*receive)(int from, int times, void **bytes, size_t *len);
    /* Converts a Fortran handle to a `group` as above; valid until the next
     * call. */
    const void *(*from_fortran)(int handle);
    /* Returns the handle of the group that was entered, as `group` above, for
     * modules that use the job's library themselves.  NULL if there is none. */
    const void *(*native)(void);
};

extern const struct pdump_comm pdump_comm_solo; /* comm_solo.c */

#endif
