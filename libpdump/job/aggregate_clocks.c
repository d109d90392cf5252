/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the events of all ranks to one time line. */
#include "job/aggregate_clocks.h"
#include "dump/dump_append.h"
#include "dump/event_lanes.h"
#include "job/collectives.h"

#include <stdio.h>
#include <stdlib.h>

/* What rank 0 adds to the metadata about a rank. */
struct note {
    int64_t is_known;
    int64_t rank;   /* in the whole job */
    int64_t offset; /* ns by which its clock is ahead at the end */
    double drift;   /* in parts per million */
};

static int add_note(struct pdump_dump *tables, const struct note *note)
{
    char key[40], value[80];

    if (!note->is_known)
        return PDUMP_OK;
    snprintf(key, sizeof(key), "clock.%lld", (long long)note->rank);
    snprintf(value, sizeof(value), "offset %lld ns, drift %.3f ppm",
             (long long)note->offset, note->drift);
    return pdump_dump_metadata(tables, key)
               ? PDUMP_OK
               : pdump_append_metadata(tables, key, value);
}

static int add_notes(const struct pdump_comm *comm, const struct note *mine,
                     struct pdump_dump *tables)
{
    struct note *all = NULL;
    int err = pdump_collectives_all(comm, mine, sizeof(*mine), (void **)&all);

    for (int i = 0; err >= 0 && all && i < comm->size(); i++)
        err = add_note(tables, &all[i]);
    free(all);
    return err;
}

int pdump_aggregate_clocks(const struct pdump_comm *comm,
                           const struct pdump_clock_sync *clock,
                           const struct pdump_dump *mine,
                           struct pdump_dump *out, struct pdump_dump *tables)
{
    const struct pdump_clock_sync unknown = { 0 };
    struct pdump_clock_sync_line line;
    struct pdump_event_lanes_numbers numbers = { .line = &line };
    struct note note = { .is_known = clock != NULL };
    int err;

    *out = *mine;
    out->lanes = NULL;
    out->n_lanes = 0;
    err = pdump_clock_sync_finish(comm, clock ? clock : &unknown, &line);
    if (err < 0)
        return err;
    if (clock)
        numbers.time_of = pdump_clock_sync_time;
    note.rank = mine->n_processes > 0 ? mine->processes[0].rank : comm->rank();
    note.offset = line.last.offset;
    note.drift = pdump_clock_sync_drift(&line);
    err = add_notes(comm, &note, tables);
    return err < 0 ? err : pdump_event_lanes_copy(out, mine, &numbers);
}
