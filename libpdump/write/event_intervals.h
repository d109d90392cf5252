/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a dump as nested intervals, for formats that draw them: every
 * region that begins also ends, inside the one around it, whatever events are
 * missing.  After a gap, the regions that the thread has left end, and those
 * that it is in begin, at the time of the next event.  Regions that are open at
 * the last event end with it.
 */
#ifndef PDUMP_EVENT_INTERVALS_H
#define PDUMP_EVENT_INTERVALS_H

#include "dump/event_lanes.h"

/* One lane. */
struct pdump_event_interval {
    struct pdump_lane_reader reader;
    struct pdump_event event; /* next one, after the way to it */
    bool is_read;             /* `event` is set, or the end was reached */
    bool is_over;
    int64_t time;
    int64_t node;  /* current node of the thread */
    int64_t above; /* regions end up to this node, */
    int64_t *way;  /* then these begin, the last one first */
    int64_t n_way;
    int64_t room;
};

PDUMP_SHARED void pdump_event_interval_open(struct pdump_event_interval *t,
                                            const struct pdump_dump *dump,
                                            int lane);

/* Gets the next event like pdump_lane_next(), but never a PDUMP_EVENT_AT; may
 * also return PDUMP_ENOMEM. */
PDUMP_SHARED int pdump_event_interval_next(struct pdump_event_interval *t,
                                           struct pdump_event *event);
PDUMP_SHARED void pdump_event_interval_close(struct pdump_event_interval *t);

/* All lanes of a dump, merged in order of time. */
struct pdump_event_intervals {
    const struct pdump_dump *dump;
    struct pdump_event_interval *tracks;
    struct pdump_event *next; /* of each lane */
    int *heap;                /* lanes that have an event, the earliest first */
    int n;
};

/* On success, the caller ends with pdump_event_intervals_close(). */
PDUMP_SHARED int pdump_event_intervals_open(struct pdump_event_intervals *t,
                                            const struct pdump_dump *dump);
/* Gets the next event like pdump_event_interval_next(); `lane` is the lane of
 * the event. */
PDUMP_SHARED int pdump_event_intervals_next(struct pdump_event_intervals *t,
                                            struct pdump_event *event,
                                            int *lane);
PDUMP_SHARED void pdump_event_intervals_close(struct pdump_event_intervals *t);

#endif
