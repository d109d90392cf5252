/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collectives as events of the timeline. */
#include "mpi_timeline.h"
#include "arguments.h"
#include "byte_count.h"
#include "collective_ids.h"
#include "requests.h"
#include "thread_state.h"

/* In sends, the tag follows the rank.  Partitioned sends have no receive with a
 * status, and RMA has no receive at all. */
int pdump_mpi_timeline_tag(const struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;

    return plan->to && plan->comm && !plan->parts
               ? pdump_argument_int(call, plan->to + 1)
               : -1;
}

static void event_send(const struct pdump_mpi_call *call, int to, int64_t bytes,
                       int tag)
{
    if (to >= 0 && bytes >= 0 && tag >= 0)
        pdump_timeline_message(PDUMP_EVENT_SEND, call->call.start, to, bytes,
                               tag);
}

/* The call may still fail: an invalid argument must not be passed to MPI a
 * second time. */
static bool is_good(const struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;

    return pdump_argument_comm(call, plan->comm) != MPI_COMM_NULL &&
           pdump_argument_type(call, plan->out.type) != MPI_DATATYPE_NULL;
}

static void send_plain(struct pdump_state *state,
                       const struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_peers *peers;
    int tag = pdump_mpi_timeline_tag(call);

    if (tag < 0 || plan->init || !is_good(call))
        return;
    peers = pdump_peers_of(state, pdump_argument_comm(call, plan->comm));
    event_send(call,
               pdump_peers_world(peers, pdump_argument_int(call, plan->to)),
               pdump_byte_count_of(state, call, peers).out, tag);
}

static void send_started(const struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;
    int n = plan->n ? pdump_argument_int(call, plan->n) : 1;
    struct pdump_request request;

    for (int i = 0; i < n; i++) {
        MPI_Request handle = pdump_argument_request_at(call, plan->request, i);

        if (pdump_requests_look((uintptr_t)handle, &request))
            event_send(call, request.to, request.out, request.tag);
    }
}

void pdump_mpi_timeline_begin(struct pdump_state *state,
                              const struct pdump_mpi_call *call)
{
    if (call->function->plan.kind == PDUMP_CALL_STARTS)
        send_started(call);
    else if (call->function->plan.to)
        send_plain(state, call);
}

void pdump_mpi_timeline_end(const struct pdump_mpi_call *call,
                            const struct pdump_call_record *record)
{
    int64_t end = call->call.start + call->call.time, bytes = 0;

    for (int i = 0; i < record->n_items; i++) {
        const struct pdump_item *item = &record->items[i];

        bytes += item->bytes;
        if (item->has_tag && item->peer >= 0)
            pdump_timeline_message(PDUMP_EVENT_RECEIVE, end, item->peer,
                                   item->bytes, item->tag);
    }
    if (call->function->is_collective && record->ranks >= 0)
        pdump_timeline_message(PDUMP_EVENT_COLLECTIVE, end, record->ranks,
                               bytes, record->collective);
}

/* A collective that failed here may have succeeded on other ranks, so it
 * counts, unless it had no communicator. */
int64_t pdump_mpi_timeline_count(struct pdump_state *state,
                                 const struct pdump_mpi_call *call, int code)
{
    MPI_Comm comm = pdump_argument_comm(call, call->function->plan.comm);
    int kind = MPI_SUCCESS;

    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &kind);
    if (kind == MPI_ERR_COMM || comm == MPI_COMM_NULL)
        return 0;
    return pdump_collective_ids_count(pdump_peers_of(state, comm));
}
