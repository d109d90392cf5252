/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a simple call of MPI: what programs call very often. */
#include "simple.h"
#include "amount.h"
#include "python.h"
#include "state.h"
#include "status.h"
#include "trace.h"

bool pdump_simple_is(const struct pdump_function *function)
{
    const struct pdump_plan *plan = &function->plan;
    bool has_more = plan->win || plan->root || plan->place || plan->source ||
                    plan->parts || plan->request || plan->message ||
                    plan->start || plan->init || plan->is_reads ||
                    plan->is_neighbours || plan->in.shape != PDUMP_NONE;

    return plan->kind == PDUMP_CALL_PLAIN && plan->comm && !has_more &&
           !function->is_collective &&
           plan->out.shape == (plan->to ? PDUMP_ONCE : PDUMP_NONE);
}

/* What the call has sent.  `a`: its arguments, from 1 on. */
PDUMP_HOT void look_out(struct pdump_state *state,
                        const struct pdump_plan *plan, const uintptr_t *a,
                        struct pdump_peers *peers, struct pdump_item *out)
{
    int to = pdump_peers_world(peers, (int)a[plan->to]);

    if (to != PDUMP_PEER_NOBODY)
        pdump_item_set(
            out,
            (int64_t)a[plan->out.count] *
                pdump_amount_size(state, (MPI_Datatype)a[plan->out.type]),
            to, true, true);
}

/* What it has received. */
PDUMP_HOT void look_in(const struct pdump_plan *plan, const uintptr_t *a,
                       struct pdump_peers *peers, struct pdump_item *in)
{
    const MPI_Status *status = (const MPI_Status *)a[plan->status];
    int from = pdump_peers_world(peers, (int)a[plan->from]);

    if (from == PDUMP_PEER_NOBODY || pdump_status_is_cancelled(status))
        return;
    if (from == PDUMP_PEER_LATER)
        from = pdump_peers_world(peers, status->MPI_SOURCE);
    pdump_item_set(in, pdump_status_bytes(status), from, false, true);
    in->has_tag = true;
    in->tag = status->MPI_TAG;
}

/* To the rows of their peers; one visit if that is the same. */
PDUMP_HOT void add_messages(struct pdump_recorder *r,
                            const struct pdump_item *out,
                            const struct pdump_item *in)
{
    bool is_same = out->is_message && in->is_message && out->peer == in->peer;
    int64_t *row;

    row = out->is_message ? pdump_row_of_peer(r, out->peer) : NULL;
    if (row) {
        pdump_row_message(row, out);
        if (is_same)
            pdump_row_message(row, in);
        pdump_hot_changed(r);
    }
    row = in->is_message && !is_same ? pdump_row_of_peer(r, in->peer) : NULL;
    if (row) {
        pdump_row_message(row, in);
        pdump_hot_changed(r);
    }
}

/* All there is to do, from the time of the end on; or, if the region has ended
 * already, what is left of it. */
PDUMP_HOT void end(struct pdump_mpi_call *mpi, int64_t now, bool has_ended)
{
    struct pdump_call *call = &mpi->call;
    struct pdump_recorder *r = call->r;
    const struct pdump_plan *plan = &mpi->function->plan;
    const uintptr_t *a = mpi->a - 1;
    struct pdump_state *state = mpi->state;
    struct pdump_peers *peers = pdump_peers_of(state, (MPI_Comm)a[plan->comm]);
    struct pdump_item out = { .is_out = true }, in = { .is_out = false };
    uint64_t site = pdump_python_site();
    unsigned gate;
    int64_t *row;

    if (likely(plan->to))
        look_out(state, plan, a, peers, &out);
    if (likely(plan->from))
        look_in(plan, a, peers, &in);
    gate = r->gate; /* now, as a handler of signals may have changed it */
    if (has_ended ? pdump_hot_call_enter(call)
                  : pdump_hot_call_end(call, now)) {
        row = pdump_hot_detail_partly(r, call->node, &pdump_rows_calls,
                                      site ? site : (uintptr_t)mpi->site,
                                      (const int[]){ out.size, in.size });
        if (likely(row)) {
            pdump_row_time(row, call->time, pdump_state_between(state, call));
            pdump_row_most(&row[PDUMP_ROW_RANKS], peers->size);
            if (likely(out.size))
                pdump_row_item(row, &out);
            if (likely(in.size))
                pdump_row_item(row, &in);
            pdump_hot_changed(r);
        }
        add_messages(r, &out, &in);
        pdump_thread_back(r, gate);
    }
    if (has_ended && pdump_trace_is_on(mpi))
        pdump_trace_end(
            mpi, &(struct pdump_tale){ .items = &in, .n_items = in.size != 0 });
    pdump_state_ended(state, call);
}

/* With counters or events: these come first. */
static __attribute__((noinline)) void end_other(struct pdump_mpi_call *mpi)
{
    pdump_call_end(&mpi->call);
    end(mpi, 0, true);
}

void pdump_simple_end(struct pdump_mpi_call *mpi)
{
    const struct pdump_recorder *r = mpi->call.r;

    if (likely(!r->call_way))
        end(mpi, pdump_clock_now_by(r->is_cycles), false);
    else
        end_other(mpi);
}
