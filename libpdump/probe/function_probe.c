/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of compiled code: enter and exit. */
#include "probe/function_probe.h"
#include "probe/function_table.h"
#include "probe/visit_cost.h"
#include "record/frame_reorder.h"
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "record/session_link.h"
#include "record/thread.h"

#include <errno.h>
#include <signal.h>

enum { OUTER_MAX = 64 };

#define APART static __attribute__((noinline))

static inline bool is_open(const struct pdump_recorder *r)
{
    return r->gate == pdump_gate_now();
}

/* Flags of the frame of a function that needs no special handling. */
static inline uint32_t plain_flags(const struct pdump_recorder *r)
{
    return PDUMP_FRAME_FUNCTION | r->call_flags;
}

static inline void thread_come_out(struct pdump_recorder *r)
{
    pdump_thread_back(r, r->number);
}

/* The end of a function. */
struct ending {
    uintptr_t function, stack;
    bool is_tail;
};

/* Returns true if the frame may be that of the function that ends. */
static inline bool is_this(const struct pdump_frame *frame,
                           const struct ending *e)
{
    return frame->flags & PDUMP_FRAME_FUNCTION &&
           frame->function == e->function &&
           (e->is_tail ? frame->stack < e->stack : frame->stack == e->stack);
}

/* Count a visit that is not recorded, if the function is throttled. */
static void count_lost(struct pdump_recorder *r,
                       const struct pdump_function *function)
{
    if (function->flags & PDUMP_FUNCTION_THROTTLED)
        pdump_recorder_is_left_out(r, function->region);
}

/* Mark the function as throttled if its region is, because of this visit or of
 * another thread. */
static void function_mark_throttled(struct pdump_recorder *r, uintptr_t address)
{
    struct pdump_function *function =
        pdump_function_table_find(r->shared->functions, address);

    if (function && pdump_throttle_is_out(
                        r->base, pdump_store_at(r->base, function->region)))
        atomic_fetch_or(&function->flags, PDUMP_FUNCTION_THROTTLED);
}

/* End the frame now, also if it is not on top; `end` contains the metrics. */
static void close_frame(struct pdump_recorder *r, struct pdump_frame *frame,
                        const int64_t *end, bool is_good)
{
    uint32_t flags = frame->flags;
    uintptr_t address = frame->function;

    pdump_frame_reorder(r, frame);
    frame = r->top;
    /* Open regions inside that are not recorded will end later. */
    pdump_hot_frame(r, frame->up)->skipped += frame->skipped;
    pdump_recorder_finish(r, frame, end, is_good);
    if (flags & PDUMP_FRAME_FUNCTION && flags & PDUMP_FRAME_JUDGED)
        function_mark_throttled(r, address);
}

/* Returns true if the frame is a function or a parameter of one. */
static bool is_of_function(const struct pdump_recorder *r,
                           const struct pdump_frame *frame)
{
    while (frame->flags & PDUMP_FRAME_PARAMETER)
        frame = pdump_hot_frame(r, frame->up);
    return frame->flags & PDUMP_FRAME_FUNCTION;
}

/* End the function at `frame`, and those above it, which were left by a jump.
 */
static void close_from(struct pdump_recorder *r, struct pdump_frame *frame,
                       int64_t now)
{
    int64_t end[PDUMP_METRICS_MAX] = { 0 };
    bool is_good =
        pdump_recorder_read_for(r, pdump_hot_frame(r, frame->up), end);
    struct pdump_frame *at = r->top;

    end[0] = now;
    while (at != frame) {
        struct pdump_frame *below = pdump_hot_frame(r, at->up);

        if (is_of_function(r, at))
            close_frame(r, at, end, is_good);
        at = below;
    }
    close_frame(r, frame, end, is_good);
}

/* Returns true if the thread is on the alternate stack of a signal handler. */
static bool is_on_other_stack(void)
{
    stack_t stack;

    return sigaltstack(NULL, &stack) != 0 || stack.ss_flags & SS_ONSTACK;
}

