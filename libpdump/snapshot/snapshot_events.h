/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a snapshot: pieces of them, and what becomes of these. */
#ifndef PDUMP_SNAPSHOT_EVENTS_H
#define PDUMP_SNAPSHOT_EVENTS_H

#include "store/store_event_file.h"
#include "snapshot/snapshot_private.h"

#include <sys/types.h>

struct pdump_snapshot_piece {
    struct pdump_event_piece head;
    off_t at;             /* in the file; or */
    unsigned char *bytes; /* a copy */
};

struct pdump_snapshot_events {
    struct pdump_snapshot_piece *pieces; /* by thread, then in order */
    int n_pieces;
    int file; /* descriptor, or -1 */
    int64_t n_events;
    int64_t n_lost;    /* for lack of room */
    int64_t n_dropped; /* from a ring */
    int64_t n_damaged; /* threads */
    bool is_unread;    /* the file, or the rest of it */
    bool is_moving;    /* to the file meanwhile */
};

/* The pieces of a thread, by its number. */
struct pdump_snapshot_piece *pdump_snapshot_pieces(
    const struct pdump_snapshot_events *e, uint32_t thread, int *n);

/* The bytes of a piece, or NULL; until they are unloaded. */
const unsigned char *pdump_snapshot_piece_load(
    struct pdump_snapshot_events *e, struct pdump_snapshot_piece *piece);
void pdump_snapshot_piece_unload(struct pdump_snapshot_piece *piece);

/* Events that the thread knows to be lost. */
uint64_t pdump_snapshot_losses(
    const volatile struct pdump_thread_record *thread);

#endif
