/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes or compares the events of a piece, block by block, as its lanes are
 * read. */
#include "columns.h"
#include "dump/event_lanes.h"
#include "series.h"

#include <stdlib.h>

enum { BLOCK = 65536 };

/* Position in the lanes of a piece. */
struct events {
    const struct pdump_dump *dump;
    struct pdump_lane_reader reader;
    int lane; /* index of the next lane */
};

/* Returns 1, 0 at the end, or a pdump_error. */
static int next_event(struct events *e, struct pdump_event *out)
{
    for (;;) {
        int got = e->lane > 0 ? pdump_lane_next(&e->reader, out) : 0;

        if (got != 0 || e->lane == e->dump->n_lanes)
            return got;
        pdump_lane_open(&e->reader, e->dump, e->lane++);
    }
}

/* Returns the number of events, up to `most`, or a pdump_error. */
static int64_t next_block(struct events *e, int64_t most,
                          struct pdump_h5_event *out)
{
    struct pdump_event event;
    int64_t n = 0;
    int got = 1;

    for (; n < most && (got = next_event(e, &event)) > 0; n++)
        out[n] = (struct pdump_h5_event){
            .thread = e->dump->lanes[e->lane - 1].thread,
            .node = (int)event.node,
            .kind = (unsigned char)event.kind,
            .time = event.time,
            .what = event.what,
            .value = event.value,
            .tag = event.tag,
        };
    if (got == 0 && n < most)
        return pdump_fail(PDUMP_EFORMAT, "a piece has fewer events than it "
                                         "should");
    return got < 0 ? got : n;
}

/* Ranks that write together must all make the same number of calls: as many as
 * the rank with the most events needs. */
static int64_t count_rounds(const struct pdump_h5_series *s, int64_t mine)
{
    int64_t most = mine;

    for (int i = 0; s->h->mode == PDUMP_H5_FILL && i < s->shape->n_pieces; i++)
        if (s->ptr[i + 1] - s->ptr[i] > most)
            most = s->ptr[i + 1] - s->ptr[i];
    return (most + BLOCK - 1) / BLOCK;
}

int pdump_h5_series_events(struct pdump_h5_series *s, int piece,
                           const struct pdump_dump *dump)
{
    struct pdump_h5_event *block = malloc(BLOCK * sizeof(*block));
    struct pdump_h5_part part = { .at = piece < 0 ? 0 : s->ptr[piece],
                                  .array = block };
    int64_t left = piece < 0 ? 0 : s->ptr[piece + 1] - s->ptr[piece];
    int64_t n_rounds = count_rounds(s, left);
    struct events events = { .dump = dump };
    int err = block ? PDUMP_OK : pdump_no_memory();
    bool is_together = s->h->mode == PDUMP_H5_FILL;

    for (; n_rounds > 0 && (err == PDUMP_OK || is_together); n_rounds--) {
        int put;

        part.n = 0;
        if (err == PDUMP_OK && left > 0)
            part.n = next_block(&events, left < BLOCK ? left : BLOCK, block);
        if (part.n < 0) {
            err = (int)part.n;
            part.n = 0;
            if (!is_together)
                break;
        }
        put = pdump_h5_series_part(s, &part);
        err = put < err ? put : err;
        part.at += part.n;
        left -= part.n;
    }
    free(block);
    return err;
}
