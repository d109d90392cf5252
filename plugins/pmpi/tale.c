/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to tell of one call of MPI, and the tables that keep it. */
#include "tale.h"
#include "detail_hot.h"
#include "python.h"
#include "state.h"
#include "symbols.h"
#include "trace.h"

#include <stdio.h>
#include <string.h>

enum {
    CALLS,
    TIME,
    TIME_MIN,
    TIME_MAX,
    TIME_SQUARES,
    BYTES_OUT,
    BYTES_IN,
    BLOCKED,
    FLIGHT,
    COMPLETED,
    BETWEEN,
    RANKS,
    PEER_MIN,
    PEER_MAX,
    SIZES,
};
_Static_assert((int)SIZES == PDUMP_DETAIL_FIRST, "what else may change");

static const struct pdump_detail_field call_fields[] = {
    [CALLS] = { "calls", "", PDUMP_FIELD_SUM, 1, false },
    [TIME] = { "time", "ns", PDUMP_FIELD_SUM, 1, true },
    [TIME_MIN] = { "time_min", "ns", PDUMP_FIELD_MIN, 1, true },
    [TIME_MAX] = { "time_max", "ns", PDUMP_FIELD_MAX, 1, true },
    [TIME_SQUARES] = { "time_sumsq", "ns2", PDUMP_FIELD_REAL, 1, true },
    [BYTES_OUT] = { "bytes_out", "B", PDUMP_FIELD_SUM, 1, false },
    [BYTES_IN] = { "bytes_in", "B", PDUMP_FIELD_SUM, 1, false },
    [BLOCKED] = { "blocked", "ns", PDUMP_FIELD_SUM, 1, true },
    [FLIGHT] = { "flight", "ns", PDUMP_FIELD_SUM, 1, true },
    [COMPLETED] = { "completed", "", PDUMP_FIELD_SUM, 1, false },
    [BETWEEN] = { "between", "ns", PDUMP_FIELD_SUM, 1, true },
    [RANKS] = { "ranks", "", PDUMP_FIELD_MAX, 1, false },
    [PEER_MIN] = { "peer_min", "", PDUMP_FIELD_MIN, 1, false },
    [PEER_MAX] = { "peer_max", "", PDUMP_FIELD_MAX, 1, false },
    [SIZES] = { "sizes", "", PDUMP_FIELD_SUM, PDUMP_TALE_BINS, false },
};

/* A place in a program is an address, which has not all bits; one in Python
 * has the highest bit. */
static void site_label(uint64_t key, char *buf, size_t len)
{
    if (!pdump_python_label(key, buf, len))
        pdump_symbols_place((uintptr_t)key - 1, buf, len);
}

static struct pdump_detail_table calls = {
    .name = "mpi",
    .about = "MPI calls by call site",
    .key = "site",
    .fields = call_fields,
    .n_fields = sizeof(call_fields) / sizeof(call_fields[0]),
    .has_sites = true,
    .label = site_label,
};

enum { MESSAGES_OUT, PEER_BYTES_OUT, MESSAGES_IN, PEER_BYTES_IN, N_PEER };

static const struct pdump_detail_field peer_fields[] = {
    [MESSAGES_OUT] = { "messages_out", "", PDUMP_FIELD_SUM, 1, false },
    [PEER_BYTES_OUT] = { "bytes_out", "B", PDUMP_FIELD_SUM, 1, false },
    [MESSAGES_IN] = { "messages_in", "", PDUMP_FIELD_SUM, 1, false },
    [PEER_BYTES_IN] = { "bytes_in", "B", PDUMP_FIELD_SUM, 1, false },
};

static void peer_label(uint64_t key, char *buf, size_t len)
{
    if ((int)key == PDUMP_PEER_OUTSIDE)
        snprintf(buf, len, "outside");
    else
        snprintf(buf, len, "%d", (int)key);
}

static struct pdump_detail_table peers = {
    .name = "mpi_peers",
    .about = "MPI messages by rank in MPI_COMM_WORLD",
    .key = "peer",
    .fields = peer_fields,
    .n_fields = sizeof(peer_fields) / sizeof(peer_fields[0]),
    .label = peer_label,
};

