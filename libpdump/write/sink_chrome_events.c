/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the events of threads as trace events: regions begin and end, messages
 * are flows from the region that sends to the one that receives, all others are
 * instants and counters.
 */
#include "write/sink_chrome_events.h"

#include "base/json.h"
#include "base/utf8.h"
#include "write/event_intervals.h"

enum { DIGITS = 3 }; /* after the point: times are in µs */

struct place {
    FILE *f;
    const struct pdump_dump *dump;
    int thread;
    int64_t time;
};

/* Writes an event up to its name. */
static void begin_object(const struct place *p, const char *kind)
{
    fputs_unlocked(",\n{\"ph\":\"", p->f);
    fputs_unlocked(kind, p->f);
    pdump_json_int(p->f,
                   "\",\"pid\":", p->dump->threads[p->thread].process + 1);
    pdump_json_int(p->f, ",\"tid\":", p->thread + 1);
    pdump_json_ns(p->f, ",\"ts\":", p->time, DIGITS);
}

static void put_begin(const struct place *p, const struct pdump_event *event)
{
    const struct pdump_dump_region *region =
        &p->dump->regions[p->dump->nodes[event->node].region];

    begin_object(p, "B");
    pdump_json_string(p->f, ",\"name\":", pdump_utf8_name(region->name));
    pdump_json_string(p->f, ",\"cat\":", region->group);
    putc_unlocked('}', p->f);
}

static void put_instant(const struct place *p, const char *name,
                        const char *group)
{
    begin_object(p, "i");
    pdump_json_string(p->f, ",\"s\":\"t\",\"name\":", pdump_utf8_name(name));
    pdump_json_string(p->f, ",\"cat\":", group);
}

/* Without an id, the counters of all threads would be one line of their
 * process. */
static void put_counter(const struct place *p, const struct pdump_event *event)
{
    begin_object(p, "C");
    pdump_json_int(p->f, ",\"id\":", p->thread + 1);
    pdump_json_string(p->f, ",\"name\":", p->dump->metrics[event->what].name);
    pdump_json_int(p->f, ",\"args\":{\"value\":", event->value);
    fputs_unlocked("}}", p->f);
}

/* Writes an arrow if both ends are known. */
static void put_message(const struct place *p, const struct pdump_event *event,
                        int64_t number)
{
    bool is_send = event->kind == PDUMP_EVENT_SEND;

    if (number > 0) {
        begin_object(p, is_send ? "s" : "f");
        pdump_json_int(p->f,
                       is_send ? ",\"id\":" : ",\"bp\":\"e\",\"id\":", number);
        fputs_unlocked(",\"name\":\"message\",\"cat\":\"message\"", p->f);
    } else {
        put_instant(p, is_send ? "send" : "receive", "message");
    }
    pdump_json_int(
        p->f,
        is_send ? ",\"args\":{\"to\":" : ",\"args\":{\"from\":", event->what);
    pdump_json_int(p->f, ",\"bytes\":", event->value);
    pdump_json_int(p->f, ",\"tag\":", event->tag);
    fputs_unlocked("}}", p->f);
}

/* Writes the number that a collective has on all ranks, if it is known. */
static void put_group(const struct place *p, int64_t tag)
{
    if (tag == 0)
        return;
    pdump_json_int(p->f, ",\"group\":", tag >> 24);
    pdump_json_int(p->f, ",\"number\":", tag & 0xffffff);
}

static void put_event(const struct place *p, const struct pdump_event *event,
                      struct pdump_message_match *messages)
{
    const struct pdump_dump *dump = p->dump;

    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
        put_begin(p, event);
        break;
    case PDUMP_EVENT_LEAVE:
        begin_object(p, "E");
        putc_unlocked('}', p->f);
        break;
    case PDUMP_EVENT_MARKER:
        put_instant(p, dump->regions[event->what].name, "marker");
        putc_unlocked('}', p->f);
        break;
    case PDUMP_EVENT_COUNTER:
        put_counter(p, event);
        break;
    case PDUMP_EVENT_SEND:
    case PDUMP_EVENT_RECEIVE:
        put_message(p, event,
                    pdump_message_match_number(
                        messages,
                        dump->processes[dump->threads[p->thread].process].rank,
                        event));
        break;
    case PDUMP_EVENT_COLLECTIVE:
        put_instant(p, "collective", "message");
        pdump_json_int(p->f, ",\"args\":{\"ranks\":", event->what);
        pdump_json_int(p->f, ",\"bytes\":", event->value);
        put_group(p, event->tag);
        fputs_unlocked("}}", p->f);
        break;
    case PDUMP_EVENT_LOST:
        put_instant(p, "events are missing here", "lost");
        pdump_json_int(p->f, ",\"args\":{\"events\":", event->value);
        fputs_unlocked("}}", p->f);
        break;
    case PDUMP_EVENT_AT:
    case PDUMP_EVENT_IO: /* its region is shown */
    case PDUMP_EVENT_KINDS:
        break;
    }
}

int pdump_chrome_events(FILE *f, const struct pdump_dump *piece,
                        struct pdump_message_match *messages)
{
    struct pdump_event_intervals tracks;
    struct pdump_event event;
    int got = pdump_event_intervals_open(&tracks, piece), lane;

    if (got < 0)
        return got;
    while ((got = pdump_event_intervals_next(&tracks, &event, &lane)) > 0) {
        struct place place = { f, piece, piece->lanes[lane].thread,
                               event.time };

        put_event(&place, &event, messages);
    }
    pdump_event_intervals_close(&tracks);
    return got;
}
