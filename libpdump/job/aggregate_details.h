/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings the details of all ranks into the tables of rank 0. */
#ifndef PDUMP_AGGREGATE_DETAILS_H
#define PDUMP_AGGREGATE_DETAILS_H

#include "dump/builder_details.h"
#include "job/comm.h"

/* What to do with the details; rank 0 decides. */
enum pdump_aggregate_details_way {
    PDUMP_AGGREGATE_DETAILS_NONE,      /* no rank has any */
    PDUMP_AGGREGATE_DETAILS_EACH,      /* keep the rows of every rank */
    PDUMP_AGGREGATE_DETAILS_UNITED,    /* unite over ranks: not all keep rows */
    PDUMP_AGGREGATE_DETAILS_TOO_LARGE, /* unite over ranks: too many bytes */
};

/* Brings the details of all ranks to rank 0.  `mine` uses the numbers of the
 * job, as *tables does on rank 0; *tables is replaced by a dump that has the
 * details.  United details take at most `max` bytes there, or 16 MiB if that is
 * less; rows beyond that lose their labels.  Collective. */
int pdump_aggregate_details(const struct pdump_comm *comm,
                            const struct pdump_dump *mine,
                            enum pdump_aggregate_details_way way, int64_t max,
                            struct pdump_dump **tables);

#endif
