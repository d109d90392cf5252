/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline: events of threads, on request: what began, ended and happened,
 * and when.
 *
 * A thread writes into chunks in the store (store_layout.h), which outlive it.
 * With PDUMP_EVENTS_MODE=flush, a thread of libpdump writes full chunks to a
 * file (store_event_file.h), after which they are reused; if all are full,
 * events are lost, and counted.  In a ring the oldest chunk is reused.  No
 * thread ever waits.
 */
#ifndef PDUMP_TIMELINE_H
#define PDUMP_TIMELINE_H

#include "base/event_encoding.h"
#include "store/store.h"
#include "store/store_layout.h"

#include <semaphore.h>

/* What all threads of a session share. */
struct pdump_timeline {
    enum pdump_timeline_mode mode;
    uint64_t buffer; /* bytes for a thread */
    uint64_t limit;  /* for all threads: leaves room for the profile */
    bool has_counters;
    _Atomic uint64_t used;  /* of the limit */
    _Atomic unsigned freed; /* how often a chunk was freed */
    sem_t *_Atomic full;    /* posted for every full chunk, or NULL */
};

struct pdump_recorder;
struct pdump_frame;

/* Where the events of a thread go. */
struct pdump_trace {
    unsigned char *at;  /* where the next event goes; NULL without a chunk */
    unsigned char *end; /* no event begins here or later */
    struct pdump_event_chunk *chunk;
    int64_t last; /* time of the last event */
    uint64_t n;   /* events so far, kept or lost */
    uint64_t sequence;
    uint32_t thread; /* ref of its record */
    uint32_t ring;   /* the newest chunk */
    unsigned freed;  /* value of pdump_timeline.freed when none was free */
    bool has_none;
    bool has_counters;
};

/* Called when a recorder is opened, whose record is at `thread`, and closed. */
void pdump_timeline_open(struct pdump_recorder *r, uint32_t thread);
void pdump_timeline_close(struct pdump_recorder *r);

/* Add an event of this thread, with the ref of its node.  The caller is inside
 * (gate.h). */
void pdump_timeline_add(struct pdump_recorder *r,
                        const struct pdump_event *event);

/* Add the metrics at the begin or the end of a region as events. */
void pdump_timeline_counters(struct pdump_recorder *r,
                             const struct pdump_frame *frame,
                             const int64_t *values, bool is_start);

/* Add an event with the thread's current node, if it is not the one that its
 * events lead to: see frame_reorder.h. */
void pdump_timeline_at(struct pdump_recorder *r);

/* Make the last n events void, for pdump_rewind_end(). */
void pdump_timeline_void(struct pdump_recorder *r, uint32_t n);

/* Add a message of MPI: PDUMP_EVENT_SEND, _RECEIVE or _COLLECTIVE.  `peer` is
 * its rank in the job, or the number of ranks; `tag` of a collective is as in
 * pdump.h; `time` is in ticks.  Does nothing if no events are kept. */
PDUMP_SHARED void pdump_timeline_message(enum pdump_event_kind kind,
                                         int64_t time, int64_t peer,
                                         int64_t bytes, int64_t tag);

/* Adds a call on the file `name` that has just ended: PDUMP_EVENT_IO.  Does
 * nothing if no events are kept, or the filter excludes the name. */
PDUMP_SHARED void pdump_timeline_io(int64_t time, const char *name,
                                    int64_t value);

/* Called when a session starts, which keeps events or not. */
void pdump_timeline_wish(bool is_wanted);
/* Returns true if a session keeps events or has kept them, or if none has
 * started yet and one still may.  For code that must number collectives from
 * the first call. */
PDUMP_SHARED bool pdump_timeline_may_come(void);

/* Returns true if a thread moves full chunks to a file (timeline_writer.c). */
bool pdump_timeline_is_writing(void);

#endif
