/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clocks of ranks: what one shows when another shows something else.
 *
 * Rank 0 asks each rank for its time, several times.  The answer that came back
 * first was on its way for the least time, and half of that is how old it is.
 * Two such measurements, when the job starts and when it ends, make a line.
 * Ranks on one node read one clock, and are not asked.
 */
#ifndef PDUMP_CLOCK_SYNC_H
#define PDUMP_CLOCK_SYNC_H

#include "job/comm.h"

/* At `time`, this rank's clock was so much ahead of rank 0's. */
struct pdump_clock_sync_point {
    int64_t time;
    int64_t offset;
};

/* The clock of one rank, in ns since its session's start. */
struct pdump_clock_sync {
    int64_t origin;         /* what `clock` showed then */
    int64_t (*clock)(void); /* NULL: there is none */
    bool is_system; /* it is the system's, which processes of a node share */
    bool is_tried;  /* to measure when the job started */
    bool has_first;
    struct pdump_clock_sync_point first;
};

/* From this rank's clock to the time line of all. */
struct pdump_clock_sync_line {
    struct pdump_clock_sync_point first; /* the same as last if there is none */
    struct pdump_clock_sync_point last;
    int64_t shift; /* so that no rank begins before 0 */
};

/* Measure against rank 0 of the group that was entered.  Collective. */
int pdump_clock_sync_measure(const struct pdump_comm *comm,
                             const struct pdump_clock_sync *align,
                             struct pdump_clock_sync_point *out);

/* The first measurement, once, if all ranks come within a few seconds; if they
 * do not, there is none.  Collective in intent. */
void pdump_clock_sync_start(const struct pdump_comm *comm, int64_t seconds,
                            struct pdump_clock_sync *align);

/* The second measurement, and what follows, in a group that was entered; its
 * rank 0 may be another one than at the start.  Collective. */
int pdump_clock_sync_finish(const struct pdump_comm *comm,
                            const struct pdump_clock_sync *align,
                            struct pdump_clock_sync_line *out);

/* How far ahead the clock was when it showed `time`. */
int64_t pdump_clock_sync_offset(const struct pdump_clock_sync_line *line,
                                int64_t time);

/* `time` on the time line of all; `line` is a pdump_clock_sync_line. */
int64_t pdump_clock_sync_time(const void *line, int64_t time);

/* How much faster this clock is, in parts per million. */
double pdump_clock_sync_drift(const struct pdump_clock_sync_line *line);

#endif
