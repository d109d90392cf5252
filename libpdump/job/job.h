/* SPDX-License-Identifier: BSD-3-Clause */
/* The job that this process may be a rank of. */
#ifndef PDUMP_JOB_H
#define PDUMP_JOB_H

#include "config/settings.h"
#include "job/comm.h"

#include <stdbool.h>
#include <time.h>

/* The rank that a launcher's variables tell, or -1. */
PDUMP_SHARED int pdump_job_guess_rank(void);

/* A name for the run, the same for all ranks of a job on a node and for nobody
 * else there, if a launcher tells: "" if not. */
void pdump_job_name(char *out, size_t len);

/*
 * The job, if its library is in the process by now, a module fits it, and it is
 * up: then this process joins it, and at_end() is called when it ends.  NULL if
 * not (yet).  Cheap while nothing has changed.  Any thread.
 */
const struct pdump_comm *pdump_job_find(const struct pdump_settings *set,
                                        void (*at_end)(void));

/* Has there been a job that this process might have joined? */
bool pdump_job_was_started(void);

/* In the child of a fork(): its parent's job is not its own. */
void pdump_job_forget(void);

/* Around fork(). */
void pdump_job_before_fork(struct timespec until);
void pdump_job_in_parent(void);

#endif