static void least(int64_t *at, int64_t value)
{
    if (value < *at)
        *at = value;
}

static void most(int64_t *at, int64_t value)
{
    if (value > *at)
        *at = value;
}

static void see_peer(int64_t *row, int peer)
{
    if (peer < 0)
        return;
    least(&row[PEER_MIN], peer);
    most(&row[PEER_MAX], peer);
}

static void add_time(int64_t *row, int64_t time)
{
    double squares;

    row[CALLS]++;
    row[TIME] += time;
    least(&row[TIME_MIN], time);
    most(&row[TIME_MAX], time);
    memcpy(&squares, &row[TIME_SQUARES], sizeof(squares));
    squares += (double)time * (double)time;
    memcpy(&row[TIME_SQUARES], &squares, sizeof(squares));
}

static void add_items(int64_t *row, const struct pdump_tale *tale)
{
    for (int i = 0; i < tale->n_items; i++) {
        const struct pdump_item *item = &tale->items[i];

        row[item->is_out ? BYTES_OUT : BYTES_IN] += item->bytes;
        row[SIZES + item->bin]++;
        see_peer(row, item->peer);
    }
}

static void add_message(int64_t *row, const struct pdump_item *item)
{
    row[item->is_out ? MESSAGES_OUT : MESSAGES_IN]++;
    row[item->is_out ? PEER_BYTES_OUT : PEER_BYTES_IN] += item->bytes;
}

/* Messages with the same peer share a visit to its row.  `is_inside`: of the
 * call's own row, which is done then. */
static void add_peers(struct pdump_call *call, const struct pdump_tale *tale,
                      bool is_inside)
{
    const struct pdump_item *item = tale->items, *end = item + tale->n_items;
    int64_t *row;

    while (item < end) {
        uint64_t peer = (uint64_t)(int64_t)item->peer;

        if (!item->is_message) {
            item++;
            continue;
        }
        row = is_inside ? pdump_hot_detail_next(call, &peers, peer, N_PEER)
                        : pdump_detail_thread_row(call, &peers, peer);
        is_inside = row != NULL;
        do {
            if (row)
                add_message(row, item);
        } while (++item < end && item->peer == (int)peer && item->is_message);
    }
    if (is_inside)
        pdump_hot_detail_done(call);
}

/* The row of the call's place; of wide rows only what changes is kept. */
static inline int64_t *row_of(struct pdump_mpi_call *mpi,
                              const struct pdump_tale *tale)
{
    uint64_t site = pdump_python_site();
    int n = tale->n_items;
    const int bins[PDUMP_OTHERS_MAX] = {
        n > 0 ? SIZES + tale->items[0].bin : 0,
        n > 1 ? SIZES + tale->items[1].bin : 0,
    };

    if (!site)
        site = (uintptr_t)mpi->site;
    if (__builtin_expect(n > PDUMP_OTHERS_MAX, 0))
        return pdump_detail_row(&mpi->call, &calls, site);
    return pdump_hot_detail_partly(&mpi->call, &calls, site, bins);
}

void pdump_tale_record(struct pdump_state *state, struct pdump_mpi_call *mpi,
                       const struct pdump_tale *tale)
{
    struct pdump_call *call = &mpi->call;
    bool has_last = state->last_session == call->session;
    int64_t *row = row_of(mpi, tale);

    if (row) {
        add_time(row, call->time);
        if (tale->completed || tale->blocked) {
            row[BLOCKED] += tale->blocked;
            row[FLIGHT] += tale->flight;
            row[COMPLETED] += tale->completed;
        }
        row[BETWEEN] += has_last ? call->start - state->last_end : 0;
        if (tale->ranks >= 0)
            most(&row[RANKS], tale->ranks);
        see_peer(row, tale->root);
        add_items(row, tale);
    }
    add_peers(call, tale, row != NULL);
    if (pdump_trace_is_on(mpi))
        pdump_trace_end(mpi, tale);
    state->last_session = call->session;
    state->last_end = call->start + call->time;
}
