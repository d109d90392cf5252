/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the clocks of ranks, so that their events get one time line.
 *
 * Rank 0 asks each rank for its time, several times.  The answer with the
 * shortest round trip is the best: it is half of that trip old.  Two such
 * measurements, when the job starts and when it ends, give a line.  Ranks on
 * the same node read the same clock and are not asked.
 */
#ifndef PDUMP_CLOCK_SYNC_H
#define PDUMP_CLOCK_SYNC_H

#include "job/comm.h"

/* At `time`, this rank's clock was ahead of rank 0's by `offset`. */
struct pdump_clock_sync_point {
    int64_t time;
    int64_t offset;
};

/* The clock of one rank, in ns since its session's start. */
struct pdump_clock_sync {
    int64_t origin;         /* time on `clock` at that moment */
    int64_t (*clock)(void); /* NULL: no clock */
    bool is_system; /* the system clock, which processes on a node share */
    bool is_tried;  /* to measure when the job started */
    bool has_first;
    struct pdump_clock_sync_point first;
};

/* Maps this rank's clock to the time line of all ranks. */
struct pdump_clock_sync_line {
    struct pdump_clock_sync_point first; /* same as last if there is none */
    struct pdump_clock_sync_point last;
    int64_t shift; /* so that no rank begins before 0 */
};

/* Measures against rank 0 of the group that was entered.  Collective. */
int pdump_clock_sync_measure(const struct pdump_comm *comm,
                             const struct pdump_clock_sync *align,
                             struct pdump_clock_sync_point *out);

/* Makes the first measurement, once, if all ranks come within a few seconds;
 * otherwise there is none.  Collective in intent. */
void pdump_clock_sync_start(const struct pdump_comm *comm, int64_t seconds,
                            struct pdump_clock_sync *align);

/* Makes the second measurement and computes the line, in a group that was
 * entered; its rank 0 may be another one than at the start.  Collective. */
int pdump_clock_sync_finish(const struct pdump_comm *comm,
                            const struct pdump_clock_sync *align,
                            struct pdump_clock_sync_line *out);

/* Returns how far ahead the clock was when it showed `time`. */
int64_t pdump_clock_sync_offset(const struct pdump_clock_sync_line *line,
                                int64_t time);

/* Converts `time` to the time line of all ranks; `line` is a
 * pdump_clock_sync_line. */
int64_t pdump_clock_sync_time(const void *line, int64_t time);

/* Returns how much faster this clock is, in parts per million. */
double pdump_clock_sync_drift(const struct pdump_clock_sync_line *line);

#endif
