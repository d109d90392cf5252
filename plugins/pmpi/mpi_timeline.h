/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collectives as events of the timeline (PDUMP_RECORD=events). */
#ifndef PDUMP_PMPI_MPI_TIMELINE_H
#define PDUMP_PMPI_MPI_TIMELINE_H

#include "call_record.h"

/* Returns true if the thread of a recorded call keeps events. */
static inline bool pdump_mpi_timeline_is_on(const struct pdump_mpi_call *call)
{
    return pdump_hot_call_is_traced(&call->call);
}

/* Adds the messages that the call is about to send; after
 * pdump_call_begin(). */
void pdump_mpi_timeline_begin(struct pdump_state *state,
                              const struct pdump_mpi_call *call);

/* Adds the messages received and the collective, with the time of the call's
 * end; after pdump_call_end(). */
void pdump_mpi_timeline_end(const struct pdump_mpi_call *call,
                            const struct pdump_call_record *record);

/* Counts a collective, recorded or not, because other ranks may record it.
 * Returns its number, which is the same on all ranks: see collective_ids.h. */
int64_t pdump_mpi_timeline_count(struct pdump_state *state,
                                 const struct pdump_mpi_call *call, int code);

/* Returns the tag of the message that the call sends, or -1. */
int pdump_mpi_timeline_tag(const struct pdump_mpi_call *call);

#endif
