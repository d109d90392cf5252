/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "otf2" writes the timeline of a dump as an OTF2 archive. */
#ifndef PDUMP_OTF2_ARCHIVE_H
#define PDUMP_OTF2_ARCHIVE_H

#include "stream/stream.h"

#include <otf2/otf2.h>

/* The archive that is being written.  Threads are locations, processes are
 * location groups, ranks are members of a communicator; regions, metrics and
 * markers keep their kind.  All keep the number that they have in the dump. */
struct archive {
    const struct pdump_dump *tables;
    OTF2_Archive *otf2;
    OTF2_MarkerWriter *markers;
    OTF2_ErrorCode code; /* the first failure */
    uint64_t *n_events;  /* by thread */
    bool *is_defined;    /* by region, plus one: its kind of marker */
    bool *is_closed;     /* by thread: its events are all written */
    int *ranks;          /* in ascending order */
    int n_ranks;
    bool is_job;          /* an MPI job; a single process has rank 0, too */
    int64_t last;         /* time of the last event */
    int64_t n_events_all; /* in the dump */
    int64_t n_strangers;  /* messages with ranks that the dump does not have */
};

/* Keeps the first error; later ones are only consequences. */
void archive_keep(struct archive *a, OTF2_ErrorCode code);

/* Returns the index of a rank among the ranks, or -1. */
int archive_member(const struct archive *a, int64_t rank);

/* Writes all events of all pieces (events.c). */
int archive_put_events(struct archive *a, struct pdump_stream *in);

/* Writes everything that events refer to (definitions.c). */
int archive_put_definitions(struct archive *a);

#endif
