/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the job that this process may be a rank of. */
#ifndef PDUMP_JOB_H
#define PDUMP_JOB_H

#include "config/settings.h"
#include "job/comm.h"

#include <stdbool.h>
#include <time.h>

/* Returns the rank from the variables of a launcher, or -1. */
PDUMP_SHARED int pdump_job_guess_rank(void);

/* Returns how many processes a launcher says that it has started together, with
 * the rank of this one, or 0 if there is no launcher.  Of several launchers,
 * the smallest number. */
int pdump_job_guess_size(int *rank);

/* Makes a name for the run from the variables of a launcher; "" if there are
 * none.  On one node, all ranks of a job get the same name, and no other
 * process does. */
void pdump_job_name(char *out, size_t len);

/*
 * Returns the job if its library is loaded, a module fits it, and it is
 * running: then this process joins it, and at_end() is called when it ends.
 * Otherwise NULL, and a later call may succeed.  Cheap while nothing has
 * changed.  Any thread.
 */
const struct pdump_comm *pdump_job_find(const struct pdump_settings *set,
                                        void (*at_end)(void));

/* Returns true if there was a job that this process might have joined. */
bool pdump_job_was_started(void);

/* Call this in the child of a fork(): the job of the parent is not its own. */
void pdump_job_forget(void);

/* Call these before fork(), and after it in the parent. */
void pdump_job_before_fork(struct timespec until);
void pdump_job_in_parent(void);

#endif
