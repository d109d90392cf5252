/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call of MPI, from its begin to what is recorded of it.
 *
 * MPI may call its own functions: the Fortran functions call those in C, MPI
 * I/O sends messages.  Only the outermost call of a thread belongs to the
 * program.
 */
#include "mpi_call.h"
#include "arguments.h"
#include "byte_count.h"
#include "call_fast_end.h"
#include "call_record.h"
#include "collective_ids.h"
#include "fortran.h"
#include "function_choice.h"
#include "mpi_cost.h"
#include "mpi_timeline.h"
#include "peers.h"
#include "python_site.h"
#include "request_completion.h"
#include "requests.h"
#include "system/env.h"
#include "system/process_state.h"
#include "thread_state.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool is_prepared;

static void forget_parent(void)
{
    pthread_mutex_init(&lock, NULL);
    pdump_requests_in_child();
    pdump_peers_in_child();
    pdump_collective_ids_in_child();
    pdump_python_in_child();
}

static struct pdump_process_hook in_child = { .call = forget_parent };

/* Runs before any lock can be taken. */
__attribute__((constructor)) static void watch_children(void)
{
    pdump_process_in_child(&in_child);
}

/* Returns true if all ranks of a communicator call the function in the same
 * order. */
static bool is_collective(const struct pdump_mpi_function *function)
{
    const struct pdump_plan *plan = &function->plan;

    return function->kind == PDUMP_MPI_COLL ||
           (function->kind == PDUMP_MPI_NONBLOCKING && plan->comm &&
            plan->start && !plan->to && !plan->from && !plan->source);
}

/* Called under the lock. */
static void functions_set(char *choice)
{
    pdump_function_choice_read(choice);
    for (int i = 0; i < pdump_n_mpi_functions; i++) {
        struct pdump_mpi_function *f = &pdump_mpi_functions[i];

        f->is_collective = is_collective(f);
        atomic_store_explicit(&f->is_simple,
                              pdump_fast_end_is(f) && !f->is_left_out &&
                                  !pdump_function_choice_is_bad,
                              memory_order_release);
    }
    is_prepared = true;
}

/*
 * This does not use pthread_once(): looking up Python's functions waits for the
 * loader, which may wait for constructors in another thread, and these may call
 * MPI.  Threads that run this at the same time find the same functions.
 */
static void functions_prepare(void)
{
    const char *text = pdump_env("PDUMP_MPI");
    char *choice = strdup(text ? text : "");

    pdump_python_look();
    pthread_mutex_lock(&lock);
    if (!is_prepared)
        functions_set(choice);
    pthread_mutex_unlock(&lock);
    free(choice);
}

/* PDUMP_MPI=sync: waits for the last rank first, whether the call is recorded
 * or not, because the other ranks wait, too. */
static void ranks_meet(struct pdump_mpi_call *call)
{
    static struct pdump_callee waiting = { .name = "wait for the last rank",
                                           .group = PDUMP_GROUP_MPI };
    MPI_Comm comm = pdump_argument_comm(call, call->function->plan.comm);
    struct pdump_call inner;

    if (comm == MPI_COMM_NULL) /* only the call itself should fail */
        return;
    if (!call->is_on || !pdump_call_begin(&inner, &waiting)) {
        PMPI_Barrier(comm);
        return;
    }
    PMPI_Barrier(comm);
    pdump_call_end(&inner);
    call->blocked = inner.time;
}

static bool is_to_meet(const struct pdump_mpi_function *function)
{
    return pdump_function_choice_is_sync && function->kind == PDUMP_MPI_COLL &&
           !function->plan.is_neighbours;
}

/* Passes our own status if the caller ignores it. */
static inline void want_status(struct pdump_mpi_call *call)
{
    uintptr_t *status = &call->a[call->function->plan.status - 1];

    if (*status == (uintptr_t)MPI_STATUS_IGNORE)
        *status = (uintptr_t)&call->status;
}

