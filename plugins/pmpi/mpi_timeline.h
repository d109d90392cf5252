/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collectives as events of the timeline (PDUMP_RECORD=events). */
#ifndef PDUMP_PMPI_MPI_TIMELINE_H
#define PDUMP_PMPI_MPI_TIMELINE_H

#include "call_record.h"

/* Does the thread of a call that is recorded keep events? */
static inline bool pdump_mpi_timeline_is_on(const struct pdump_mpi_call *call)
{
    return call->call.r->way & PDUMP_WAY_TRACED;
}

/* What a call is about to send; after pdump_call_begin(). */
void pdump_mpi_timeline_begin(struct pdump_state *state,
                              const struct pdump_mpi_call *call);

/* What it has received, or done with others; after pdump_call_end(), and at
 * the same time. */
void pdump_mpi_timeline_end(const struct pdump_mpi_call *call,
                            const struct pdump_call_record *tale);

/* A collective was called, recorded or not, as other ranks may record it: what
 * it is known by on all of them, see collective_ids.h. */
int64_t pdump_mpi_timeline_count(struct pdump_state *state,
                                 const struct pdump_mpi_call *call, int code);

/* The tag of a message that the call sends, or -1. */
int pdump_mpi_timeline_tag(const struct pdump_mpi_call *call);

#endif
