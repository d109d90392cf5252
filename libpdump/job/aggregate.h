/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes one stream on rank 0 from the dumps of all ranks of a job.
 *
 * First, metrics, regions and nodes are united; from then on every rank uses
 * the same numbers.  Rank 0 has the tables of all ranks.  It requests the rows
 * rank by rank when a sink needs them, so that it never holds more than those
 * of one rank.  The other ranks answer until it has written.
 */
#ifndef PDUMP_AGGREGATE_H
#define PDUMP_AGGREGATE_H

#include "config/settings.h"
#include "job/clock_sync.h"
#include "job/comm.h"
#include "stream/stream.h"

struct pdump_aggregate;

/* Meets the ranks of `group` (see comm.h) and unites their tables; `mine` is
 * borrowed until the close.  `clock` is the clock of this rank, or NULL: the
 * events of ranks with a clock are moved to a common time line.  `what` must be
 * the same number on all ranks; if it is not, they have met for different
 * dumps.  Collective. */
int pdump_aggregate_open(const struct pdump_dump *mine,
                         const struct pdump_comm *comm, const void *group,
                         uint64_t what, const struct pdump_settings *set,
                         const struct pdump_clock_sync *clock,
                         struct pdump_aggregate **out);

/* Sets the function that finds the fill() of a sink, with which all ranks write
 * to one file.  Without this call, rank 0 writes all rows itself. */
void pdump_aggregate_fill_by(struct pdump_aggregate *a,
                             int (*find_fill)(pdump_fill **out));

/* On rank 0: returns the stream.  On the other ranks: returns NULL; they call
 * pdump_aggregate_close(). */
struct pdump_stream *pdump_aggregate_stream(struct pdump_aggregate *a);

/* On rank 0: ends the writing, whose result is `err`.  On the other ranks:
 * answers until rank 0 has ended, and returns its error.  Frees `a`.
 * Collective. */
int pdump_aggregate_close(struct pdump_aggregate *a, int err);

#endif
