/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes collectives of MPI and their communicators.
 *
 * An event has a hash of its communicator's members, and their number.  The
 * ranks that have events with that hash are the members.
 */
#include "archive.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    OTF2_CollectiveOp op;
} calls[] = {
    { "MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER },
    { "MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV },
    { "MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE },
    { "MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL },
    { "MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV },
    { "MPI_Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW },
    { "MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER },
    { "MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST },
    { "MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN },
    { "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER },
    { "MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV },
    { "MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE },
    { "MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER },
    { "MPI_Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK },
    { "MPI_Scan", OTF2_COLLECTIVE_OP_SCAN },
    { "MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER },
    { "MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV },
};

enum { N_CALLS = sizeof(calls) / sizeof(calls[0]) };

static int call_of(const char *name)
{
    int i = N_CALLS;

    while (i > 0 && strcmp(calls[i - 1].name, name) != 0)
        i--;
    return i;
}

void archive_find_collectives(struct archive *a)
{
    for (int i = 0; i < a->tables->n_regions; i++)
        if (strcmp(a->tables->regions[i].group, "mpi") == 0) {
            a->regions[i].is_mpi = true;
            a->regions[i].collective = call_of(a->tables->regions[i].name);
        }
}

/* Returns the number of the communicator, of which `rank` is now a member, or
 * a pdump_error. */
static int communicator_find(struct archive *a, const struct pdump_event *event,
                             int rank)
{
    int64_t group = event->tag >> 24;
    int i = 0;

    if (event->what == a->n_ranks)
        return 0; /* all ranks, in whatever order */
    while (i < a->n_communicators && a->communicators[i].group != group)
        i++;
    if (i == a->n_communicators) {
        bool *members = calloc((size_t)a->n_ranks, sizeof(*members));

        if (!members || pdump_array_make(&a->communicators, i,
                                         sizeof(*a->communicators)) < 0) {
            free(members);
            return pdump_no_memory();
        }
        a->communicators[a->n_communicators++] =
            (struct communicator){ group, members };
    }
    a->communicators[i].members[rank] = true;
    return i + 1;
}

void archive_put_collective(struct archive *a, OTF2_EvtWriter *w, int rank,
                            int region, const struct pdump_event *event)
{
    int comm = communicator_find(a, event, rank);

    if (comm < 0)
        archive_keep(a, OTF2_ERROR_MEM_ALLOC_FAILED);
    else
        archive_keep(a, OTF2_EvtWriter_MpiCollectiveEnd(
                            w, NULL, (OTF2_TimeStamp)event->time,
                            calls[a->regions[region].collective - 1].op,
                            (OTF2_CommRef)comm, OTF2_COLLECTIVE_ROOT_NONE,
                            (uint64_t)event->value, 0));
}

void archive_put_communicators(struct archive *a, OTF2_GlobalDefWriter *w,
                               uint64_t *members, OTF2_GroupRef *n_groups,
                               OTF2_StringRef *n_strings)
{
    OTF2_StringRef no_name = *n_strings;

    if (a->n_communicators > 0)
        archive_keep(a,
                     OTF2_GlobalDefWriter_WriteString(w, (*n_strings)++, ""));
    for (int i = 0; i < a->n_communicators; i++) {
        uint32_t n = 0;

        for (int rank = 0; rank < a->n_ranks; rank++)
            if (a->communicators[i].members[rank])
                members[n++] = (uint64_t)rank;
        archive_keep(a,
                     OTF2_GlobalDefWriter_WriteGroup(
                         w, *n_groups, no_name, OTF2_GROUP_TYPE_COMM_GROUP,
                         OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members));
        archive_keep(a, OTF2_GlobalDefWriter_WriteComm(w, (OTF2_CommRef)(i + 1),
                                                       no_name, (*n_groups)++,
                                                       0, OTF2_COMM_FLAG_NONE));
    }
}

void archive_free_communicators(struct archive *a)
{
    for (int i = 0; i < a->n_communicators; i++)
        free(a->communicators[i].members);
    free(a->communicators);
}
