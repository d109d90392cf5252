/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of threads, on request: what began, ended and happened, and when.
 *
 * A thread writes into chunks in the store (store_layout.h), which outlive it.
 * By PDUMP_EVENTS_MODE=flush full chunks go to a file (store_event_file.h) by a
 * thread of ours and are used again; if all are full, events are lost, and
 * counted. In a ring the oldest chunk is used again.  Nobody ever waits.
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
    uint64_t limit;  /* for all: the profile needs room, too */
    bool has_counters;
    _Atomic uint64_t used;  /* of the limit */
    _Atomic unsigned freed; /* how often a chunk became free */
    sem_t *_Atomic full;    /* to be told of full chunks, or NULL */
};

struct pdump_recorder;
struct pdump_frame;

/* Where the events of a thread go. */
struct pdump_trace {
    unsigned char *at;  /* the next one; NULL without a chunk */
    unsigned char *end; /* where none begins any more */
    struct pdump_event_chunk *chunk;
    int64_t last; /* time of the last one */
    uint64_t n;   /* until now, kept or not */
    uint64_t sequence;
    uint32_t thread; /* ref of its record */
    uint32_t ring;   /* the chunk made last */
    unsigned freed;  /* as above, when there was none */
    bool has_none;
    bool has_counters;
};

/* With the recorder, whose record is at `thread`. */
void pdump_timeline_open(struct pdump_recorder *r, uint32_t thread);
void pdump_timeline_close(struct pdump_recorder *r);

/* An event of this thread, its node a ref; inside. */
void pdump_timeline_add(struct pdump_recorder *r,
                        const struct pdump_event *event);

/* The metrics at the begin or the end of a region, as events. */
void pdump_timeline_counters(struct pdump_recorder *r,
                             const struct pdump_frame *frame,
                             const int64_t *values, bool is_start);

/* The thread is elsewhere than its events say: see frame_reorder.h. */
void pdump_timeline_at(struct pdump_recorder *r);

/* The last n events are void, by pdump_rewind_end(). */
void pdump_timeline_void(struct pdump_recorder *r, uint32_t n);

/* A message of MPI: PDUMP_EVENT_SEND, _RECEIVE or _COLLECTIVE.  `peer` is its
 * rank in the job, or the number of ranks; `tag` of a collective is as pdump.h
 * says; `time` is in ticks.  Nothing without events. */
PDUMP_SHARED void pdump_timeline_message(enum pdump_event_kind kind,
                                         int64_t time, int64_t peer,
                                         int64_t bytes, int64_t tag);

/* A session starts, which is to keep events or not. */
void pdump_timeline_wish(bool is_wanted);
/* Has one been to keep them, or may the first one yet?  For who has to count
 * from the beginning. */
PDUMP_SHARED bool pdump_timeline_may_come(void);

/* Returns true if a thread moves full chunks to a file (timeline_writer.c). */
bool pdump_timeline_is_writing(void);

#endif
