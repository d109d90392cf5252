/* SPDX-License-Identifier: BSD-3-Clause */
/* An OTF2 archive that is being written. */
#ifndef PDUMP_OTF2_ARCHIVE_H
#define PDUMP_OTF2_ARCHIVE_H

#include "stream/stream.h"

#include <otf2/otf2.h>

/* Threads are locations, processes location groups, ranks the members of a
 * communicator, regions, metrics and markers themselves: all have the number
 * that they have in the dump. */
struct archive {
    const struct pdump_dump *tables;
    OTF2_Archive *otf2;
    OTF2_MarkerWriter *markers;
    OTF2_ErrorCode code; /* the first that was no success */
    uint64_t *n_events;  /* by thread */
    bool *is_defined;    /* by region, and one more: its marker */
    bool *is_closed;     /* by thread: its events are written */
    int *ranks;          /* that there are, in order */
    int n_ranks;
    bool is_job;          /* of MPI; a process alone is a rank 0, too */
    int64_t last;         /* time of the last event */
    int64_t n_events_all; /* that the dump has */
    int64_t n_strangers;  /* messages with ranks that are not there */
};

/* Errors are kept: only the first one tells something. */
void archive_keep(struct archive *a, OTF2_ErrorCode code);

/* The place of a rank among the ranks, or -1. */
int archive_member(const struct archive *a, int64_t rank);

/* All events of all pieces (events.c). */
int archive_put_events(struct archive *a, struct pdump_stream *in);

/* Everything that events refer to (definitions.c). */
int archive_put_definitions(struct archive *a);

#endif