/* End functions that were left by longjmp(): the stack is shorter than when
 * they were entered, but not shorter than that of a function below them. */
static void close_left(struct pdump_recorder *r, uintptr_t stack)
{
    struct pdump_frame *frame = r->top, *left = NULL;

    while (frame->flags & PDUMP_FRAME_FUNCTION && frame->stack < stack) {
        left = frame;
        frame = pdump_hot_frame(r, frame->up);
    }
    if (left && frame->flags & PDUMP_FRAME_FUNCTION && !is_on_other_stack())
        close_from(r, left, pdump_clock_now());
}

/* The slow path: the function is new under this parent, throttled, sampled or
 * too deep, or others were left by a jump. */
static void enter_new(struct pdump_recorder *r, const void *address,
                      const void *stack)
{
    struct pdump_function_table *f = r->shared->functions;
    struct pdump_function *function =
        pdump_function_table_add(f, (uintptr_t)address);
    uint32_t flags, node;

    if (!function) {
        r->record->overflow++;
        return;
    }
    if (function->flags) {
        count_lost(r, function);
        return;
    }
    close_left(r, (uintptr_t)stack);
    if (!r->top->down && !pdump_recorder_deeper(r))
        return;
    node = pdump_recorder_child(r, r->top->node, function->region);
    flags = pdump_recorder_frame_flags(r, node);
    if (pdump_recorder_is_plain(r, node))
        *pdump_tree_guess(&r->tree, r->top->node,
                          (void *)(uintptr_t)function->region) = node;
    if (node == r->tree.overflow)
        flags |= PDUMP_FRAME_ELSEWHERE;
    pdump_hot_push(r, node, PDUMP_FRAME_FUNCTION | flags,
                   pdump_hot_way(r, flags));
    r->top->again = 0;
    r->top->function = (uintptr_t)address;
    r->top->stack = (uintptr_t)stack;
}

static void functions_visit(int n)
{
    const void *stack = __builtin_frame_address(0);

    for (int i = 0; i < n; i++) {
        pdump_function_probe_enter((const void *)(uintptr_t)functions_visit,
                                   stack);
        pdump_function_probe_exit((const void *)(uintptr_t)functions_visit,
                                  stack, false);
    }
}

static atomic_bool is_measured;

/* Measure the cost of a visit, before the first one of the process.  The thread
 * is inside. */
APART void cost_measure(struct pdump_recorder *r)
{
    if (atomic_exchange(&is_measured, true))
        return;
    thread_come_out(r);
    pdump_visit_cost_measure(PDUMP_VISIT_FUNCTION, functions_visit, NULL);
    pdump_thread_enter(r);
}

/* A program may read errno after the end of a function, so the slow paths
 * preserve it. */
APART void enter_slow(struct pdump_recorder *r, const void *address,
                      const void *stack)
{
    int error = errno;

    if (!is_measured)
        cost_measure(r);
    enter_new(r, address, stack);
    errno = error;
}

/* Returns true if the next frame can be reused.  A frame keeps its content when
 * it ends, and in a loop the same function is usually called again. */
static inline bool is_again(const struct pdump_recorder *r,
                            const struct pdump_frame *top,
                            const struct pdump_frame *next, uintptr_t address)
{
    uint32_t epoch =
        atomic_load_explicit(&pdump_function_table_epoch, memory_order_relaxed);

    return next->function == address && next->again == epoch + 1 &&
           next->flags == plain_flags(r) &&
           pdump_hot_node(r, next->node)->parent == top->node &&
           !r->shared->functions->may_leave_out;
}

