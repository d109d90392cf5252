/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the events of a lane, and looks ahead. */
#ifndef PDUMP_OTF2_EVENT_QUEUE_H
#define PDUMP_OTF2_EVENT_QUEUE_H

#include "write/event_intervals.h"

struct event_queue {
    struct pdump_event_interval track;
    struct pdump_event *events; /* read ahead: those from `at` to n */
    int at;
    int n;
    int err; /* of reading, or 0 */
};

void event_queue_open(struct event_queue *q, const struct pdump_dump *piece,
                      int lane);
void event_queue_close(struct event_queue *q);

/* Returns the event that is taken after `ahead` others, valid until the next
 * call; NULL at the end or if reading fails. */
const struct pdump_event *event_queue_peek(struct event_queue *q, int ahead);

/* Returns 1, 0 at the end, or a pdump_error. */
int event_queue_take(struct event_queue *q, struct pdump_event *event);

#endif
