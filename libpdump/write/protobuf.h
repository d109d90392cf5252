/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages in the encoding of Protocol Buffers: as much of it as a
 * profile needs.  Inline, because messages are small and many. */
#ifndef PDUMP_PROTOBUF_H
#define PDUMP_PROTOBUF_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A message under construction.  Starts as zeroes, ends with
 * pdump_protobuf_free(). */
struct pdump_protobuf {
    unsigned char *bytes;
    size_t n;
    size_t room;
    bool is_bad; /* out of memory */
};

static inline void pdump_protobuf_free(struct pdump_protobuf *p)
{
    free(p->bytes);
    *p = (struct pdump_protobuf){ 0 };
}

static inline void pdump_protobuf_raw(struct pdump_protobuf *p,
                                      const void *bytes, size_t n)
{
    if (p->n + n > p->room) {
        size_t room = 2 * p->room + n + 64;
        unsigned char *more = realloc(p->bytes, room);

        p->is_bad = p->is_bad || !more;
        if (!more)
            return;
        p->bytes = more;
        p->room = room;
    }
    if (n > 0)
        memcpy(p->bytes + p->n, bytes, n);
    p->n += n;
}

/* Appends a number without a field, for lists of numbers: these are written
 * with pdump_protobuf_message(). */
static inline void pdump_protobuf_number(struct pdump_protobuf *p,
                                         int64_t value)
{
    unsigned char bytes[10];
    uint64_t rest = (uint64_t)value;
    size_t n = 0;

    while (rest >= 0x80) {
        bytes[n++] = (unsigned char)(rest | 0x80);
        rest >>= 7;
    }
    bytes[n++] = (unsigned char)rest;
    pdump_protobuf_raw(p, bytes, n);
}

/* A field that is 0 is not written: readers take it as 0. */
static inline void pdump_protobuf_int(struct pdump_protobuf *p, int field,
                                      int64_t value)
{
    if (value == 0)
        return;
    pdump_protobuf_number(p, field << 3);
    pdump_protobuf_number(p, value);
}

static inline void pdump_protobuf_bytes(struct pdump_protobuf *p, int field,
                                        const void *bytes, size_t n)
{
    pdump_protobuf_number(p, field << 3 | 2);
    pdump_protobuf_number(p, (int64_t)n);
    pdump_protobuf_raw(p, bytes, n);
}

/* Appends `inner` as a field and empties it. */
static inline void pdump_protobuf_message(struct pdump_protobuf *p, int field,
                                          struct pdump_protobuf *inner)
{
    pdump_protobuf_bytes(p, field, inner->bytes, inner->n);
    p->is_bad = p->is_bad || inner->is_bad;
    inner->n = 0;
}

#endif
