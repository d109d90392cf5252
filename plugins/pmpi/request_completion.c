/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the completion of operations, from their statuses and requests. */
#include "request_completion.h"
#include "arguments.h"
#include "byte_count.h"
#include "fortran.h"
#include "status_fast.h"
#include "thread_state.h"

/* The parts of the thread's buffer, for a call on n requests. */
struct room {
    uintptr_t *handles;
    struct pdump_item *items; /* [2 * n] */
    char *statuses;
};

static bool get_room(struct pdump_state *state,
                     const struct pdump_mpi_call *call, struct room *out)
{
    size_t n = (size_t)call->n;
    char *room = pdump_state_room(state, n * (sizeof(uintptr_t) +
                                              2 * sizeof(struct pdump_item) +
                                              pdump_fortran_status_size(call)));

    if (!room)
        return false;
    out->handles = (uintptr_t *)(void *)room;
    out->items = (struct pdump_item *)(void *)(out->handles + n);
    out->statuses = (char *)(out->items + 2 * n);
    return true;
}

static bool has_many_statuses(const struct pdump_mpi_call *call)
{
    return call->function->plan.kind == PDUMP_CALL_WAITALL ||
           call->function->plan.kind == PDUMP_CALL_WAITSOME;
}

static void save_requests(struct pdump_state *state,
                          struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct room room;

    call->n = plan->n ? pdump_argument_int(call, plan->n) : 1;
    if (call->n < 1 || !get_room(state, call, &room))
        return;
    for (int i = 0; i < call->n; i++) {
        MPI_Request handle = pdump_argument_request_at(call, plan->request, i);

        room.handles[i] = (uintptr_t)handle;
    }
    call->is_saved = true;
    call->last = pdump_requests_last();
    if (call->is_on && plan->status && has_many_statuses(call) &&
        pdump_fortran_is_ignored(call, plan->status))
        call->a[plan->status - 1] = (uintptr_t)room.statuses;
}

void pdump_completion_prepare(struct pdump_state *state,
                              struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;

    if (plan->request && pdump_n_requests > 0)
        save_requests(state, call);
    if (plan->kind == PDUMP_CALL_MRECV) {
        call->handle =
            pdump_requests_message(pdump_argument_message(call, plan->message));
        call->is_saved = pdump_n_requests > 0;
        call->last = pdump_requests_last();
    }
    if (call->is_on && plan->status && !has_many_statuses(call) &&
        pdump_fortran_is_ignored(call, plan->status))
        call->a[plan->status - 1] = (uintptr_t)&call->status;
}

void pdump_completion_hold(struct pdump_request *request,
                           struct pdump_peers *peers)
{
    /* Translates the ranks now: the communicator may be gone at completion. */
    pdump_peers_world(peers, 0);
    if (pdump_peers_hold(peers))
        request->peers = peers;
    else
        request->from = PDUMP_PEER_OUTSIDE;
}

/* Records what the status of a receive contains. */
static void receive_record(const MPI_Status *status, struct pdump_peers *peers,
                           int from, struct pdump_call_record *record)
{
    struct pdump_item *item;

    /* For messages only: Open MPI's I/O does not set this bit. */
    if (from != PDUMP_PEER_NOBODY && pdump_status_is_cancelled(status))
        return;
    if (from == PDUMP_PEER_LATER)
        from = pdump_peers_world(peers, status->MPI_SOURCE);
    item = pdump_call_record_add(record, pdump_status_bytes(status), from,
                                 false, true);
    item->has_tag = from != PDUMP_PEER_NOBODY;
    item->tag = status->MPI_TAG;
}

void pdump_completion_status(const struct pdump_mpi_call *call,
                             struct pdump_peers *peers, int from,
                             struct pdump_call_record *record)
{
    int index = call->function->plan.status;
    MPI_Status status;

    if (index &&
        pdump_fortran_status(call, (const void *)pdump_argument(call, index), 0,
                             &status))
        receive_record(&status, peers, from, record);
}

/* Records a completed request; i is the index of its status, or -1. */
static void finish_one(const struct pdump_mpi_call *call, uintptr_t handle,
                       int i, struct pdump_call_record *record)
{
    int index = call->function->plan.status;
    struct pdump_request request;
    MPI_Status status;

    if (handle == (uintptr_t)MPI_REQUEST_NULL ||
        !pdump_requests_take(handle, call->last, &request))
        return;
    if (call->is_on) {
        record->completed++;
        if (request.session == call->call.session)
            record->flight +=
                call->call.start + call->call.time - request.start;
        if (request.has_status && i >= 0 &&
            pdump_fortran_status(
                call, (const void *)pdump_argument(call, index), i, &status))
            receive_record(&status, request.peers, request.from, record);
    }
    if (request.peers && !request.is_persistent)
        pdump_peers_release(request.peers);
}

static int index_at(const struct pdump_mpi_call *call, int i)
{
    return ((const int *)pdump_argument(call, call->function->plan.index))[i];
}

