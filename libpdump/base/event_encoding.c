/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding of events. */
#include "base/event_encoding.h"

const char *pdump_event_kind_name(enum pdump_event_kind kind)
{
    static const char *const names[PDUMP_EVENT_KINDS] = {
        "enter", "leave",   "at",         "marker", "counter",
        "send",  "receive", "collective", "lost",   "io",
    };

    return (unsigned)kind < PDUMP_EVENT_KINDS ? names[kind] : NULL;
}

unsigned char *pdump_event_write(unsigned char *at,
                                 const struct pdump_event *event,
                                 int64_t *before)
{
    int64_t since = event->time - *before;

    at = pdump_event_begin(at, event->kind, since);
    if (since > 0)
        *before = event->time;
    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_AT:
        return pdump_event_number(at, (uint64_t)(event->node + 1));
    case PDUMP_EVENT_MARKER:
        return pdump_event_signed(at, event->what);
    case PDUMP_EVENT_LOST:
        return pdump_event_signed(at, event->value);
    case PDUMP_EVENT_COUNTER:
    case PDUMP_EVENT_IO:
        at = pdump_event_signed(at, event->what);
        return pdump_event_signed(at, event->value);
    case PDUMP_EVENT_SEND:
    case PDUMP_EVENT_RECEIVE:
    case PDUMP_EVENT_COLLECTIVE:
        at = pdump_event_signed(at, event->what);
        at = pdump_event_signed(at, event->value);
        return pdump_event_signed(at, event->tag);
    case PDUMP_EVENT_LEAVE:
    case PDUMP_EVENT_KINDS:
        break;
    }
    return at;
}

/* Returns false if the bytes end inside the number, or if it is too large. */
static bool read_number(struct pdump_event_reader *r, uint64_t *out)
{
    uint64_t n = 0;

    for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        unsigned char byte = *r->at++;

        n |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *out = n;
            return true;
        }
    }
    return false;
}

static bool signed_number(struct pdump_event_reader *r, int64_t *out)
{
    uint64_t n;

    if (!read_number(r, &n))
        return false;
    *out = (int64_t)(n >> 1 ^ -(n & 1));
    return true;
}

static bool read_body(struct pdump_event_reader *r, struct pdump_event *event)
{
    uint64_t node;

    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_AT:
        if (!read_number(r, &node) || node > UINT32_MAX)
            return false;
        event->node = r->node = (int64_t)node - 1;
        return true;
    case PDUMP_EVENT_LEAVE:
        return true;
    case PDUMP_EVENT_MARKER:
        return signed_number(r, &event->what);
    case PDUMP_EVENT_LOST:
        return signed_number(r, &event->value);
    case PDUMP_EVENT_COUNTER:
    case PDUMP_EVENT_IO:
        return signed_number(r, &event->what) &&
               signed_number(r, &event->value);
    case PDUMP_EVENT_SEND:
    case PDUMP_EVENT_RECEIVE:
    case PDUMP_EVENT_COLLECTIVE:
        return signed_number(r, &event->what) &&
               signed_number(r, &event->value) && signed_number(r, &event->tag);
    case PDUMP_EVENT_KINDS:
        break;
    }
    return false;
}

int pdump_event_read(struct pdump_event_reader *r, struct pdump_event *event)
{
    uint64_t head;

    if (r->at == r->end)
        return 0;
    if (!read_number(r, &head) || (head & 15) >= PDUMP_EVENT_KINDS ||
        (int64_t)(head >> 4) > INT64_MAX - r->time)
        return PDUMP_EFORMAT;
    r->time += (int64_t)(head >> 4);
    *event = (struct pdump_event){ .time = r->time,
                                   .kind = (enum pdump_event_kind)(head & 15),
                                   .node = r->node };
    return read_body(r, event) ? 1 : PDUMP_EFORMAT;
}
