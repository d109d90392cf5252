/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "otf2" writes the timeline of a dump as an OTF2 archive. */
#ifndef PDUMP_OTF2_ARCHIVE_H
#define PDUMP_OTF2_ARCHIVE_H

#include "base/event_encoding.h"
#include "stream/stream.h"

#include <otf2/otf2.h>

/* What a region is in OTF2. */
struct archive_region {
    bool is_parameter;
    int first; /* region of the same parameter */
    OTF2_ParameterType type;
    bool is_mpi;
    int collective;  /* of MPI; 0: none */
    int io;          /* kind of a call on files; 0: none */
    int handle;      /* of a file in the process of the last call, plus 1 */
    uint32_t number; /* of the region or the parameter */
};

/* A file in a process. */
struct io_handle {
    int file; /* region that has its name */
    int process;
    bool is_made; /* opened by a call that was recorded */
};

/* Ranks that have called collectives together. */
struct communicator {
    int64_t group; /* hash of its members, see docs/timeline.md */
    bool *members; /* by index of the rank */
};

/* The archive that is being written.  Threads are locations, processes are
 * location groups, ranks are members of a communicator; regions, metrics and
 * markers keep their kind.  All but regions keep the number that they have in
 * the dump. */
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
    struct archive_region *regions;
    struct communicator *communicators; /* except that of all ranks */
    int n_communicators;
    struct io_handle *handles;
    int n_handles;
    uint64_t n_operations; /* on files */
    bool is_job;           /* an MPI job; a single process has rank 0, too */
    int64_t last;          /* time of the last event */
    int64_t n_events_all;  /* in the dump */
    int64_t n_strangers;   /* messages with ranks that the dump does not have */
};

/* Keeps the first error; later ones are only consequences. */
void archive_keep(struct archive *a, OTF2_ErrorCode code);

/* Returns the index of a rank among the ranks, or -1. */
int archive_member(const struct archive *a, int64_t rank);

/* Finds the parameters (parameter_records.c).  Their values are the strings
 * that have the number of the region; other strings have numbers above those of
 * regions.
 */
int archive_find_parameters(struct archive *a);
void archive_put_parameter(struct archive *a, OTF2_EvtWriter *w,
                           OTF2_TimeStamp time, int region);
void archive_put_parameter_definition(struct archive *a,
                                      OTF2_GlobalDefWriter *w, int region,
                                      OTF2_StringRef *n_strings);

/* Collectives that block (collectives.c). */
void archive_find_collectives(struct archive *a);
void archive_put_collective(struct archive *a, OTF2_EvtWriter *w, int rank,
                            int region, const struct pdump_event *event);
/* Writes the communicators after that of all ranks, which is number 0.
 * `members` has room for all ranks. */
void archive_put_communicators(struct archive *a, OTF2_GlobalDefWriter *w,
                               uint64_t *members, OTF2_GroupRef *n_groups,
                               OTF2_StringRef *n_strings);
void archive_free_communicators(struct archive *a);

/* Calls on files (io.c).  `io` is the event of the call, `region` its region.
 */
void archive_find_io(struct archive *a);
void archive_put_io_begin(struct archive *a, OTF2_EvtWriter *w, int process,
                          int region, const struct pdump_event *enter,
                          const struct pdump_event *io);
void archive_put_io(struct archive *a, OTF2_EvtWriter *w, int process,
                    int region, const struct pdump_event *io);
void archive_put_io_definitions(struct archive *a, OTF2_GlobalDefWriter *w,
                                OTF2_StringRef *n_strings);

/* Writes all events of all pieces (events.c). */
int archive_put_events(struct archive *a, struct pdump_stream *in);

/* Writes everything that events refer to (definitions.c). */
int archive_put_definitions(struct archive *a);

#endif
