/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam for processes: one alone, or the ranks of a job. */
#ifndef PDUMP_COMM_H
#define PDUMP_COMM_H

#include "error.h"

#include <stddef.h>

struct pdump_comm {
    const char *name; /* "solo", "mpi" */
    /* Join the running job; at_end() will be called while collectives still
     * work.  PDUMP_ESTATE if the job is not up (yet or any more).  Local. */
    int (*attach)(void (*at_end)(void));
    int (*rank)(void);
    int (*size)(void);
    /* Concatenate every rank's bytes on rank 0, which frees *all and *lens. */
    int (*gather)(const void *mine, size_t len, void **all, size_t **lens);
    /* 0 only if every rank passed 0: ranks go on, or give up, together. */
    int (*agree)(int err);
};

extern const struct pdump_comm pdump_comm_solo; /* comm_solo.c */

#endif
