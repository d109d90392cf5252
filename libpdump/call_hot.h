/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls and their details ask at every turn, inline. */
#ifndef PDUMP_CALL_HOT_H
#define PDUMP_CALL_HOT_H

#include "call.h"
#include "gate.h"
#include "recorder_hot.h"

/* Under `known` of a callee or a table: what session, and what ref there. */
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

/* Still in the session that the call began in, and not inside of us? */
static inline bool pdump_call_is_alive(const struct pdump_call *call)
{
    return likely(call->r->number == call->session &&
                  call->r->gate != PDUMP_GATE_INSIDE);
}

#endif
