/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of MPI calls and of peers, and functions that update their
 * rows. */
#ifndef PDUMP_PMPI_MPI_TABLES_H
#define PDUMP_PMPI_MPI_TABLES_H

#include "peers.h"
#include "probe/call_detail_hot.h"

#include <string.h>

/* Bins of sizes: 0 bytes, 1, 2-3, 4-7, ... */
enum { PDUMP_ROW_BINS = 32 };

/* The fields of a call site's row. */
enum {
    PDUMP_ROW_CALLS,
    PDUMP_ROW_TIME,
    PDUMP_ROW_TIME_MIN,
    PDUMP_ROW_TIME_MAX,
    PDUMP_ROW_TIME_SQUARES,
    PDUMP_ROW_BYTES_OUT,
    PDUMP_ROW_BYTES_IN,
    PDUMP_ROW_BLOCKED,
    PDUMP_ROW_FLIGHT,
    PDUMP_ROW_COMPLETED,
    PDUMP_ROW_BETWEEN,
    PDUMP_ROW_RANKS,
    PDUMP_ROW_PEER_MIN,
    PDUMP_ROW_PEER_MAX,
    PDUMP_ROW_SIZES,
    PDUMP_ROW_WORDS = PDUMP_ROW_SIZES + PDUMP_ROW_BINS,
};
_Static_assert((int)PDUMP_ROW_SIZES == PDUMP_DETAIL_FIRST,
               "what else may change");
extern struct pdump_detail_table pdump_rows_calls;

/* The fields of a peer's row; these rows belong to the thread as a whole. */
enum {
    PDUMP_ROW_MESSAGES_OUT,
    PDUMP_ROW_PEER_BYTES_OUT,
    PDUMP_ROW_MESSAGES_IN,
    PDUMP_ROW_PEER_BYTES_IN,
    PDUMP_ROW_PEER_WORDS,
};
extern struct pdump_detail_table pdump_rows_peers;

/* One transfer of a call, sent or received. */
struct pdump_item {
    int64_t bytes;
    int peer;     /* enum pdump_peer */
    uint8_t size; /* index of the field that counts its size; not 0 */
    bool is_out;
    bool is_message; /* has a peer, and so counts in the table of peers */
    bool has_tag;    /* received with a status */
    int tag;
};

/* Sets an item without a tag.  Field by field, because making the struct
 * elsewhere and copying it costs more than all the rest. */
static inline void pdump_item_set(struct pdump_item *item, int64_t bytes,
                                  int peer, bool is_out, bool is_message)
{
    int bin = 63 - __builtin_clzll((unsigned long long)bytes << 1 | 1);

    item->bytes = bytes;
    item->peer = peer;
    item->size = (uint8_t)(PDUMP_ROW_SIZES +
                           (bin < PDUMP_ROW_BINS ? bin : PDUMP_ROW_BINS - 1));
    item->is_out = is_out;
    item->is_message =
        is_message && peer != PDUMP_PEER_NOBODY && peer != PDUMP_PEER_LATER;
    item->has_tag = false;
}

static inline void pdump_row_least(int64_t *at, int64_t value)
{
    if (value < *at)
        *at = value;
}

static inline void pdump_row_most(int64_t *at, int64_t value)
{
    if (value > *at)
        *at = value;
}

static inline void pdump_row_time(int64_t *row, int64_t time, int64_t between)
{
    double squares;

    row[PDUMP_ROW_CALLS]++;
    row[PDUMP_ROW_TIME] += time;
    pdump_row_least(&row[PDUMP_ROW_TIME_MIN], time);
    pdump_row_most(&row[PDUMP_ROW_TIME_MAX], time);
    memcpy(&squares, &row[PDUMP_ROW_TIME_SQUARES], sizeof(squares));
    squares += (double)time * (double)time;
    memcpy(&row[PDUMP_ROW_TIME_SQUARES], &squares, sizeof(squares));
    row[PDUMP_ROW_BETWEEN] += between;
}

static inline void pdump_row_peer(int64_t *row, int peer)
{
    if (peer < 0)
        return;
    pdump_row_least(&row[PDUMP_ROW_PEER_MIN], peer);
    pdump_row_most(&row[PDUMP_ROW_PEER_MAX], peer);
}

static inline void pdump_row_item(int64_t *row, const struct pdump_item *item)
{
    row[item->is_out ? PDUMP_ROW_BYTES_OUT : PDUMP_ROW_BYTES_IN] += item->bytes;
    row[item->size]++;
    pdump_row_peer(row, item->peer);
}

/* Adds an item to the row of its peer. */
static inline void pdump_row_message(int64_t *row,
                                     const struct pdump_item *item)
{
    row[item->is_out ? PDUMP_ROW_MESSAGES_OUT : PDUMP_ROW_MESSAGES_IN]++;
    row[item->is_out ? PDUMP_ROW_PEER_BYTES_OUT : PDUMP_ROW_PEER_BYTES_IN] +=
        item->bytes;
}

PDUMP_HOT int64_t *pdump_row_of_peer(const struct pdump_call *call, int peer)
{
    return pdump_hot_detail_thread(
        call, &pdump_rows_peers, (uint64_t)(int64_t)peer, PDUMP_ROW_PEER_WORDS);
}

#endif
