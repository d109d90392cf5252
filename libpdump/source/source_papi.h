/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the PAPI source share: the library, its event sets. */
#ifndef PDUMP_SOURCE_PAPI_H
#define PDUMP_SOURCE_PAPI_H

#include "source/source.h"

/* The process (source_papi_process.c) */

/* Everything that PAPI does but reading happens between these two, so that
 * the descriptors it opens can be told from the program's, and a child forked
 * meanwhile knows that PAPI is not to be trusted. */
int pdump_papi_lock(void);
void pdump_papi_unlock(void);

/* Make PAPI usable in this process, locked; in a forked child, start it anew.
 * PDUMP_ESOURCE with the reason if it cannot be. */
int pdump_papi_start(void);

/* Number of forks between the first process and this one: what was made
 * before the last of them is not ours. */
int pdump_papi_forks(void);

/* Free what PAPI keeps for this thread, which has no event set any more. */
void pdump_papi_leave_thread(void);

/* Remember what is open now, and find the descriptors that PAPI opened since:
 * up to `max` of them to `fds`, not to be inherited any more.  Returns their
 * number.  pdump_papi_forget_fds() comes before PAPI closes them. */
void pdump_papi_watch_fds(void);
int pdump_papi_found_fds(int *fds, int max);
void pdump_papi_forget_fds(const int *fds, int n);

/* Are they counters still?  The program may have closed them. */
bool pdump_papi_has_fds(const int *fds, int n);

/* Before a turn is taken: load PAPI and start it, if it never was. */
void pdump_papi_start_early(void);

/* Around a fork(), and in its child. */
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

/* Create, start and read the set on this thread.  Returns a PAPI code, and
 * the running set in `id` if it is PAPI_OK. */
int pdump_papi_set_run(const struct pdump_papi_set *set, int *id);
void pdump_papi_set_end(int id);

/* What a PAPI code means here, and what to do about it. */
void pdump_papi_reason(int code, char *why, size_t len);

/* Events (source_papi_events.c) */

/* Fill `m` from what PAPI knows about `code`, called `name`.  False, with the
 * reason, if its values are of no use here. */
bool pdump_papi_describe(int code, const char *name, struct pdump_metric *m,
                         char *why, size_t len);
int pdump_papi_names(pdump_each_name *each, void *data);

#endif
