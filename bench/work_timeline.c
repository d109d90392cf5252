/* SPDX-License-Identifier: BSD-3-Clause */
/* The same pairs, with an event of each begin and end. */
#include "work.h"

#include <pdump.h>

#include <stdlib.h>

static const char *start_ring(void)
{
    setenv("PDUMP_RECORD", "events", 1);
    setenv("PDUMP_EVENTS_MODE", "ring", 1);
    return work_start_session("none", 1);
}

/* What the disk is too slow for is lost, and costs less: no such rounds. */
static const char *start_flush(void)
{
    setenv("PDUMP_RECORD", "events", 1);
    setenv("PDUMP_EVENTS_BUFFER", "262144", 1);
    return work_start_session("none", 1);
}

const struct work work_timeline_ring = { start_ring, work_run_name, 0 };
const struct work work_timeline_flush = { start_flush, work_run_name, 0 };
