/* SPDX-License-Identifier: BSD-3-Clause */
/* The details of all ranks, in the tables of rank 0. */
#ifndef PDUMP_AGGREGATE_DETAILS_H
#define PDUMP_AGGREGATE_DETAILS_H

#include "dump/builder_details.h"
#include "job/comm.h"

/* What rank 0 has decided. */
enum pdump_builder_details_way {
    PDUMP_BUILDER_DETAILS_NONE,   /* nobody has any */
    PDUMP_BUILDER_DETAILS_EACH,   /* every rank's rows */
    PDUMP_BUILDER_DETAILS_UNITED, /* over ranks, as not all ranks keep rows */
    PDUMP_BUILDER_DETAILS_TOO_LARGE, /* the same, as there are too many */
};

/* Bring the details of all ranks to rank 0: `mine` has the numbers of the job,
 * as *tables has on rank 0, which is made anew with the details in it.  United
 * ones take no more than `max` bytes there, or 16 MiB if that is less; what is
 * too much then has no label of its own.  Collective. */
int pdump_aggregate_details(const struct pdump_comm *comm,
                            const struct pdump_dump *mine,
                            enum pdump_builder_details_way way, int64_t max,
                            struct pdump_dump **tables);

#endif
