/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches sends with receives, with a table of counts. */
#include "write/message_match.h"

#include "dump/event_lanes.h"

#include <stdlib.h>
#include <string.h>

/* A program may use a new tag for every message: this limits the memory to 128
 * MiB. */
enum { KEYS_MAX = 1 << 20, ROOM_FIRST = 1 << 8 };

enum { SENT, RECEIVED };

struct pdump_message_key {
    int64_t from;
    int64_t to;
    int64_t tag;
    int64_t count[2]; /* all; if both are 0, this slot is free */
    int64_t seen[2];  /* by pdump_message_match_number() */
    int64_t first;    /* number of the first message */
};

static uint64_t mix_hash(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15u;
    return a ^ a >> 29;
}

/* Returns the slot of the key, or the free slot for it. */
static struct pdump_message_key *find_place(const struct pdump_message_match *m,
                                            int64_t from, int64_t to,
                                            int64_t tag)
{
    uint64_t hash = mix_hash(
        mix_hash(mix_hash(17, (uint64_t)from), (uint64_t)to), (uint64_t)tag);

    for (;; hash++) {
        struct pdump_message_key *k = &m->keys[hash & (uint64_t)(m->room - 1)];

        if (k->count[SENT] + k->count[RECEIVED] == 0 ||
            (k->from == from && k->to == to && k->tag == tag))
            return k;
    }
}

static int grow_table(struct pdump_message_match *m)
{
    struct pdump_message_match larger = { .room = m->room ? 2 * m->room
                                                          : ROOM_FIRST };

    larger.keys = calloc((size_t)larger.room, sizeof(*larger.keys));
    if (!larger.keys)
        return pdump_no_memory();
    for (int64_t i = 0; i < m->room; i++) {
        const struct pdump_message_key *k = &m->keys[i];

        if (k->count[SENT] + k->count[RECEIVED] > 0)
            *find_place(&larger, k->from, k->to, k->tag) = *k;
    }
    free(m->keys);
    m->keys = larger.keys;
    m->room = larger.room;
    return PDUMP_OK;
}

static struct pdump_message_key *key_of(const struct pdump_message_match *m,
                                        int rank,
                                        const struct pdump_event *event)
{
    bool is_send = event->kind == PDUMP_EVENT_SEND;

    return find_place(m, is_send ? rank : event->what,
                      is_send ? event->what : rank, event->tag);
}

static int count_message(struct pdump_message_match *m, int rank,
                         const struct pdump_event *event)
{
    int end = event->kind == PDUMP_EVENT_SEND ? SENT : RECEIVED;
    struct pdump_message_key *k;

    if (2 * m->n_keys >= m->room && m->n_keys < KEYS_MAX && grow_table(m) < 0)
        return PDUMP_ENOMEM;
    k = key_of(m, rank, event);
    if (k->count[SENT] + k->count[RECEIVED] == 0) {
        if (m->n_keys == KEYS_MAX) {
            m->n_left_out++;
            return PDUMP_OK;
        }
        m->n_keys++;
        k->from = end == SENT ? rank : event->what;
        k->to = end == SENT ? event->what : rank;
        k->tag = event->tag;
    }
    k->count[end]++;
    return PDUMP_OK;
}

/* Returns the number of messages that have both ends. */
static int64_t matched_pairs(const struct pdump_message_key *k)
{
    return k->count[SENT] < k->count[RECEIVED] ? k->count[SENT]
                                               : k->count[RECEIVED];
}

static bool is_message(const struct pdump_event *event)
{
    return event->kind == PDUMP_EVENT_SEND ||
           event->kind == PDUMP_EVENT_RECEIVE;
}

static int rank_of(const struct pdump_dump *dump, int lane)
{
    int process = dump->threads[dump->lanes[lane].thread].process;

    return dump->processes[process].rank;
}

static int count_lane(struct pdump_message_match *m,
                      const struct pdump_dump *dump, int lane)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;
    int got, err = PDUMP_OK;

    pdump_lane_open(&reader, dump, lane);
    while (err >= 0 && (got = pdump_lane_next(&reader, &event)) != 0) {
        if (got < 0)
            return got;
        if (is_message(&event))
            err = count_message(m, rank_of(dump, lane), &event);
    }
    m->n_events += dump->lanes[lane].n_events;
    return err;
}

int pdump_message_match_of(struct pdump_stream *in,
                           struct pdump_message_match *m)
{
    const char *mode = pdump_dump_metadata(in->tables, "events_mode");
    const struct pdump_dump *piece;
    int err = PDUMP_OK;

    *m = (struct pdump_message_match){ .is_ring =
                                           mode && strcmp(mode, "ring") == 0 };
    if (in->event_ptr[in->n_pieces] == 0)
        return PDUMP_OK; /* no events: do not read the pieces */
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &piece);
        for (int lane = 0; err >= 0 && lane < piece->n_lanes; lane++)
            err = count_lane(m, piece, lane);
    }
    for (int64_t i = 0; i < m->room; i++) {
        struct pdump_message_key *k = &m->keys[i];

        k->first = m->n + 1;
        m->n += matched_pairs(k);
    }
    return err;
}

void pdump_message_match_free(struct pdump_message_match *m)
{
    free(m->keys);
}

int64_t pdump_message_match_number(struct pdump_message_match *m, int rank,
                                   const struct pdump_event *event)
{
    int end = event->kind == PDUMP_EVENT_SEND ? SENT : RECEIVED;
    struct pdump_message_key *k;
    int64_t n;

    if (!is_message(event) || !m->keys)
        return 0;
    k = key_of(m, rank, event);
    n = k->seen[end]++;
    if (m->is_ring)
        n -= k->count[end] - matched_pairs(k);
    return n >= 0 && n < matched_pairs(k) ? k->first + n : 0;
}
