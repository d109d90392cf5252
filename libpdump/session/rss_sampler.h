/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory over time: a thread of ours looks every PDUMP_MEMORY milliseconds.
 *
 * What it sees are rows of the table "memory", whose labels are the time since
 * the session's start in ms and the regions that the first thread is in.  The
 * first PDUMP_RSS_SAMPLER_FINE rows are one look each; then a row unites ever
 * more of them, twice as many every PDUMP_RSS_SAMPLER_COARSE rows: no peak is
 * lost, and there are never more than PDUMP_RSS_SAMPLER_ROWS.
 */
#ifndef PDUMP_RSS_SAMPLER_H
#define PDUMP_RSS_SAMPLER_H

#include "session/session.h"

enum {
    PDUMP_RSS_SAMPLER_ROWS = 4096,
    PDUMP_RSS_SAMPLER_FINE = 2048,
    PDUMP_RSS_SAMPLER_COARSE = 128,
};

/* The row of the n-th look, both from 0 on. */
uint64_t pdump_rss_sampler_row(uint64_t look);

/* Start the thread, if the session's settings ask for it, and end it.  Under
 * the lock of the session, which the thread never wants. */
void pdump_rss_sampler_start(const struct pdump_session *s);
void pdump_rss_sampler_stop(void);

/* Around fork(): in the child there is no such thread. */
void pdump_rss_sampler_before_fork(struct timespec until);
void pdump_rss_sampler_in_parent(void);
void pdump_rss_sampler_forked(void);

/* Is there such a thread? */
bool pdump_rss_sampler_is_running(void);

/* A second thread of ours, with descriptors of its own (private_fd.h), does
 * what opens files; without it, or before Linux 5.9, they are the program's.
 * For the first one, which keeps the descriptors: it may be the last of the
 * process, and then ends it. */
void pdump_rss_sampler_apart_start(void);
void pdump_rss_sampler_apart_stop(void);
void pdump_rss_sampler_apart_forked(void);
bool pdump_rss_sampler_apart_is_running(void);
void pdump_rss_sampler_apart_do(void (*function)(void *data), void *data);

/* Returns true if all threads but ours have ended, including the first one.
 * Does not return if the process has to exit with the exit code of the first
 * thread. */
bool pdump_rss_sampler_is_alone(void);

/* What /proc tells (rss_proc.c), in bytes, or -1; of process 0: ours. */
int64_t pdump_rss_sampler_rss(int64_t pid);
int64_t pdump_rss_sampler_pss(void);

/* Children of this process, theirs, and so on: up to `max` of them. */
int pdump_rss_sampler_children(int64_t *pids, int max);

#endif
