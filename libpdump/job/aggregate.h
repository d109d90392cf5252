/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dumps of all ranks of a job, as one stream on rank 0.
 *
 * Metrics, regions and nodes are united first; from then on every rank uses the
 * same numbers.  Rank 0 has the tables of all, and asks for the rows rank by
 * rank when a sink wants them: it never holds more than one rank's.  The others
 * serve it until it has written.
 */
#ifndef PDUMP_AGGREGATE_H
#define PDUMP_AGGREGATE_H

#include "config/settings.h"
#include "job/clock_sync.h"
#include "job/comm.h"
#include "stream/stream.h"

struct pdump_aggregate;

/* Meet the ranks of `group` (as in comm.h), and unite what they have; `mine` is
 * borrowed until the close.  `clock` is this rank's, or NULL: events of ranks
 * that have one are moved to one time line.  `what` is a number that all ranks
 * must have the same: they may have met for different dumps.  Collective. */
int pdump_aggregate_open(const struct pdump_dump *mine,
                         const struct pdump_comm *comm, const void *group,
                         uint64_t what, const struct pdump_settings *set,
                         const struct pdump_clock_sync *clock,
                         struct pdump_aggregate **out);

/* How to find the function by which all ranks fill one file.  Without this
 * call, rank 0 writes all rows itself. */
void pdump_aggregate_fill_by(struct pdump_aggregate *a,
                             int (*find_fill)(pdump_fill **out));

/* On rank 0: everything.  NULL elsewhere: call pdump_aggregate_close(). */
struct pdump_stream *pdump_aggregate_stream(struct pdump_aggregate *a);

/* Rank 0 has written, with success or not: `err`.  The others serve until it
 * has, and return its error.  Frees.  Collective. */
int pdump_aggregate_close(struct pdump_aggregate *a, int err);

#endif