static void finish_done(const struct pdump_mpi_call *call,
                        const uintptr_t *handles,
                        struct pdump_call_record *record)
{
    const struct pdump_plan *plan = &call->function->plan;
    int n = call->n, first = 0;

    if (plan->flag && !pdump_argument_result(call, plan->flag))
        return;
    if (plan->kind == PDUMP_CALL_WAITSOME)
        n = pdump_argument_result(call, plan->n_done);
    else if (plan->kind == PDUMP_CALL_WAITANY)
        n = 1;
    if (n > call->n)
        return;
    if (plan->index)
        first = pdump_fortran_first_index(call);
    for (int i = 0; i < n; i++) {
        int at = plan->index ? index_at(call, i) - first : i;

        if (at >= 0 && at < call->n)
            finish_one(call, handles[at], i, record);
    }
}

/* After a failed call: requests that are now null are complete, whatever the
 * result. */
static void finish_gone(const struct pdump_mpi_call *call,
                        const uintptr_t *handles,
                        struct pdump_call_record *record)
{
    for (int i = 0; i < call->n; i++)
        if (pdump_argument_request_at(call, call->function->plan.request, i) ==
            MPI_REQUEST_NULL)
            finish_one(call, handles[i], -1, record);
}

static void start_all(const struct pdump_mpi_call *call,
                      const uintptr_t *handles,
                      struct pdump_call_record *record)
{
    struct pdump_request request;

    for (int i = 0; i < call->n; i++) {
        if (!pdump_requests_start(handles[i], call->call.start,
                                  call->call.session, &request))
            continue;
        if (request.out >= 0)
            pdump_call_record_add(record, request.out, request.to, true, true);
        if (request.in >= 0)
            pdump_call_record_add(record, request.in, request.from, false,
                                  true);
    }
}

/* Notes a matched message, which will be received by its handle. */
static void note_message(struct pdump_state *state,
                         const struct pdump_mpi_call *call,
                         struct pdump_call_record *record)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_peers *peers =
        pdump_peers_of(state, pdump_argument_comm(call, plan->comm));
    struct pdump_request request = { .from = PDUMP_PEER_LATER };
    MPI_Message message;

    record->ranks = peers->size;
    if (plan->flag && !pdump_argument_result(call, plan->flag))
        return;
    message = pdump_argument_message(call, plan->message);
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    request.handle = pdump_requests_message(message);
    pdump_completion_hold(&request, peers);
    pdump_requests_add(&request);
}

static void take_message(const struct pdump_mpi_call *call,
                         struct pdump_call_record *record)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_request request = { .from = PDUMP_PEER_NOBODY };
    bool is_known = call->is_saved &&
                    pdump_requests_take(call->handle, call->last, &request);
    bool is_nobody =
        call->handle == pdump_requests_message(MPI_MESSAGE_NO_PROC);

    if (is_nobody && !plan->start)
        return;
    if (plan->start && call->is_on) {
        MPI_Request handle = pdump_argument_request_at(call, plan->start, 0);

        request.handle = (uintptr_t)handle;
        request.start = call->call.start;
        request.session = call->call.session;
        request.has_status = !is_nobody;
        pdump_requests_add(&request);
        return;
    }
    if (call->is_on)
        pdump_completion_status(call, request.peers, request.from, record);
    if (is_known && request.peers)
        pdump_peers_release(request.peers);
}

static void finish_requests(struct pdump_state *state,
                            const struct pdump_mpi_call *call, int code,
                            struct pdump_call_record *record)
{
    struct room room;

    if (!call->is_saved || !get_room(state, call, &room))
        return;
    record->items = room.items;
    if (call->function->plan.kind == PDUMP_CALL_FORGET)
        pdump_requests_forget(room.handles[0], call->last);
    else if (call->function->plan.kind == PDUMP_CALL_STARTS && call->is_on)
        start_all(call, room.handles, record);
    else if (call->function->plan.kind == PDUMP_CALL_STARTS)
        return;
    else if (code == MPI_SUCCESS)
        finish_done(call, room.handles, record);
    else
        finish_gone(call, room.handles, record);
}

int pdump_completion(struct pdump_state *state, struct pdump_mpi_call *call,
                     int code, struct pdump_call_record *record)
{
    switch ((enum pdump_call_kind)call->function->plan.kind) {
    case PDUMP_CALL_PROBE:
        if (code == MPI_SUCCESS && call->is_on)
            note_message(state, call, record);
        break;
    case PDUMP_CALL_MRECV:
        if (code == MPI_SUCCESS)
            take_message(call, record);
        break;
    case PDUMP_CALL_BEGINS:
    case PDUMP_CALL_ABORTS:
        break;
    case PDUMP_CALL_STARTS:
    case PDUMP_CALL_FORGET:
        if (code == MPI_SUCCESS)
            finish_requests(state, call, code, record);
        break;
    default:
        record->blocked = call->is_on ? call->call.time : 0;
        finish_requests(state, call, code, record);
    }
    return code;
}
