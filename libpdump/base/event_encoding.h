/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The encoding of events: what happened on one thread, in order.
 *
 * An event is one number, `time since the previous event << 4 | kind`, followed
 * by the fields of its kind.  Numbers are written with seven bits per byte,
 * lowest first; signed numbers have the sign in the lowest bit.  The end of a
 * region carries no node: a reader that knows the thread's first node can
 * follow it.
 */
#ifndef PDUMP_EVENT_ENCODING_H
#define PDUMP_EVENT_ENCODING_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* In a dump, nodes are indices and times are ns since the session's start; in
 * a store, refs and ticks. */
struct pdump_event {
    int64_t time;
    enum pdump_event_kind kind;
    int64_t node; /* entered, left, or the thread's current one; -1: none */
    int64_t what;
    int64_t value;
    int64_t tag;
};

enum { PDUMP_EVENT_MAX = 40 }; /* bytes of an event, at most */

/* The latest time of an event, so that its kind fits beside the time. */
#define PDUMP_EVENT_LAST (INT64_MAX >> 4)

static inline unsigned char *pdump_event_number(unsigned char *at, uint64_t n)
{
    while (n > 0x7f) {
        *at++ = (unsigned char)(n | 0x80);
        n >>= 7;
    }
    *at++ = (unsigned char)n;
    return at;
}

static inline unsigned char *pdump_event_signed(unsigned char *at, int64_t n)
{
    return pdump_event_number(at, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

/* Write the first number of an event.  If the clock steps back, the time stays
 * the same. */
static inline unsigned char *pdump_event_begin(unsigned char *at,
                                               enum pdump_event_kind kind,
                                               int64_t since)
{
    uint64_t delta = since > 0 ? (uint64_t)since : 0;

    return pdump_event_number(at, delta << 4 | kind);
}

/* Returns "enter", "leave" ..., static, or NULL if there is no such kind. */
PDUMP_SHARED const char *pdump_event_kind_name(enum pdump_event_kind kind);

/* Write a whole event of at most PDUMP_EVENT_MAX bytes and return its end.
 * `before` is the time of the previous event, and is set to the time of this
 * one. */
PDUMP_SHARED unsigned char *pdump_event_write(unsigned char *at,
                                              const struct pdump_event *event,
                                              int64_t *before);

/* A reader of events.  Borrows the bytes. */
struct pdump_event_reader {
    const unsigned char *at;
    const unsigned char *end;
    int64_t time; /* of the previous event */
    int64_t node; /* the thread's current node; after the end of a region, the
                     caller sets it to the enclosing region */
};

/* Read the next event.  Returns 1, 0 at the end, or PDUMP_EFORMAT if the bytes
 * are not events. */
PDUMP_SHARED int pdump_event_read(struct pdump_event_reader *reader,
                                  struct pdump_event *event);

#endif
