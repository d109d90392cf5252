/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a dump as pictures of them need them: every region that begins
 * ends, inside the one around it, whatever is missing.  After a gap, what the
 * thread has left meanwhile ends, and where it is now begins, at the time when
 * that is known; what is open at the last event ends with it.
 */
#ifndef PDUMP_EVENT_INTERVALS_H
#define PDUMP_EVENT_INTERVALS_H

#include "dump/event_lanes.h"

/* One lane. */
struct pdump_event_interval {
    struct pdump_lane_reader reader;
    struct pdump_event event; /* that is next, when the way to it is gone */
    bool is_read;             /* there is one, or the end was read */
    bool is_over;
    int64_t time;
    int64_t node;  /* where the thread is, as far as it was told */
    int64_t above; /* until here regions end, */
    int64_t *way;  /* then these begin, the last first */
    int64_t n_way;
    int64_t room;
};

PDUMP_SHARED void pdump_event_interval_open(struct pdump_event_interval *t,
                                            const struct pdump_dump *dump,
                                            int lane);

/* As pdump_lane_next(), but there is no PDUMP_EVENT_AT; or PDUMP_ENOMEM. */
PDUMP_SHARED int pdump_event_interval_next(struct pdump_event_interval *t,
                                           struct pdump_event *event);
PDUMP_SHARED void pdump_event_interval_close(struct pdump_event_interval *t);

/* All lanes of a dump together, in order of time. */
struct pdump_event_intervals {
    const struct pdump_dump *dump;
    struct pdump_event_interval *tracks;
    struct pdump_event *next; /* of each lane */
    int *heap;                /* lanes that have one, the earliest first */
    int n;
};

/* On success end with pdump_event_intervals_close(). */
PDUMP_SHARED int pdump_event_intervals_open(struct pdump_event_intervals *t,
                                            const struct pdump_dump *dump);
/* As pdump_event_interval_next(); `lane` is the one that it happened on. */
PDUMP_SHARED int pdump_event_intervals_next(struct pdump_event_intervals *t,
                                            struct pdump_event *event,
                                            int *lane);
PDUMP_SHARED void pdump_event_intervals_close(struct pdump_event_intervals *t);

#endif
