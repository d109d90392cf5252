/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a dump, thread by thread. */
#include "dump/event_lanes.h"

#include "base/array.h"

#include <stdlib.h>

/* Returns true if the dump has everything that the event names. */
static bool is_known(const struct pdump_dump *dump,
                     const struct pdump_event *event)
{
    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_LEAVE:
        return event->node >= 0 && event->node < dump->n_nodes;
    case PDUMP_EVENT_AT:
        return event->node >= -1 && event->node < dump->n_nodes;
    case PDUMP_EVENT_MARKER:
    case PDUMP_EVENT_IO:
        return event->what >= 0 && event->what < dump->n_regions;
    case PDUMP_EVENT_COUNTER:
        return event->what >= 0 && event->what < dump->n_metrics;
    default:
        return event->kind < PDUMP_EVENT_KINDS;
    }
}

void pdump_lane_open(struct pdump_lane_reader *r, const struct pdump_dump *dump,
                     int lane)
{
    const struct pdump_dump_lane *from = &dump->lanes[lane];

    *r = (struct pdump_lane_reader){
        .dump = dump,
        .reader = { .at = from->bytes,
                    .end = from->bytes + from->n_bytes,
                    .node = -1 },
    };
}

int pdump_lane_next(struct pdump_lane_reader *r, struct pdump_event *event)
{
    int got = pdump_event_read(&r->reader, event);

    if (got < 0)
        return pdump_fail(PDUMP_EFORMAT, "events are damaged");
    if (got == 0)
        return 0;
    if (!is_known(r->dump, event))
        return pdump_fail(PDUMP_EFORMAT,
                          "an event names what the dump does not have");
    if (event->kind == PDUMP_EVENT_LEAVE)
        r->reader.node = r->dump->nodes[event->node].parent;
    return 1;
}

/* On success, the last lane is that of the thread. */
static int make_lane(struct pdump_dump *dump, int thread)
{
    int n = dump->n_lanes, err;

    if (n && dump->lanes[n - 1].thread == thread)
        return PDUMP_OK;
    if (n && dump->lanes[n - 1].thread > thread)
        return pdump_fail(PDUMP_EINVAL, "events of thread %d after those of %d",
                          thread, dump->lanes[n - 1].thread);
    err = pdump_array_make(&dump->lanes, n, sizeof(*dump->lanes));
    if (err < 0)
        return err;
    dump->lanes[n] = (struct pdump_dump_lane){ .thread = thread, .node = -1 };
    dump->n_lanes++;
    return PDUMP_OK;
}

static int lane_append(struct pdump_dump_lane *lane,
                       const struct pdump_event *event)
{
    const int64_t first = 256;
    unsigned char *end;

    if (lane->room - lane->n_bytes < PDUMP_EVENT_MAX) {
        int64_t room = lane->room ? 2 * lane->room : first;

        if (pdump_array_set(&lane->bytes, room, 1) < 0)
            return PDUMP_ENOMEM;
        lane->room = room;
    }
    end = pdump_event_write(lane->bytes + lane->n_bytes, event, &lane->last);
    lane->n_bytes = end - lane->bytes;
    lane->n_events++;
    lane->node = event->node;
    return PDUMP_OK;
}

int pdump_event_lanes_add(struct pdump_dump *dump, int thread,
                          const struct pdump_event *event)
{
    struct pdump_dump_lane *lane;
    int err;

    if (thread < 0 || thread >= dump->n_threads || !is_known(dump, event) ||
        event->node < -1 || event->node >= dump->n_nodes || event->time < 0 ||
        event->time > PDUMP_EVENT_LAST)
        return pdump_fail(PDUMP_EINVAL,
                          "an event names what the dump does not have");
    err = make_lane(dump, thread);
    if (err < 0)
        return err;
    lane = &dump->lanes[dump->n_lanes - 1];
    if (event->node != lane->node && event->kind != PDUMP_EVENT_ENTER &&
        event->kind != PDUMP_EVENT_AT) {
        struct pdump_event at = { .kind = PDUMP_EVENT_AT,
                                  .time = event->time,
                                  .node = event->node };

        err = lane_append(lane, &at);
    }
    if (err == PDUMP_OK)
        err = lane_append(lane, event);
    if (err == PDUMP_OK && event->kind == PDUMP_EVENT_LEAVE)
        lane->node = dump->nodes[event->node].parent;
    return err;
}

int64_t pdump_event_lanes_count(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_lanes; i++)
        n += dump->lanes[i].n_events;
    return n;
}

int64_t pdump_event_lanes_bytes(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_lanes; i++)
        n += dump->lanes[i].n_bytes;
    return n;
}

int64_t pdump_event_lanes_lost(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_lanes; i++) {
        struct pdump_lane_reader reader;
        struct pdump_event event;

        pdump_lane_open(&reader, dump, i);
        while (pdump_lane_next(&reader, &event) > 0)
            if (event.kind == PDUMP_EVENT_LOST && event.value > 0 &&
                event.value < INT64_MAX - n)
                n += event.value;
    }
    return n;
}

static void event_translate(struct pdump_event *event,
                            const struct pdump_event_lanes_numbers *numbers)
{
    const int *whats =
        event->kind == PDUMP_EVENT_MARKER || event->kind == PDUMP_EVENT_IO
            ? numbers->regions
        : event->kind == PDUMP_EVENT_COUNTER ? numbers->metrics
                                             : NULL;

    if (numbers->nodes && event->node >= 0)
        event->node = numbers->nodes[event->node];
    if (whats)
        event->what = whats[event->what];
    if ((event->kind == PDUMP_EVENT_SEND ||
         event->kind == PDUMP_EVENT_RECEIVE) &&
        event->what >= 0)
        event->what += numbers->rank_shift;
    if (numbers->time_of)
        event->time = numbers->time_of(numbers->line, event->time);
}

int pdump_event_lanes_copy(struct pdump_dump *to, const struct pdump_dump *from,
                           const struct pdump_event_lanes_numbers *numbers)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < from->n_lanes; i++) {
        int thread = from->lanes[i].thread;
        struct pdump_lane_reader reader;
        struct pdump_event event;

        if (numbers->threads)
            thread = numbers->threads[thread];
        if (thread < 0)
            continue;
        pdump_lane_open(&reader, from, i);
        while (err >= 0 && (err = pdump_lane_next(&reader, &event)) > 0) {
            event_translate(&event, numbers);
            err = pdump_event_lanes_add(to, thread + numbers->first_thread,
                                        &event);
        }
    }
    return err;
}