/* The frames of two calls by the same function may differ in address, if the
 * wrappers have different numbers of arguments.  A frame is inside a call if it
 * is below that call's own `call`. */
static inline bool is_outer(const struct pdump_state *state, const char *frame)
{
    return !state->inside ||
           frame > state->inside - sizeof(struct pdump_mpi_call);
}

static inline bool call_begin(struct pdump_state *state,
                              struct pdump_mpi_call *call)
{
    call->is_on = pdump_call_begin(&call->call, &call->function->callee);
    if (__builtin_expect(call->is_on, 1))
        pdump_hot_call_keep(&state->open, &call->call);
    else
        pdump_hot_call_keep_none(&state->open);
    if (call->is_on && pdump_mpi_timeline_is_on(call))
        pdump_mpi_timeline_begin(state, call);
    return call->is_on;
}

/* The ranks are killed, so none of them writes a dump.  pdump_warn() would
 * print on rank 0 only. */
static void abort_warn(void)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    const char *quiet = pdump_env("PDUMP_QUIET");

    if (pdump_is_active() && (!quiet || strcmp(quiet, "1") != 0) &&
        !atomic_flag_test_and_set(&is_said))
        fputs("pdump: MPI_Abort ends the job; what was recorded stays in the "
              "stores, of which `pdump run` or `pdump recover` makes dumps\n",
              stderr);
}

static __attribute__((noinline)) void call_begin_other(
    struct pdump_state *state, struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;

    if (!is_prepared)
        functions_prepare();
    call->is_on = false;
    pdump_hot_call_keep_none(&state->open);
    if (!call->function->is_left_out)
        call_begin(state, call);
    if (call->is_on && pdump_function_choice_is_bad)
        pdump_function_choice_warn();
    if (is_to_meet(call->function))
        ranks_meet(call);
    if (plan->kind == PDUMP_CALL_ABORTS)
        abort_warn();
    if (plan->status || plan->request || plan->message)
        pdump_completion_prepare(state, call);
}

void pdump_mpi_call_enter(struct pdump_mpi_call *call,
                          struct pdump_mpi_function *function,
                          uintptr_t *arguments, enum pdump_language language,
                          const void *site, const void *frame)
{
    struct pdump_state *state = pdump_state();

    call->is_outer = is_outer(state, frame);
    if (!call->is_outer)
        return;
    if (__builtin_expect(state->inside != NULL, 0)) /* left by longjmp() */
        pdump_hot_call_end_kept(&state->open);
    state->inside = frame;
    call->state = state;
    call->function = function;
    call->a = arguments;
    call->language = language;
    call->site = site;
    call->is_saved = false;
    call->blocked = 0;
    call->is_simple =
        language == PDUMP_C &&
        atomic_load_explicit(&function->is_simple, memory_order_acquire);
    if (!call->is_simple) {
        call_begin_other(state, call);
        return;
    }
    call->is_simple = call_begin(state, call);
    if (call->is_simple && function->plan.status)
        want_status(call);
}

static struct pdump_peers *peers_of(struct pdump_state *state,
                                    const struct pdump_mpi_call *call)
{
    const struct pdump_plan *plan = &call->function->plan;

    if (plan->comm)
        return pdump_peers_of(state, pdump_argument_comm(call, plan->comm));
    if (plan->win)
        return pdump_peers_of_win(state, pdump_argument_win(call, plan->win));
    return NULL;
}

static int peer_of(const struct pdump_mpi_call *call, struct pdump_peers *peers,
                   int index)
{
    return index ? pdump_peers_world(peers, pdump_argument_int(call, index))
                 : PDUMP_PEER_NOBODY;
}

