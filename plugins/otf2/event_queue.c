/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the events of a lane, and looks ahead. */
#include "event_queue.h"

#include "base/array.h"

void event_queue_open(struct event_queue *q, const struct pdump_dump *piece,
                      int lane)
{
    *q = (struct event_queue){ .events = NULL };
    pdump_event_interval_open(&q->track, piece, lane);
}

void event_queue_close(struct event_queue *q)
{
    pdump_event_interval_close(&q->track);
    free(q->events);
}

/* Returns false at the end or if reading fails. */
static bool read_one(struct event_queue *q)
{
    int got = pdump_array_make(&q->events, q->n, sizeof(*q->events));

    if (got >= 0)
        got = pdump_event_interval_next(&q->track, &q->events[q->n]);
    if (got < 0)
        q->err = got;
    q->n += got > 0;
    return got > 0;
}

const struct pdump_event *event_queue_peek(struct event_queue *q, int ahead)
{
    if (q->at == q->n)
        q->at = q->n = 0;
    while (q->n - q->at <= ahead)
        if (q->err || !read_one(q))
            return NULL;
    return &q->events[q->at + ahead];
}

int event_queue_take(struct event_queue *q, struct pdump_event *event)
{
    const struct pdump_event *next = event_queue_peek(q, 0);

    if (!next)
        return q->err;
    *event = *next;
    q->at++;
    return 1;
}
