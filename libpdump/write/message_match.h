/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matches sends with receives: the k-th message that a rank sends to another
 * with a tag is the k-th that the other one receives from it with that tag.
 * Rings have lost the first messages, so they are matched from the last one
 * back.
 */
#ifndef PDUMP_MESSAGE_MATCH_H
#define PDUMP_MESSAGE_MATCH_H

#include "base/event_encoding.h"
#include "stream/stream.h"

struct pdump_message_key; /* sender, receiver and tag */

struct pdump_message_match {
    int64_t n_events; /* of all pieces, messages or not */
    int64_t n;        /* messages that have both ends */
    bool is_ring;     /* match from the last message back */
    /* Sends and receives that were skipped, because there are too many keys. */
    int64_t n_left_out;
    struct pdump_message_key *keys;
    int64_t n_keys;
    int64_t room;
};

/* Reads all events of all pieces.  The caller ends with
 * pdump_message_match_free(), also after an error. */
PDUMP_SHARED int pdump_message_match_of(struct pdump_stream *in,
                                        struct pdump_message_match *out);
PDUMP_SHARED void pdump_message_match_free(struct pdump_message_match *m);

/* Returns the number of the message, 1 to n, whose send or receive this event
 * is; 0 if the other end is missing.  Call it for every send and receive, in
 * order of time on each rank. */
PDUMP_SHARED int64_t pdump_message_match_number(
    struct pdump_message_match *m, int rank, const struct pdump_event *event);

#endif
