/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples memory over time: a thread of libpdump takes a sample every
 * PDUMP_MEMORY milliseconds.
 *
 * Samples are rows of the table "memory".  Their labels are the time since the
 * session's start in ms and the open regions of the first thread.  Each of the
 * first PDUMP_RSS_SAMPLER_FINE rows is one sample.  After that, a row unites
 * several samples, and twice as many after every PDUMP_RSS_SAMPLER_COARSE rows:
 * no peak is lost, and there are never more than PDUMP_RSS_SAMPLER_ROWS.
 */
#ifndef PDUMP_RSS_SAMPLER_H
#define PDUMP_RSS_SAMPLER_H

#include "session/session.h"

enum {
    PDUMP_RSS_SAMPLER_ROWS = 4096,
    PDUMP_RSS_SAMPLER_FINE = 2048,
    PDUMP_RSS_SAMPLER_COARSE = 128,
};

/* Returns the row of the n-th sample, both counted from 0. */
uint64_t pdump_rss_sampler_row(uint64_t look);

/* Start the thread if the session's settings ask for it, and stop it.  Both are
 * called under the lock of the session, which the thread never takes. */
void pdump_rss_sampler_start(const struct pdump_session *s);
void pdump_rss_sampler_stop(void);

/* Call these around fork(): the child does not have the thread. */
void pdump_rss_sampler_before_fork(struct timespec until);
void pdump_rss_sampler_in_parent(void);
void pdump_rss_sampler_forked(void);

/* Returns true if the thread is running. */
bool pdump_rss_sampler_is_running(void);

/* A second thread of libpdump, with its own descriptor table (private_fd.h),
 * opens files for the first one.  Without it, or before Linux 5.9, files take
 * descriptors of the program.  The first thread keeps the program's
 * descriptors, because it may be the last one of the process, and then ends
 * it. */
void pdump_rss_sampler_apart_start(void);
void pdump_rss_sampler_apart_stop(void);
void pdump_rss_sampler_apart_forked(void);
bool pdump_rss_sampler_apart_is_running(void);
void pdump_rss_sampler_apart_do(void (*function)(void *data), void *data);

/* Returns true if all threads of the program have ended, including the first
 * one.  Does not return if the process has to exit with the exit code of the
 * first thread. */
bool pdump_rss_sampler_is_alone(void);

/* Read /proc (rss_proc.c).  The results are in bytes, or -1; `pid` 0 means this
 * process. */
int64_t pdump_rss_sampler_rss(int64_t pid);
int64_t pdump_rss_sampler_pss(void);

/* Finds the children of this process and all their descendants: up to `max`. */
int pdump_rss_sampler_children(int64_t *pids, int max);

#endif
