/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a dump, thread by thread. */
#include "lanes.h"

#include "room.h"

/* Is everything there that the event names? */
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

    if (got <= 0)
        return got;
    if (!is_known(r->dump, event))
        return pdump_fail(PDUMP_EFORMAT,
                          "an event names what the dump does not have");
    if (event->kind == PDUMP_EVENT_LEAVE)
        r->reader.node = r->dump->nodes[event->node].parent;
    return 1;
}

static struct pdump_dump_lane *lane_of(struct pdump_dump *dump, int thread)
{
    int n = dump->n_lanes;

    if (n && dump->lanes[n - 1].thread == thread)
        return &dump->lanes[n - 1];
    if (n && dump->lanes[n - 1].thread > thread) {
        pdump_fail(PDUMP_EINVAL, "events of thread %d after those of %d",
                   thread, dump->lanes[n - 1].thread);
        return NULL;
    }
    if (pdump_room_make(&dump->lanes, n, sizeof(*dump->lanes)) < 0)
        return NULL;
    dump->lanes[n] = (struct pdump_dump_lane){ .thread = thread, .node = -1 };
    dump->n_lanes++;
    return &dump->lanes[n];
}

static int append(struct pdump_dump_lane *lane, const struct pdump_event *event)
{
    const int64_t first = 256;
    unsigned char *end;

    if (lane->room - lane->n_bytes < PDUMP_EVENT_MAX) {
        int64_t room = lane->room ? 2 * lane->room : first;

        if (pdump_room_set(&lane->bytes, room, 1) < 0)
            return PDUMP_ENOMEM;
        lane->room = room;
    }
    end = pdump_event_write(lane->bytes + lane->n_bytes, event, &lane->last);
    lane->n_bytes = end - lane->bytes;
    lane->n_events++;
    lane->node = event->node;
    return PDUMP_OK;
}

int pdump_lanes_add(struct pdump_dump *dump, int thread,
                    const struct pdump_event *event)
{
    struct pdump_dump_lane *lane;
    int err = PDUMP_OK;

    if (thread < 0 || thread >= dump->n_threads || !is_known(dump, event) ||
        event->node < -1 || event->node >= dump->n_nodes || event->time < 0)
        return pdump_fail(PDUMP_EINVAL,
                          "an event names what the dump does not have");
    lane = lane_of(dump, thread);
    if (!lane)
        return PDUMP_ENOMEM;
    if (event->node != lane->node && event->kind != PDUMP_EVENT_ENTER &&
        event->kind != PDUMP_EVENT_AT) {
        struct pdump_event at = { .kind = PDUMP_EVENT_AT,
                                  .time = event->time,
                                  .node = event->node };

        err = append(lane, &at);
    }
    if (err == PDUMP_OK)
        err = append(lane, event);
    if (err == PDUMP_OK && event->kind == PDUMP_EVENT_LEAVE)
        lane->node = dump->nodes[event->node].parent;
    return err;
}

int64_t pdump_lanes_count(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_lanes; i++)
        n += dump->lanes[i].n_events;
    return n;
}
