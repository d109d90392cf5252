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

/* Returns 1 with the next event, 0 at the end, PDUMP_EFORMAT if the bytes are
 * not events or name something that the dump does not have. */
PDUMP_SHARED int pdump_lane_next(struct pdump_lane_reader *r,
                                 struct pdump_event *event);

/* Does the work of pdump_builder_event(). */
int pdump_event_lanes_add(struct pdump_dump *dump, int thread,
                          const struct pdump_event *event);

/* Return the number of events in all lanes, and the number of their bytes. */
PDUMP_SHARED int64_t pdump_event_lanes_count(const struct pdump_dump *dump);
int64_t pdump_event_lanes_bytes(const struct pdump_dump *dump);

/* Returns the number of missing events that the lanes report.  Reads all
 * lanes. */
PDUMP_SHARED int64_t pdump_event_lanes_lost(const struct pdump_dump *dump);

/* Maps the numbers of one dump to those of another.  A NULL map means that the
 * numbers are the same. */
struct pdump_event_lanes_numbers {
    const int *threads; /* -1: left out; the order stays the same */
    const int *nodes;
    const int *regions;
    const int *metrics;
    int first_thread; /* added to every thread */
    int rank_shift;   /* added to the ranks that messages name */
    /* Converts times to another time line; NULL: times stay the same. */
    int64_t (*time_of)(const void *line, int64_t time);
    const void *line;
};

/* Adds the events of one dump to another, which must have everything that they
 * name. */
int pdump_event_lanes_copy(struct pdump_dump *to, const struct pdump_dump *from,
                           const struct pdump_event_lanes_numbers *numbers);

#endif
