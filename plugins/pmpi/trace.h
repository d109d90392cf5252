/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collectives as events of the timeline (PDUMP_RECORD=events). */
#ifndef PDUMP_PMPI_TRACE_H
#define PDUMP_PMPI_TRACE_H

#include "tale.h"

/* Does the thread of a call that is recorded keep events? */
static inline bool pdump_trace_is_on(const struct pdump_mpi_call *call)
{
    return call->call.r->way & PDUMP_WAY_TRACED;
}

/* What a call is about to send; after pdump_call_begin(). */
void pdump_trace_begin(struct pdump_state *state,
                       const struct pdump_mpi_call *call);

/* What it has received, or done with others; after pdump_call_end(), and at
 * the same time. */
void pdump_trace_end(const struct pdump_mpi_call *call,
                     const struct pdump_tale *tale);

/* A collective was called, recorded or not, as other ranks may record it: what
 * it is known by on all of them, see groups.h. */
int64_t pdump_trace_count(struct pdump_state *state,
                          const struct pdump_mpi_call *call, int code);

/* The tag of a message that the call sends, or -1. */
int pdump_trace_tag(const struct pdump_mpi_call *call);

#endif