PDUMP_HOT void function_enter(struct pdump_recorder *r, const void *address,
                              const void *stack, unsigned way)
{
    struct pdump_frame *top = r->top, *next = pdump_hot_frame(r, top->down);
    struct pdump_function *function;
    const struct pdump_node *node;
    uint32_t ref;

    if (unlikely(!top->down || (top->flags & PDUMP_FRAME_FUNCTION &&
                                top->stack < (uintptr_t)stack))) {
        enter_slow(r, address, stack);
        return;
    }
    if (!is_again(r, top, next, (uintptr_t)address)) {
        function =
            pdump_function_table_find(r->shared->functions, (uintptr_t)address);
        if (unlikely(function && function->flags)) {
            count_lost(r, function);
            return;
        }
        ref = function ? *pdump_tree_guess(&r->tree, top->node,
                                           (void *)(uintptr_t)function->region)
                       : 0;
        node = pdump_hot_node(r, ref);
        if (unlikely(!ref || node->parent != top->node ||
                     node->region != function->region)) {
            enter_slow(r, address, stack);
            return;
        }
        next->node = ref;
        next->again = function->epoch + 1;
        next->function = (uintptr_t)address;
    }
    /* Before the push, which ends with reading the clock. */
    next->stack = (uintptr_t)stack;
    pdump_hot_push(r, next->node, plain_flags(r), way);
}

APART void enter_timed(struct pdump_recorder *r, const void *function,
                       const void *stack)
{
    pdump_thread_enter(r);
    function_enter(r, function, stack, 0);
    thread_come_out(r);
}

APART void enter_counted(struct pdump_recorder *r, const void *function,
                         const void *stack)
{
    int error = errno;

    pdump_thread_enter(r);
    function_enter(r, function, stack, r->call_way);
    thread_come_out(r);
    errno = error;
}

/* Called if the gate is closed: starts a session, or does nothing.  A program
 * that goes on after the end of its session is not warned. */
APART void enter_shut(struct pdump_recorder *r, const void *function,
                      const void *stack)
{
    enum pdump_phase phase = pdump_session_phase();
    int ready, error = errno;

    if (r->gate == PDUMP_GATE_INSIDE && r->record)
        r->record->reentered++; /* by a signal handler */
    if (r->gate == PDUMP_GATE_INSIDE ||
        (phase != PDUMP_PHASE_NEVER && phase != PDUMP_PHASE_ACTIVE))
        return;
    ready = pdump_thread_ready(r);
    if (ready == PDUMP_READY && !is_measured)
        cost_measure(r);
    if (ready == PDUMP_READY)
        enter_new(r, function, stack);
    if (ready == PDUMP_READY || ready == PDUMP_SKIP)
        pdump_thread_done(r);
    errno = error;
}

void pdump_function_probe_enter(const void *function, const void *stack)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (unlikely(!is_open(r)))
        enter_shut(r, function, stack);
    else if (likely(!r->call_way))
        enter_timed(r, function, stack);
    else
        enter_counted(r, function, stack);
}

/*
 * Returns the frame of the function that ends, or NULL.  Outer functions are at
 * higher addresses of the stack than inner ones, so the search ends at a frame
 * above the given place.
 *
 * Inner frames of the same function may be open that were left by a jump; of
 * those that match, the outermost is the right one.  After alloca() the stack
 * is larger at the end of a function than at its begin; then the innermost
 * function is taken, unless there were functions too deep to have a frame.
 */
static struct pdump_frame *frame_of(struct pdump_recorder *r,
                                    const struct ending *e)
{
    struct pdump_frame *frame = r->top, *innermost = NULL, *found = NULL;
    uint64_t last = 0;
    int n_outer = 0;

    for (; !(frame->flags & PDUMP_FRAME_BOTTOM) && n_outer < OUTER_MAX;
         frame = pdump_hot_frame(r, frame->up)) {
        if (!(frame->flags & PDUMP_FRAME_FUNCTION))
            continue;
        if (!innermost)
            innermost = frame;
        /* The frame is on another stack, such as a signal handler's. */
        if (found && frame->stack < last)
            break;
        last = frame->stack;
        if (is_this(frame, e))
            found = frame;
        if (found && frame->stack >= e->stack)
            break;
        n_outer += frame->stack > e->stack;
    }
    if (!found && innermost && innermost->function == e->function &&
        innermost->stack > e->stack && !r->record->too_deep)
        return innermost;
    return found;
}

