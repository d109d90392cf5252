/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events, thread by thread. */
#include "archive.h"

#include "event_queue.h"

#include <stdio.h>
#include <string.h>

/* Markers have a separate file, in which their kinds are defined. */
static void put_marker(struct archive *a, int thread, int64_t time, int kind,
                       const char *text)
{
    bool is_lost = kind == a->tables->n_regions;
    const char *name = is_lost ? "lost events" : a->tables->regions[kind].name;

    if (!a->is_defined[kind])
        archive_keep(a,
                     OTF2_MarkerWriter_WriteDefMarker(
                         a->markers, (OTF2_MarkerRef)kind, "libpdump", name,
                         is_lost ? OTF2_SEVERITY_MEDIUM : OTF2_SEVERITY_NONE));
    a->is_defined[kind] = true;
    archive_keep(a,
                 OTF2_MarkerWriter_WriteMarker(
                     a->markers, (OTF2_TimeStamp)time, 0, (OTF2_MarkerRef)kind,
                     OTF2_MARKER_SCOPE_LOCATION, (uint64_t)thread, text));
}

/* Markers of libpdump itself, where recording stops and goes on. */
static bool is_switch(const struct archive *a, int region)
{
    return strcmp(a->tables->regions[region].group, "measurement") == 0;
}

static void put_switch(struct archive *a, OTF2_EvtWriter *w,
                       OTF2_TimeStamp time, int region)
{
    bool is_on = strcmp(a->tables->regions[region].name, "measurement on") == 0;

    archive_keep(a, OTF2_EvtWriter_MeasurementOnOff(
                        w, NULL, time,
                        is_on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF));
}

static void put_region(struct archive *a, OTF2_EvtWriter *w,
                       const struct pdump_event *event)
{
    int region = a->tables->nodes[event->node].region;
    OTF2_TimeStamp time = (OTF2_TimeStamp)event->time;
    OTF2_RegionRef ref = a->regions[region].number;
    bool is_enter = event->kind == PDUMP_EVENT_ENTER;

    if (!a->regions[region].is_parameter)
        archive_keep(a, is_enter ? OTF2_EvtWriter_Enter(w, NULL, time, ref)
                                 : OTF2_EvtWriter_Leave(w, NULL, time, ref));
    else if (is_enter)
        archive_put_parameter(a, w, time, region);
}

static void put_message(struct archive *a, OTF2_EvtWriter *w,
                        const struct pdump_event *event)
{
    int other = archive_member(a, event->what);
    OTF2_TimeStamp time = (OTF2_TimeStamp)event->time;
    uint32_t tag = (uint32_t)event->tag;
    uint64_t bytes = (uint64_t)event->value;

    if (other < 0) {
        a->n_strangers++;
        return;
    }
    archive_keep(a, event->kind == PDUMP_EVENT_SEND
                        ? OTF2_EvtWriter_MpiSend(w, NULL, time, (uint32_t)other,
                                                 0, tag, bytes)
                        : OTF2_EvtWriter_MpiRecv(w, NULL, time, (uint32_t)other,
                                                 0, tag, bytes));
}

static void event_put(struct archive *a, OTF2_EvtWriter *w, int thread,
                      const struct pdump_event *event)
{
    const OTF2_Type type = OTF2_TYPE_INT64;
    OTF2_TimeStamp time = (OTF2_TimeStamp)event->time;
    OTF2_MetricValue value;
    char text[64];

    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_LEAVE:
        put_region(a, w, event);
        break;
    case PDUMP_EVENT_MARKER:
        if (is_switch(a, (int)event->what))
            put_switch(a, w, time, (int)event->what);
        else
            put_marker(a, thread, event->time, (int)event->what,
                       a->tables->regions[event->what].name);
        break;
    case PDUMP_EVENT_COUNTER:
        value.signed_int = event->value;
        archive_keep(a, OTF2_EvtWriter_Metric(w, NULL, time,
                                              (OTF2_MetricRef)event->what, 1,
                                              &type, &value));
        break;
    case PDUMP_EVENT_SEND:
    case PDUMP_EVENT_RECEIVE:
        put_message(a, w, event);
        break;
    case PDUMP_EVENT_LOST:
        snprintf(text, sizeof(text), "%lld events are missing here",
                 (long long)event->value);
        put_marker(a, thread, event->time, a->tables->n_regions, text);
        break;
    case PDUMP_EVENT_COLLECTIVE: /* put_results() writes what is complete */
    case PDUMP_EVENT_IO:
    case PDUMP_EVENT_AT:
    case PDUMP_EVENT_KINDS:
        break;
    }
}

/* Returns true for the result of a call whose kind has OTF2 records. */
static bool is_result(const struct pdump_event *event)
{
    return event->kind == PDUMP_EVENT_IO ||
           (event->kind == PDUMP_EVENT_COLLECTIVE && event->tag != 0);
}

/* Returns true if the event was recorded right after the end of the call that
 * it belongs to. */
static bool belongs_to(const struct pdump_event *event,
                       const struct pdump_event *leave)
{
    return event && event->time == leave->time &&
           (event->kind == PDUMP_EVENT_RECEIVE ||
            event->kind == PDUMP_EVENT_COLLECTIVE ||
            event->kind == PDUMP_EVENT_IO);
}

/* Returns the result of the call that has begun, valid until the next look at
 * the queue, or NULL. */
