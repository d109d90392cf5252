/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by the files of the PAPI source: the library, its event
 * sets. */
#ifndef PDUMP_SOURCE_PAPI_H
#define PDUMP_SOURCE_PAPI_H

#include "source/source.h"

/* The process (source_papi_process.c) */

/* All calls of PAPI except reads are made between these two functions.  This
 * separates the descriptors that PAPI opens from the program's, and tells a
 * child forked in between that PAPI is in an undefined state. */
int pdump_papi_lock(void);
void pdump_papi_unlock(void);

/* Start PAPI in this process, or restart it in a forked child.  The caller has
 * the lock.  PDUMP_ESOURCE with the reason if it cannot be started. */
int pdump_papi_start(void);

/* Returns the number of forks between the first process and this one: event
 * sets made before the last of them belong to the parent. */
int pdump_papi_forks(void);

/* Free PAPI's state of this thread, which has no event set any more. */
void pdump_papi_leave_thread(void);

/* pdump_papi_watch_fds() notes which descriptors are open.
 * pdump_papi_found_fds() finds those that PAPI has opened since, sets
 * close-on-exec for them, writes up to `max` of them to `fds`, and returns
 * their number.  Call pdump_papi_forget_fds() before PAPI closes them. */
void pdump_papi_watch_fds(void);
int pdump_papi_found_fds(int *fds, int max);
void pdump_papi_forget_fds(const int *fds, int n);

/* Returns true if all of them are still counters.  The program may have closed
 * them. */
bool pdump_papi_has_fds(const int *fds, int n);

/* Load PAPI and start it, unless it was started before.  Called before a turn
 * (lock.h) is taken. */
void pdump_papi_start_early(void);

/* Called around a fork(), and in its child. */
void pdump_papi_before_fork(struct timespec until);
void pdump_papi_in_parent(void);
void pdump_papi_forked(void);

/* Event sets (source_papi_set.c) */

/* The events of one component that are counted together. */
struct pdump_papi_set {
    int component;
    int n;
    int code[PDUMP_METRICS_MAX];
    int metric[PDUMP_METRICS_MAX]; /* where each value goes */
    bool is_multiplexed;
};

/* Create, start and read the set on this thread.  Returns a PAPI code; if it is
 * PAPI_OK, `id` is the running set. */
int pdump_papi_set_run(const struct pdump_papi_set *set, int *id);
void pdump_papi_set_end(int id);

/* Write what a PAPI code means here, and what to do about it. */
void pdump_papi_reason(int code, char *why, size_t len);

/* Events (source_papi_events.c) */

/* Fill `m` from PAPI's information about `code`, called `name`.  Returns false,
 * with the reason, if the event cannot be used. */
bool pdump_papi_describe(int code, const char *name, struct pdump_metric *m,
                         char *why, size_t len);
int pdump_papi_names(pdump_each_name *each, void *data);

#endif
