/* SPDX-License-Identifier: BSD-3-Clause */
/* A fast end for simple calls of MPI, which programs make very often. */
#include "call_fast_end.h"
#include "arguments.h"
#include "byte_count.h"
#include "mpi_timeline.h"
#include "python_site.h"
#include "status_fast.h"
#include "thread_state.h"

/* A side is simple if it is one count of one datatype, or nothing without a
 * peer. */
static bool is_simple(const struct pdump_side *side, int peer)
{
    return peer ? side->shape == PDUMP_ONCE && side->count
                : side->shape == PDUMP_NONE;
}

bool pdump_fast_end_is(const struct pdump_mpi_function *function)
{
    const struct pdump_plan *plan = &function->plan;
    bool has_more = plan->root || plan->place || plan->parts || plan->op ||
                    plan->request || plan->message || plan->start ||
                    plan->init || plan->is_reads || plan->is_neighbours;

    return plan->kind == PDUMP_CALL_PLAIN && !has_more &&
           (plan->comm || function->kind == PDUMP_MPI_RMA) &&
           !function->is_collective && is_simple(&plan->out, plan->to) &&
           is_simple(&plan->in, plan->source);
}

/* Returns the ranks of the communicator or window, or NULL. */
PDUMP_HOT struct pdump_peers *peers_of(struct pdump_state *state,
                                       const struct pdump_plan *plan,
                                       const struct pdump_mpi_call *mpi)
{
    if (likely(plan->comm))
        return pdump_peers_of(state, (MPI_Comm)pdump_argument(mpi, plan->comm));
    if (likely(plan->win))
        return pdump_peers_of_win(state,
                                  (MPI_Win)pdump_argument(mpi, plan->win));
    return NULL;
}

static inline int64_t bytes_of(struct pdump_state *state,
                               const struct pdump_side *side,
                               const struct pdump_mpi_call *mpi)
{
    return (int64_t)pdump_argument(mpi, side->count) *
           pdump_byte_count_size(state,
                                 (MPI_Datatype)pdump_argument(mpi, side->type));
}

/* Sets the item that the call has sent. */
PDUMP_HOT void look_out(struct pdump_state *state,
                        const struct pdump_plan *plan,
                        const struct pdump_mpi_call *mpi,
                        struct pdump_peers *peers, struct pdump_item *out)
{
    int to = pdump_peers_world(peers, (int)pdump_argument(mpi, plan->to));

    if (to != PDUMP_PEER_NOBODY)
        pdump_item_set(out, bytes_of(state, &plan->out, mpi), to, true, true);
}

/* Sets the item that the call has fetched from another rank's window. */
PDUMP_HOT void look_at_source(struct pdump_state *state,
                              const struct pdump_plan *plan,
                              const struct pdump_mpi_call *mpi,
                              struct pdump_peers *peers, struct pdump_item *in)
{
    int from = pdump_peers_world(peers, (int)pdump_argument(mpi, plan->source));

    if (from != PDUMP_PEER_NOBODY)
        pdump_item_set(in, bytes_of(state, &plan->in, mpi), from, false, true);
}

/* Sets the item that the call has received. */
PDUMP_HOT void look_in(const struct pdump_plan *plan,
                       const struct pdump_mpi_call *mpi,
                       struct pdump_peers *peers, struct pdump_item *in)
{
    const MPI_Status *status =
        (const MPI_Status *)pdump_argument(mpi, plan->status);
    int from = pdump_peers_world(peers, (int)pdump_argument(mpi, plan->from));

    if (from == PDUMP_PEER_NOBODY || pdump_status_is_cancelled(status))
        return;
    if (from == PDUMP_PEER_LATER)
        from = pdump_peers_world(peers, status->MPI_SOURCE);
    pdump_item_set(in, pdump_status_bytes(status), from, false, true);
    in->has_tag = true;
    in->tag = status->MPI_TAG;
}

/* Adds the items to the rows of their peers; in one update if the peer is the
 * same. */
PDUMP_HOT void add_messages(const struct pdump_call *call,
                            const struct pdump_item *out,
                            const struct pdump_item *in)
{
    bool is_same = out->is_message && in->is_message && out->peer == in->peer;
    int64_t *row;

    row = out->is_message ? pdump_row_of_peer(call, out->peer) : NULL;
    if (row) {
        pdump_row_message(row, out);
        if (is_same)
            pdump_row_message(row, in);
        pdump_hot_detail_changed(call);
    }
    row = in->is_message && !is_same ? pdump_row_of_peer(call, in->peer) : NULL;
    if (row) {
        pdump_row_message(row, in);
        pdump_hot_detail_changed(call);
    }
}

/* Does everything from the end of the measured time on; or, if the region has
 * ended already, the rest. */
PDUMP_HOT void call_end(struct pdump_mpi_call *mpi, int64_t now, bool has_ended)
{
    struct pdump_call *call = &mpi->call;
    const struct pdump_plan *plan = &mpi->function->plan;
    struct pdump_state *state = mpi->state;
    struct pdump_peers *peers = peers_of(state, plan, mpi);
    struct pdump_item out = { .is_out = true }, in = { .is_out = false };
    uint64_t site = pdump_python_site();
    unsigned gate;
    int64_t *row;

    if (likely(plan->to))
        look_out(state, plan, mpi, peers, &out);
    if (likely(plan->from))
        look_in(plan, mpi, peers, &in);
    else if (unlikely(plan->source))
        look_at_source(state, plan, mpi, peers, &in);
    /* Read late: a signal handler may have changed it. */
    gate = pdump_hot_call_gate(call);
    if (has_ended ? pdump_hot_call_enter(call)
                  : pdump_hot_call_end(call, now)) {
        row = pdump_hot_detail_partly(call, &pdump_rows_calls,
                                      site ? site : (uintptr_t)mpi->site,
                                      (const int[]){ out.size, in.size });
        if (likely(row)) {
            pdump_row_time(row, call->time, pdump_state_between(state, call));
            if (likely(peers))
                pdump_row_most(&row[PDUMP_ROW_RANKS], peers->size);
            if (likely(out.size))
                pdump_row_item(row, &out);
            if (likely(in.size))
                pdump_row_item(row, &in);
            pdump_hot_detail_changed(call);
        }
        add_messages(call, &out, &in);
        pdump_hot_call_leave(call, gate);
    }
    if (has_ended && pdump_mpi_timeline_is_on(mpi))
        pdump_mpi_timeline_end(
            mpi, &(struct pdump_call_record){ .items = &in,
                                              .n_items = in.size != 0 });
    pdump_state_ended(state, call);
}

/* With counters or events: the region ends first. */
static __attribute__((noinline)) void end_other(struct pdump_mpi_call *mpi)
{
    pdump_call_end(&mpi->call);
    call_end(mpi, 0, true);
}

void pdump_fast_end_finish(struct pdump_mpi_call *mpi)
{
    if (likely(pdump_hot_call_is_timed(&mpi->call)))
        call_end(mpi, pdump_hot_call_now(&mpi->call), false);
    else
        end_other(mpi);
}
