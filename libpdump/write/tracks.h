/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a dump as pictures of them need them: every region that begins
 * ends, inside the one around it, whatever is missing.  After a gap, what the
 * thread has left meanwhile ends, and where it is now begins, at the time when
 * that is known; what is open at the last event ends with it.
 */
#ifndef PDUMP_TRACKS_H
#define PDUMP_TRACKS_H

#include "dump/event_lanes.h"

/* One lane. */
struct pdump_track {
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

PDUMP_SHARED void pdump_track_open(struct pdump_track *t,
                                   const struct pdump_dump *dump, int lane);

/* As pdump_lane_next(), but there is no PDUMP_EVENT_AT; or PDUMP_ENOMEM. */
PDUMP_SHARED int pdump_track_next(struct pdump_track *t,
                                  struct pdump_event *event);
PDUMP_SHARED void pdump_track_close(struct pdump_track *t);

/* All lanes of a dump together, in order of time. */
struct pdump_tracks {
    const struct pdump_dump *dump;
    struct pdump_track *tracks;
    struct pdump_event *next; /* of each lane */
    int *heap;                /* lanes that have one, the earliest first */
    int n;
};

/* On success end with pdump_tracks_close(). */
PDUMP_SHARED int pdump_tracks_open(struct pdump_tracks *t,
                                   const struct pdump_dump *dump);
/* As pdump_track_next(); `lane` is the one that it happened on. */
PDUMP_SHARED int pdump_tracks_next(struct pdump_tracks *t,
                                   struct pdump_event *event, int *lane);
PDUMP_SHARED void pdump_tracks_close(struct pdump_tracks *t);

#endif