/* Returns true if the function was not recorded when it was entered.  If it has
 * the innermost frame, it was. */
APART bool is_left_out(const struct pdump_recorder *r, const struct ending *e)
{
    const struct pdump_function *function =
        pdump_function_table_find(r->shared->functions, e->function);

    return function && function->flags && !is_this(r->top, e);
}

/* The slow path.  The thread is inside. */
APART void exit_slow(struct pdump_recorder *r, const struct ending *e,
                     int64_t now)
{
    struct pdump_frame *frame = frame_of(r, e);
    int error = errno;

    if (frame)
        close_from(r, frame, now);
    errno = error;
}

/* The plain case: the function has the innermost frame, without any doubt. */
static inline bool is_plain(const struct pdump_recorder *r,
                            const struct pdump_frame *frame,
                            const struct ending *e)
{
    const struct pdump_frame *caller;

    if (frame->flags != plain_flags(r) || frame->skipped || !is_this(frame, e))
        return false;
    caller = pdump_hot_frame(r, frame->up);
    return !e->is_tail || caller->flags & PDUMP_FRAME_BOTTOM ||
           (caller->flags & PDUMP_FRAME_FUNCTION && caller->stack >= e->stack);
}

PDUMP_HOT void function_leave(struct pdump_recorder *r, const void *function,
                              const void *stack, bool is_tail, unsigned way)
{
    struct ending e = { (uintptr_t)function, (uintptr_t)stack, is_tail };
    struct pdump_frame *frame = r->top;
    int64_t now;

    if (unlikely(r->shared->functions->may_leave_out) && is_left_out(r, &e))
        return;
    now = pdump_clock_now();
    if (likely(is_plain(r, frame, &e)))
        pdump_hot_end_plain(r, frame, now, way);
    else
        exit_slow(r, &e, now);
}

APART void exit_timed(struct pdump_recorder *r, const void *function,
                      const void *stack, bool is_tail)
{
    pdump_thread_enter(r);
    function_leave(r, function, stack, is_tail, 0);
    thread_come_out(r);
}

APART void exit_counted(struct pdump_recorder *r, const void *function,
                        const void *stack, bool is_tail)
{
    int error = errno;

    pdump_thread_enter(r);
    function_leave(r, function, stack, is_tail,
                   PDUMP_WAY_COUNTED | r->call_way);
    thread_come_out(r);
    errno = error;
}

/* Called if the gate is closed: only functions that are open in this session
 * can end. */
APART void exit_shut(struct pdump_recorder *r, const void *function,
                     const void *stack, bool is_tail)
{
    struct ending e = { (uintptr_t)function, (uintptr_t)stack, is_tail };
    int ready;

    if (r->gate == PDUMP_GATE_UNKNOWN || r->gate == PDUMP_GATE_INSIDE ||
        r->number != pdump_gate_number() ||
        pdump_session_phase() != PDUMP_PHASE_ACTIVE)
        return;
    ready = pdump_thread_ready(r);
    if (ready < 0 || ready == PDUMP_NOTHING)
        return;
    if (!is_left_out(r, &e))
        exit_slow(r, &e, pdump_clock_now());
    pdump_thread_done(r);
}

void pdump_function_probe_exit(const void *function, const void *stack,
                               bool is_tail)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (unlikely(!is_open(r)))
        exit_shut(r, function, stack, is_tail);
    else if (likely(!r->call_way))
        exit_timed(r, function, stack, is_tail);
    else
        exit_counted(r, function, stack, is_tail);
}

void pdump_function_probe_unload(void)
{
    pdump_function_table_unload();
}