static const struct pdump_event *result_of(struct event_queue *q,
                                           const struct pdump_event *enter)
{
    const struct pdump_event *next;
    struct pdump_event leave;
    int i = 0;

    do {
        next = event_queue_peek(q, i++);
        if (!next)
            return NULL;
        leave = *next;
    } while (leave.kind != PDUMP_EVENT_LEAVE || leave.node != enter->node);
    do
        next = event_queue_peek(q, i++);
    while (belongs_to(next, &leave) && !is_result(next));
    return belongs_to(next, &leave) ? next : NULL;
}

/* Writes the results of a call, before its end. */
static void put_results(struct archive *a, OTF2_EvtWriter *w, int thread,
                        struct event_queue *q, const struct pdump_event *leave)
{
    int process = a->tables->threads[thread].process;
    int rank = a->tables->processes[process].rank;
    int region = a->tables->nodes[leave->node].region;
    struct pdump_event event;

    while (belongs_to(event_queue_peek(q, 0), leave)) {
        event_queue_take(q, &event);
        if (event.kind == PDUMP_EVENT_RECEIVE)
            event_put(a, w, thread, &event);
        else if (event.kind == PDUMP_EVENT_IO)
            archive_put_io(a, w, process, region, &event);
        else if (is_result(&event) && a->regions[region].collective)
            archive_put_collective(a, w, archive_member(a, rank), region,
                                   &event);
    }
}

/* Writes the record that begins the operation of a call, if the call has a
 * result. */
static void put_begin(struct archive *a, OTF2_EvtWriter *w, int thread,
                      struct event_queue *q, const struct pdump_event *enter)
{
    int region = a->tables->nodes[enter->node].region;
    const struct pdump_event *result = result_of(q, enter);

    if (result && result->kind == PDUMP_EVENT_IO)
        archive_put_io_begin(a, w, a->tables->threads[thread].process, region,
                             enter, result);
    else if (result && a->regions[region].collective)
        archive_keep(a, OTF2_EvtWriter_MpiCollectiveBegin(
                            w, NULL, (OTF2_TimeStamp)enter->time));
}

/* Returns 1, 0 at the end, or a pdump_error. */
static int put_next(struct archive *a, OTF2_EvtWriter *w, int thread,
                    struct event_queue *q)
{
    const struct archive_region *region = NULL;
    struct pdump_event event;
    int got = event_queue_take(q, &event);

    if (got <= 0)
        return got;
    if (event.kind == PDUMP_EVENT_ENTER || event.kind == PDUMP_EVENT_LEAVE)
        region = &a->regions[a->tables->nodes[event.node].region];
    if (region && event.kind == PDUMP_EVENT_LEAVE &&
        (region->is_mpi || region->io))
        put_results(a, w, thread, q, &event);
    event_put(a, w, thread, &event);
    if (region && event.kind == PDUMP_EVENT_ENTER &&
        (region->collective || region->io))
        put_begin(a, w, thread, q, &event);
    return 1;
}

static int put_lane(struct archive *a, const struct pdump_dump *piece, int lane)
{
    int thread = piece->lanes[lane].thread, got = 1;
    OTF2_EvtWriter *w =
        OTF2_Archive_GetEvtWriter(a->otf2, (OTF2_LocationRef)thread);
    struct event_queue q;

    if (!w)
        return pdump_fail(PDUMP_EIO, "OTF2: events cannot be written");
    event_queue_open(&q, piece, lane);
    while (a->code == OTF2_SUCCESS && got > 0)
        got = put_next(a, w, thread, &q);
    event_queue_close(&q);
    if (piece->lanes[lane].last > a->last)
        a->last = piece->lanes[lane].last;
    a->n_events_all += piece->lanes[lane].n_events;
    archive_keep(a, OTF2_EvtWriter_GetNumberOfEvents(w, &a->n_events[thread]));
    archive_keep(a, OTF2_Archive_CloseEvtWriter(a->otf2, w));
    a->is_closed[thread] = true;
    return got < 0 ? got : PDUMP_OK;
}

int archive_put_events(struct archive *a, struct pdump_stream *in)
{
    const struct pdump_dump *piece;
    int err = PDUMP_OK;

    a->markers = OTF2_Archive_GetMarkerWriter(a->otf2);
    if (!a->markers)
        return pdump_fail(PDUMP_EIO, "OTF2: markers cannot be written");
    archive_keep(a, OTF2_Archive_OpenEvtFiles(a->otf2));
    for (int i = 0; err >= 0 && a->code == OTF2_SUCCESS && i < in->n_pieces;
         i++) {
        err = in->piece(in, i, &piece);
        for (int lane = 0; err >= 0 && lane < piece->n_lanes; lane++)
            err = put_lane(a, piece, lane);
    }
    /* Readers expect a file of every thread. */
    for (int i = 0; err >= 0 && i < a->tables->n_threads; i++)
        if (!a->is_closed[i])
            archive_keep(a, OTF2_Archive_CloseEvtWriter(
                                a->otf2, OTF2_Archive_GetEvtWriter(
                                             a->otf2, (OTF2_LocationRef)i)));
    archive_keep(a, OTF2_Archive_CloseEvtFiles(a->otf2));
    archive_keep(a, OTF2_Archive_CloseMarkerWriter(a->otf2, a->markers));
    return err;
}
