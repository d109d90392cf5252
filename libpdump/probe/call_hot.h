/* SPDX-License-Identifier: BSD-3-Clause */
/* The inline parts of calls and their details. */
#ifndef PDUMP_CALL_HOT_H
#define PDUMP_CALL_HOT_H

#include "probe/call.h"
#include "record/recorder_hot.h"
#include "record/thread.h"

/* The value of `known` in a callee or a table: the owner of the ref, and the
 * ref. */
static inline uint64_t pdump_call_known_as(const struct pdump_recorder *r,
                                           uint32_t ref)
{
    return (uint64_t)r->known_by << 32 | ref;
}

static inline bool pdump_call_is_known(const struct pdump_recorder *r,
                                       uint64_t known)
{
    return known >> 32 == r->known_by;
}

/* Returns true if the thread is still in the session in which the call began,
 * and not inside libpdump. */
static inline bool pdump_call_is_alive(const struct pdump_call *call)
{
    return likely(call->r->number == call->session &&
                  call->r->gate != PDUMP_GATE_INSIDE);
}

/* Go inside (gate.h) while details of a finished call are updated; pair with
 * pdump_thread_done(), or with pdump_hot_call_leave().  Returns false if the
 * session has changed. */
static inline bool pdump_hot_call_enter(const struct pdump_call *call)
{
    if (!pdump_call_is_alive(call))
        return false;
    pdump_thread_enter(call->r);
    return true;
}

/* The first returns what the second needs to go outside again. */
static inline unsigned pdump_hot_call_gate(const struct pdump_call *call)
{
    return call->r->gate;
}

static inline void pdump_hot_call_leave(const struct pdump_call *call,
                                        unsigned gate)
{
    pdump_thread_back(call->r, gate);
}

/* End a call that has counters or events, or that is not on top.  The thread is
 * inside. */
PDUMP_SHARED void pdump_call_end_other(struct pdump_recorder *r, uint32_t node,
                                       int64_t now);

/* As pdump_call_end(), with the time `now`, followed by pdump_hot_call_enter().
 */
static inline bool pdump_hot_call_end(struct pdump_call *call, int64_t now)
{
    struct pdump_recorder *r = call->r;
    struct pdump_frame *frame = r->top;

    call->time = now - call->start;
    if (!pdump_hot_call_enter(call))
        return false;
    if (likely(frame->node == call->node && !((frame->flags ^ r->call_flags) |
                                              frame->skipped | r->call_way)))
        pdump_hot_end_plain(r, frame, now, 0);
    else
        pdump_call_end_other(r, call->node, now);
    return true;
}

/* As pdump_call_now(). */
static inline int64_t pdump_hot_call_now(const struct pdump_call *call)
{
    return pdump_clock_now_by(call->r->is_cycles);
}

/* Returns true if calls on this thread are only timed: without counters and
 * events. */
static inline bool pdump_hot_call_is_timed(const struct pdump_call *call)
{
    return !call->r->call_way;
}

/* Returns true if the thread keeps events. */
static inline bool pdump_hot_call_is_traced(const struct pdump_call *call)
{
    return call->r->way & PDUMP_WAY_TRACED;
}

/* Keep in `kept` what is needed to end the call if longjmp() leaves it.  The
 * second keeps nothing. */
static inline void pdump_hot_call_keep(struct pdump_call *kept,
                                       const struct pdump_call *call)
{
    kept->r = call->r;
    kept->session = call->session;
    kept->node = call->node;
}

static inline void pdump_hot_call_keep_none(struct pdump_call *kept)
{
    kept->r = NULL;
}

/* End a call that was kept, unless other regions have begun in it. */
static inline void pdump_hot_call_end_kept(struct pdump_call *kept)
{
    const struct pdump_recorder *r = kept->r;

    if (r && r->number == kept->session && r->top->node == kept->node) {
        kept->start = r->top->start[0];
        pdump_call_end(kept);
    }
}

/* Returns the metrics of the call's session. */
static inline const struct pdump_sources *pdump_hot_call_sources(
    const struct pdump_call *call)
{
    return call->r->shared->sources;
}

/* Returns the start of the session's memory. */
static inline char *pdump_hot_call_memory(const struct pdump_call *call)
{
    return call->r->base;
}

/* Count a detail that could not be recorded. */
static inline void pdump_hot_call_lost(const struct pdump_call *call)
{
    call->r->record->lost_details++;
}

#endif
