/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of a dump, thread by thread.
 *
 *     struct pdump_lane_reader reader;
 *     struct pdump_event event;
 *
 *     pdump_lane_open(&reader, dump, lane);
 *     while (pdump_lane_next(&reader, &event) > 0)
 *         ...
 */
#ifndef PDUMP_EVENT_LANES_H
#define PDUMP_EVENT_LANES_H

#include "base/event_encoding.h"
#include "dump/dump.h"

struct pdump_lane_reader {
    const struct pdump_dump *dump;
    struct pdump_event_reader reader;
};

PDUMP_SHARED void pdump_lane_open(struct pdump_lane_reader *r,
                                  const struct pdump_dump *dump, int lane);

/* 1: there was one, 0: the end, PDUMP_EFORMAT: no events, or they name what the
 * dump does not have. */
PDUMP_SHARED int pdump_lane_next(struct pdump_lane_reader *r,
                                 struct pdump_event *event);

/* As pdump_builder_event(). */
int pdump_event_lanes_add(struct pdump_dump *dump, int thread,
                          const struct pdump_event *event);

/* Events of all lanes, and their bytes. */
PDUMP_SHARED int64_t pdump_event_lanes_count(const struct pdump_dump *dump);
int64_t pdump_event_lanes_bytes(const struct pdump_dump *dump);

/* Events that are missing, as the lanes themselves say.  Reads all of them. */
PDUMP_SHARED int64_t pdump_event_lanes_lost(const struct pdump_dump *dump);

/* What the things of one dump are in another.  NULL: they are the same. */
struct pdump_event_lanes_numbers {
    const int *threads; /* -1: left out; they stay in order */
    const int *nodes;
    const int *regions;
    const int *metrics;
    int first_thread; /* added to every thread */
    int rank_shift;   /* added to the ranks that messages name */
    /* Another time line; NULL: the same. */
    int64_t (*time_of)(const void *line, int64_t time);
    const void *line;
};

/* Add the events of one dump to another that knows all that they name. */
int pdump_event_lanes_copy(struct pdump_dump *to, const struct pdump_dump *from,
                           const struct pdump_event_lanes_numbers *numbers);

#endif
