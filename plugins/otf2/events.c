/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events, thread by thread. */
#include "archive.h"

#include "write/event_intervals.h"

#include <stdio.h>

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

static void put(struct archive *a, OTF2_EvtWriter *w, int thread,
                const struct pdump_event *event)
{
    const OTF2_Type type = OTF2_TYPE_INT64;
    OTF2_TimeStamp time = (OTF2_TimeStamp)event->time;
    OTF2_MetricValue value;
    OTF2_RegionRef region;
    char text[64];

    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_LEAVE:
        region = (OTF2_RegionRef)a->tables->nodes[event->node].region;
        archive_keep(a, event->kind == PDUMP_EVENT_ENTER
                            ? OTF2_EvtWriter_Enter(w, NULL, time, region)
                            : OTF2_EvtWriter_Leave(w, NULL, time, region));
        break;
    case PDUMP_EVENT_MARKER:
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
    case PDUMP_EVENT_COLLECTIVE: /* communicators are not known */
    case PDUMP_EVENT_AT:
    case PDUMP_EVENT_KINDS:
        break;
    }
}

static int put_lane(struct archive *a, const struct pdump_dump *piece, int lane)
{
    int thread = piece->lanes[lane].thread, got = 0;
    OTF2_EvtWriter *w =
        OTF2_Archive_GetEvtWriter(a->otf2, (OTF2_LocationRef)thread);
    struct pdump_event_interval track;
    struct pdump_event event;

    if (!w)
        return pdump_fail(PDUMP_EIO, "OTF2: events cannot be written");
    pdump_event_interval_open(&track, piece, lane);
    while (a->code == OTF2_SUCCESS &&
           (got = pdump_event_interval_next(&track, &event)) > 0)
        put(a, w, thread, &event);
    pdump_event_interval_close(&track);
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
