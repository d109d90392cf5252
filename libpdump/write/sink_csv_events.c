/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of a CSV dump: a line per event. */
#include "base/csv.h"
#include "dump/event_lanes.h"
#include "read/csv_layout.h"
#include "write/sink_csv.h"

/* Returns the name of the region or metric of the event, for people. */
static const char *name_of(const struct pdump_dump *dump,
                           const struct pdump_event *event)
{
    return event->kind == PDUMP_EVENT_MARKER || event->kind == PDUMP_EVENT_IO
               ? dump->regions[event->what].name
           : event->kind == PDUMP_EVENT_COUNTER
               ? dump->metrics[event->what].name
               : "";
}

/* Cells that this kind of event does not have are empty. */
static void put_event(FILE *f, const struct pdump_dump *dump, int thread,
                      const struct pdump_event *event)
{
    enum pdump_event_kind kind = event->kind;
    const struct pdump_dump_thread *t = &dump->threads[thread];
    bool has_value = kind >= PDUMP_EVENT_COUNTER;
    bool has_what = kind >= PDUMP_EVENT_MARKER && kind != PDUMP_EVENT_LOST;
    bool has_tag = kind >= PDUMP_EVENT_SEND && kind <= PDUMP_EVENT_COLLECTIVE;

    pdump_csv_put_int(f, t->process);
    next_int(f, dump->processes[t->process].rank);
    next_int(f, dump->processes[t->process].pid);
    next_int(f, t->number);
    next_int(f, event->time);
    next_text(f, pdump_event_kind_name(kind));
    next_int(f, event->node < 0 ? PDUMP_MISSING : event->node);
    next_text(f, event->node < 0
                     ? ""
                     : dump->regions[dump->nodes[event->node].region].name);
    next_int(f, has_what ? event->what : PDUMP_MISSING);
    next_text(f, name_of(dump, event));
    next_int(f, has_value ? event->value : PDUMP_MISSING);
    next_int(f, has_tag ? event->tag : PDUMP_MISSING);
    putc_unlocked('\n', f);
}

static int put_lane(FILE *f, const struct pdump_dump *dump, int lane)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;
    int err;

    pdump_lane_open(&reader, dump, lane);
    while ((err = pdump_lane_next(&reader, &event)) > 0)
        put_event(f, dump, dump->lanes[lane].thread, &event);
    return err;
}

int pdump_csv_put_events(FILE *f, void *stream)
{
    struct pdump_stream *in = stream;
    int err = PDUMP_OK;

    fputs("process,rank,pid,thread,time [ns],kind,node,region,what,name,value,"
          "tag\n",
          f);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        for (int lane = 0; err >= 0 && lane < piece->n_lanes; lane++)
            err = put_lane(f, piece, lane);
    }
    return err;
}
