/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events as bytes: what happened on one thread, in order.
 *
 * An event is one number, `time since the one before << 4 | kind`, and what its
 * kind needs.  Numbers are written seven bits a byte, the lowest first; signed
 * ones with the sign in the lowest bit.  The end of a region needs no name:
 * whoever reads knows where the thread is, if it knew at the beginning.
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
    int64_t node; /* entered, left, or where the thread is; -1: nowhere */
    int64_t what;
    int64_t value;
    int64_t tag;
};

enum { PDUMP_EVENT_MAX = 40 }; /* bytes that one takes at most */

/* No event is later, so that its kind fits beside its time. */
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

/* The begin of every event.  Clocks that step back stand still here. */
static inline unsigned char *pdump_event_begin(unsigned char *at,
                                               enum pdump_event_kind kind,
                                               int64_t since)
{
    uint64_t delta = since > 0 ? (uint64_t)since : 0;

    return pdump_event_number(at, delta << 4 | kind);
}

/* "enter", "leave" ...; static.  NULL: there is no such kind. */
PDUMP_SHARED const char *pdump_event_kind_name(enum pdump_event_kind kind);

/* A whole event, PDUMP_EVENT_MAX bytes at most; returns where it ends.
 * `before` is the time of the event before it, and becomes this one's. */
PDUMP_SHARED unsigned char *pdump_event_write(unsigned char *at,
                                              const struct pdump_event *event,
                                              int64_t *before);

/* What is read.  Borrows the bytes. */
struct pdump_event_reader {
    const unsigned char *at;
    const unsigned char *end;
    int64_t time; /* of the event before */
    int64_t node; /* where the thread is; after the end of a region, the caller
                     sets it to the region around it */
};

/* 1: there was one, 0: the end, PDUMP_EFORMAT: no events. */
PDUMP_SHARED int pdump_event_read(struct pdump_event_reader *reader,
                                  struct pdump_event *event);

#endif
