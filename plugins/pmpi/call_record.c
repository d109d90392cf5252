/* SPDX-License-Identifier: BSD-3-Clause */
/* Records one call of MPI. */
#include "call_record.h"
#include "mpi_timeline.h"
#include "python_site.h"
#include "thread_state.h"

static void add_items(int64_t *row, const struct pdump_call_record *record)
{
    for (int i = 0; i < record->n_items; i++)
        pdump_row_item(row, &record->items[i]);
}

/* Messages with the same peer share one update of its row. */
static void add_peers(const struct pdump_call *call,
                      const struct pdump_call_record *record)
{
    const struct pdump_item *item = record->items,
                            *end = item + record->n_items;
    int64_t *row;

    while (item < end) {
        int peer = item->peer;

        if (!item->is_message) {
            item++;
            continue;
        }
        row = pdump_row_of_peer(call, peer);
        do {
            if (row)
                pdump_row_message(row, item);
        } while (++item < end && item->peer == peer && item->is_message);
        if (row)
            pdump_hot_detail_changed(call);
    }
}

/* Returns the row of the call site.  Of wide rows only the changed fields are
 * saved. */
static int64_t *row_of(const struct pdump_call *call, uint64_t site,
                       const struct pdump_call_record *record)
{
    int n = record->n_items;
    const int sizes[PDUMP_OTHERS_MAX] = {
        n > 0 ? record->items[0].size : 0,
        n > 1 ? record->items[1].size : 0,
    };

    if (n > PDUMP_OTHERS_MAX)
        return pdump_hot_detail(call, &pdump_rows_calls, site, PDUMP_ROW_WORDS);
    return pdump_hot_detail_partly(call, &pdump_rows_calls, site, sizes);
}

static void add_call(const struct pdump_call *call, uint64_t site,
                     int64_t between, const struct pdump_call_record *record)
{
    int64_t *row = row_of(call, site, record);

    if (!row)
        return;
    pdump_row_time(row, call->time, between);
    row[PDUMP_ROW_BLOCKED] += record->blocked;
    row[PDUMP_ROW_FLIGHT] += record->flight;
    row[PDUMP_ROW_COMPLETED] += record->completed;
    if (record->ranks >= 0)
        pdump_row_most(&row[PDUMP_ROW_RANKS], record->ranks);
    pdump_row_peer(row, record->root);
    add_items(row, record);
    pdump_hot_detail_changed(call);
}

void pdump_call_record_write(struct pdump_state *state,
                             struct pdump_mpi_call *mpi,
                             const struct pdump_call_record *record)
{
    const struct pdump_call *call = &mpi->call;
    uint64_t site = pdump_python_site();
    unsigned gate = pdump_hot_call_gate(call);

    if (pdump_hot_call_enter(call)) {
        add_call(call, site ? site : (uintptr_t)mpi->site,
                 pdump_state_between(state, call), record);
        add_peers(call, record);
        pdump_hot_call_leave(call, gate);
    }
    if (pdump_mpi_timeline_is_on(mpi))
        pdump_mpi_timeline_end(mpi, record);
    pdump_state_ended(state, call);
}
