/* SPDX-License-Identifier: BSD-3-Clause */
/* The inline parts of calls and their details. */
#ifndef PDUMP_CALL_HOT_H
#define PDUMP_CALL_HOT_H

#include "probe/call.h"
#include "record/recorder_hot.h"
#include "record/thread.h"

/* The value of `known` in a callee or a table: session number, and ref in that
 * session. */
static inline uint64_t pdump_call_known_as(const struct pdump_recorder *r,
                                           uint32_t ref)
{
    return (uint64_t)r->number << 32 | ref;
}

static inline bool pdump_call_is_known(const struct pdump_recorder *r,
                                       uint64_t known)
{
    return known >> 32 == r->number;
}

/* Returns true if the thread is still in the session in which the call began,
 * and not inside libpdump. */
static inline bool pdump_call_is_alive(const struct pdump_call *call)
{
    return likely(call->r->number == call->session &&
                  call->r->gate != PDUMP_GATE_INSIDE);
}

/* Go inside (gate.h) while details of a finished call are updated; pair with
 * pdump_thread_done().  Returns false if the session has changed. */
static inline bool pdump_hot_call_enter(const struct pdump_call *call)
{
    if (!pdump_call_is_alive(call))
        return false;
    pdump_thread_enter(call->r);
    return true;
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

#endif