/* Determines bytes and peers from the arguments. */
static void arguments_read(struct pdump_state *state,
                           const struct pdump_mpi_call *call,
                           struct pdump_peers *peers,
                           struct pdump_request *request)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_byte_count amount = pdump_byte_count_of(state, call, peers);

    request->to = peer_of(call, peers, plan->to);
    request->from =
        peer_of(call, peers, plan->source ? plan->source : plan->from);
    /* Transfers with MPI_PROC_NULL move nothing. */
    request->out =
        plan->to && request->to == PDUMP_PEER_NOBODY ? -1 : amount.out;
    request->in =
        plan->source && request->from == PDUMP_PEER_NOBODY ? -1 : amount.in;
    request->has_status =
        plan->is_reads || (plan->from && request->from != PDUMP_PEER_NOBODY);
}

static void request_begin(struct pdump_mpi_call *call,
                          struct pdump_request *request,
                          struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;
    MPI_Request handle = pdump_argument_request_at(
        call, plan->init ? plan->init : plan->start, 0);

    if (handle == MPI_REQUEST_NULL)
        return;
    request->handle = (uintptr_t)handle;
    request->is_persistent = plan->init != 0;
    request->tag = pdump_mpi_timeline_tag(call);
    request->start = plan->init ? 0 : call->call.start;
    request->session = call->call.session;
    if (request->from == PDUMP_PEER_LATER)
        pdump_completion_hold(request, peers);
    pdump_requests_add(request);
}

/* Records a plain call: one that does not wait for, test or start requests. */
static void plain_call_note(struct pdump_state *state,
                            struct pdump_mpi_call *call,
                            struct pdump_call_record *record)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_request request = { 0 };
    struct pdump_peers *peers = peers_of(state, call);

    if (peers)
        record->ranks = peers->size;
    if (plan->root && peers && !peers->is_inter)
        record->root = peer_of(call, peers, plan->root);
    arguments_read(state, call, peers, &request);
    if (!plan->init && request.out >= 0)
        pdump_call_record_add(record, request.out, request.to, true, plan->to);
    if (!plan->init && request.in >= 0)
        pdump_call_record_add(record, request.in, request.from, false,
                              plan->source);
    if (plan->start || plan->init)
        request_begin(call, &request, peers);
    else if (request.has_status)
        pdump_completion_status(call, peers, request.from, record);
}

/* MPI is initialised: libpdump joins the job now, not at its next check. */
static void job_join(void)
{
    if (pdump_is_active())
        pdump_init();
}

static int call_note(struct pdump_mpi_call *call, int code,
                     struct pdump_call_record *record)
{
    const struct pdump_mpi_function *function = call->function;
    struct pdump_state *state = call->state;

    if (function->is_collective && pdump_timeline_may_come())
        record->collective = pdump_mpi_timeline_count(state, call, code);
    if (function->plan.kind == PDUMP_CALL_BEGINS)
        job_join();
    if (!call->is_on && !call->is_saved)
        return code;
    if (function->plan.kind != PDUMP_CALL_PLAIN)
        code = pdump_completion(state, call, code, record);
    else if (code == MPI_SUCCESS)
        plain_call_note(state, call, record);
    return code;
}

static __attribute__((noinline)) int call_leave_other(
    struct pdump_mpi_call *call, int code)
{
    struct pdump_item two[2];
    struct pdump_call_record record = { .items = two,
                                        .ranks = -1,
                                        .root = PDUMP_PEER_NOBODY,
                                        .blocked = call->blocked };

    if (call->is_on)
        pdump_call_end(&call->call);
    code = call_note(call, code, &record);
    if (call->is_on)
        pdump_call_record_write(call->state, call, &record);
    if (call->function->plan.kind == PDUMP_CALL_BEGINS && code == MPI_SUCCESS)
        pdump_mpi_cost_measure();
    return code;
}

int pdump_mpi_call_leave(struct pdump_mpi_call *call, int code)
{
    if (!call->is_outer)
        return code;
    call->is_outer = false;
    call->state->inside = NULL;
    if (!call->is_simple || code != MPI_SUCCESS)
        return call_leave_other(call, code);
    pdump_fast_end_finish(call);
    return code;
}

void pdump_mpi_call_abandon(struct pdump_mpi_call *call)
{
    pdump_mpi_call_leave(call, MPI_ERR_OTHER);
}
