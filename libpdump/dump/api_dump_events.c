/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions for the events of a dump. */
#include "dump/event_lanes.h"

#include <string.h>

int64_t pdump_dump_n_events(const struct pdump_dump *dump)
{
    return dump ? pdump_event_lanes_count(dump) : 0;
}

int pdump_dump_n_lanes(const struct pdump_dump *dump)
{
    return dump ? dump->n_lanes : 0;
}

static int lane_check(const struct pdump_dump *dump, int lane, const void *out)
{
    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (lane < 0 || lane >= dump->n_lanes)
        return pdump_fail(PDUMP_ENOENT, "no lane %d", lane);
    return PDUMP_OK;
}

int pdump_dump_lane(const struct pdump_dump *dump, int index,
                    struct pdump_lane_info *out)
{
    int err = lane_check(dump, index, out);
    const struct pdump_dump_thread *thread;

    if (err < 0)
        return err;
    thread = &dump->threads[dump->lanes[index].thread];
    return pdump_dump_give(out,
                           &(struct pdump_lane_info){
                               .process = thread->process,
                               .rank = dump->processes[thread->process].rank,
                               .thread = thread->number,
                               .thread_name = thread->name,
                               .n_events = dump->lanes[index].n_events,
                           },
                           sizeof(*out));
}

static const char *name_of(const struct pdump_dump *dump,
                           const struct pdump_event *event)
{
    if (event->kind == PDUMP_EVENT_MARKER || event->kind == PDUMP_EVENT_IO)
        return dump->regions[event->what].name;
    if (event->kind == PDUMP_EVENT_COUNTER)
        return dump->metrics[event->what].name;
    return event->node < 0
               ? ""
               : dump->regions[dump->nodes[event->node].region].name;
}

/* `size` is the size of the caller's structure. */
static int event_give(const struct pdump_dump *dump,
                      const struct pdump_event *event, void *out, size_t size)
{
    memcpy(out, &size, sizeof(size));
    return pdump_dump_give(out,
                           &(struct pdump_event_info){
                               .time = event->time,
                               .what = event->what,
                               .value = event->value,
                               .tag = event->tag,
                               .kind = (int)event->kind,
                               .node = (int)event->node,
                               .name = name_of(dump, event),
                           },
                           sizeof(struct pdump_event_info));
}

/* The caller keeps the place, so it may contain anything. */
static int go_to(const struct pdump_dump *dump, int lane,
                 const struct pdump_event_place *place,
                 struct pdump_lane_reader *reader)
{
    if (place->size != sizeof(*place))
        return pdump_fail(PDUMP_EINVAL, "field size is not set: %zu",
                          place->size);
    if (place->at < 0 || place->at > dump->lanes[lane].n_bytes ||
        place->node < 0 || place->node > dump->n_nodes || place->time < 0)
        return pdump_fail(PDUMP_EFORMAT, "no place in lane %d", lane);
    pdump_lane_open(reader, dump, lane);
    reader->reader.at += place->at;
    reader->reader.time = place->time;
    reader->reader.node = place->node - 1;
    return PDUMP_OK;
}

int64_t pdump_dump_events(const struct pdump_dump *dump, int lane,
                          struct pdump_event_place *place,
                          struct pdump_event_info *out, int64_t n)
{
    int err = lane_check(dump, lane, out);
    struct pdump_lane_reader reader;
    struct pdump_event event;
    size_t size = err < 0 ? 0 : out->size;
    int64_t k = 0;
    int got = 1;

    if (err == PDUMP_OK && (!place || n < 0))
        err = pdump_fail(PDUMP_EINVAL, "no place or no room");
    if (err == PDUMP_OK)
        err = go_to(dump, lane, place, &reader);
    for (; err == PDUMP_OK && k < n; k++) {
        got = pdump_lane_next(&reader, &event);
        if (got <= 0)
            break;
        err = event_give(dump, &event, (char *)out + (size_t)k * size, size);
    }
    if (err < 0 || got < 0)
        return err < 0 ? err : pdump_fail(got, "no event in lane %d", lane);
    place->at = reader.reader.at - dump->lanes[lane].bytes;
    place->time = reader.reader.time;
    place->node = reader.reader.node + 1;
    return k;
}
