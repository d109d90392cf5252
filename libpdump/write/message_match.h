/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which send belongs to which receive: the k-th message from one rank to
 * another with a tag is the k-th that the other one got from there with it.
 * Of rings, which have lost the first ones, the last ones belong together.
 */
#ifndef PDUMP_MESSAGE_MATCH_H
#define PDUMP_MESSAGE_MATCH_H

#include "base/event_encoding.h"
#include "stream/stream.h"

struct pdump_message_key; /* from whom to whom, with which tag */

struct pdump_message_match {
    int64_t n_events; /* of all pieces, messages or not */
    int64_t n;        /* messages that have both ends */
    bool is_ring;     /* count from the end */
    /* Sends and receives that were not looked at: too many different keys. */
    int64_t n_left_out;
    struct pdump_message_key *keys;
    int64_t n_keys;
    int64_t room;
};

/* Look at all events of all pieces.  On success, and on failure, end with
 * pdump_message_match_free(). */
PDUMP_SHARED int pdump_message_match_of(struct pdump_stream *in,
                                        struct pdump_message_match *out);
PDUMP_SHARED void pdump_message_match_free(struct pdump_message_match *m);

/* The number of the message, 1 to n, whose send or receive this event of a
 * rank is; 0: the other end is not there.  To be asked for every one, in
 * order of time on every rank. */
PDUMP_SHARED int64_t pdump_message_match_number(
    struct pdump_message_match *m, int rank, const struct pdump_event *event);

#endif
