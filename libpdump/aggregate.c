/* SPDX-License-Identifier: BSD-3-Clause */
/* The dumps of all processes of a job, as one. */
#include "aggregate.h"

int pdump_aggregate(struct pdump_dump **dump, const struct pdump_comm *comm)
{
    (void)dump;
    if (comm->size() == 1)
        return PDUMP_OK;
    /* A comm of several ranks comes from a module, and says here how. */
    return comm->agree(pdump_fail(
        PDUMP_EPLUGIN, "no module merges the ranks of %s", comm->name));
}
