/* SPDX-License-Identifier: BSD-3-Clause */
/* Records calls of foreign functions. */
#include "probe/call.h"
#include "probe/call_hot.h"
#include "record/session_link.h"
#include "record/thread.h"
#include "system/process_state.h"

#include <string.h>

static const struct pdump_region_record *region_at(
    const struct pdump_recorder *r, uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

/* Returns the region of a callee, made if it is new in this session; 0 if it is
 * not to be recorded.  The thread is inside (gate.h). */
static __attribute__((noinline)) uint32_t callee_learn(
    struct pdump_recorder *r, struct pdump_callee *callee)
{
    uint32_t ref = 0;

    if (pdump_regions_add(r->tree.regions, callee->name, strlen(callee->name),
                          callee->group, NULL, 0, &ref) < 0 ||
        region_at(r, ref)->is_excluded)
        ref = 0;
    atomic_store_explicit(&callee->known, pdump_call_known_as(r, ref),
                          memory_order_release);
    return ref;
}

/* Called inside, after the gate was open. */
static bool call_begin(struct pdump_recorder *r, struct pdump_call *call,
                       struct pdump_callee *callee)
{
    const struct pdump_frame *top = r->top;
    uint64_t known = atomic_load_explicit(&callee->known, memory_order_acquire);
    uint32_t region = pdump_call_is_known(r, known) ? (uint32_t)known
                                                    : callee_learn(r, callee);

    if (!region)
        return false;
    pdump_hot_enter(r, region, r->call_flags, r->call_way);
    if (r->top == top) { /* too deep */
        pdump_hot_unskip(r);
        return false;
    }
    call->r = r;
    call->session = r->number;
    call->node = r->top->node;
    call->start = r->top->start[0];
    return true;
}

/* Called if the gate is closed.  Does not start a session again that has ended,
 * and does not warn. */
static bool is_ready(struct pdump_recorder *r)
{
    enum pdump_phase phase = pdump_session_phase();
    int ready;

    if (r->gate == PDUMP_GATE_INSIDE || pdump_session_is_dumping() ||
        (phase != PDUMP_PHASE_NEVER && phase != PDUMP_PHASE_ACTIVE))
        return false;
    ready = pdump_thread_ready(r);
    if (ready == PDUMP_SKIP)
        pdump_thread_done(r);
    return ready == PDUMP_READY;
}

/* Called inside; leaves it. */
static __attribute__((noinline)) bool begin_other(struct pdump_recorder *r,
                                                  struct pdump_call *call,
                                                  struct pdump_callee *callee)
{
    bool is_begun = call_begin(r, call, callee);

    pdump_thread_done(r);
    return is_begun;
}

static __attribute__((noinline)) bool begin_slow(struct pdump_recorder *r,
                                                 struct pdump_call *call,
                                                 struct pdump_callee *callee)
{
    return is_ready(r) && begin_other(r, call, callee);
}

/* A call that is known and only timed takes this fast path, which allocates
 * nothing and saves no registers. */
bool pdump_call_begin(struct pdump_call *call, struct pdump_callee *callee)
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned gate = pdump_gate_now();
    uint64_t known = atomic_load_explicit(&callee->known, memory_order_acquire);
    uint32_t ref;

    if (unlikely(r->gate != gate))
        return begin_slow(r, call, callee);
    pdump_thread_enter(r);
    ref = pdump_hot_seen(r, (uint32_t)known, r->call_way);
    if (unlikely(!pdump_call_is_known(r, known) || !ref))
        return begin_other(r, call, callee);
    pdump_hot_push(r, ref, r->call_flags, 0);
    call->r = r;
    call->session = gate;
    call->node = ref;
    call->start = r->top->start[0];
    pdump_thread_back(r, gate);
    return true;
}

bool pdump_call_here(struct pdump_call *call)
{
    struct pdump_recorder *r = pdump_thread_self();
    bool is_recorded;

    if (!is_ready(r))
        return false;
    call->r = r;
    call->session = r->number;
    call->node = r->top->node;
    call->start = call->time = 0;
    /* The innermost region may be one that is not recorded: its details do not
     * belong to its caller. */
    is_recorded = !r->top->skipped && !(r->top->flags & PDUMP_FRAME_SKIPPED);
    pdump_thread_done(r);
    return is_recorded;
}

enum pdump_where pdump_call_where(struct pdump_call *call)
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned number = pdump_gate_number();

    if (unlikely(r->gate == PDUMP_GATE_INSIDE || pdump_session_is_dumping() ||
                 number - PDUMP_GATE_FIRST >=
                     PDUMP_GATE_IDLE - PDUMP_GATE_FIRST ||
                 pdump_gate_is_off()))
        return PDUMP_NOWHERE;
    call->session = number;
    if (unlikely(r->number != number))
        return PDUMP_STRANGER;
    if (unlikely(r->gate != number))
        return PDUMP_NOWHERE;
    call->r = r;
    call->node = r->top->node;
    call->start = call->time = 0;
    return PDUMP_HERE;
}

struct pdump_session *pdump_call_hold(void)
{
    return pdump_thread_hold();
}

void pdump_call_let_go(struct pdump_session *session)
{
    pdump_session_let_go(session);
}

int64_t pdump_call_now(void)
{
    return pdump_clock_now();
}

bool pdump_call_read(struct pdump_call *call, int64_t *values)
{
    struct pdump_recorder *r = call->r;
    bool is_good;

    if (!pdump_call_is_alive(call))
        return false;
    pdump_thread_enter(r);
    memset(values, 0, r->n_metrics * sizeof(*values));
    is_good = pdump_recorder_read(r, values);
    pdump_thread_done(r);
    return is_good;
}

void pdump_call_end_other(struct pdump_recorder *r, uint32_t node, int64_t now)
{
    struct pdump_frame *frame = r->top;

    if (likely(frame->node == node &&
               !((frame->flags ^ r->call_flags) | frame->skipped)))
        pdump_hot_end_plain(r, frame, now, PDUMP_WAY_COUNTED | r->call_way);
    else
        pdump_recorder_end_slow(
            r,
            (struct pdump_ending){ .region = pdump_hot_node(r, node)->region },
            now);
}

void pdump_call_end(struct pdump_call *call)
{
    int64_t now = pdump_clock_now();
    struct pdump_recorder *r = call->r;
    unsigned gate = r->gate;

    /* Between begin and end a signal handler may have created a child without
     * fork(): in the child, the call that the handler returns to belongs to the
     * parent. */
    if (unlikely(pdump_gate_number() != call->session) &&
        !pdump_process_is_known())
        return;
    if (pdump_hot_call_end(call, now))
        pdump_thread_back(r, gate);
}
