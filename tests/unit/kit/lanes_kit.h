/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump of two ranks with events of every kind: a gap, a region that is open
 * at the end, a message, and one that never came. */
#ifndef PDUMP_TESTS_LANES_KIT_H
#define PDUMP_TESTS_LANES_KIT_H

#include "dump/builder.h"
#include "dump/event_lanes.h"

enum { KIT_MAIN, KIT_SOLVE, KIT_INNER, KIT_MARKER };

static inline int kit_region(struct pdump_builder *b, const char *name,
                             const char *group)
{
    return pdump_builder_region(
        b, &(struct pdump_dump_region){ name, group, "kit.c", 3 });
}

/* The second of a rank comes after its first. */
static inline int kit_thread(struct pdump_builder *b, int rank, int number)
{
    const struct pdump_dump_process of_rank = { rank, 40 + rank, 0, "h",
                                                "c",  "",        "" };
    int process = number ? rank : pdump_builder_process(b, &of_rank);
    int thread = pdump_builder_thread(
        b, &(struct pdump_dump_thread){ process, number, 1,
                                        number ? "worker" : "" });
    int64_t row = pdump_builder_row(b, thread, KIT_MAIN, 1, false);

    pdump_builder_value(b, row, 0, 5000, 5000, 5000, 0);
    return thread;
}

static const struct pdump_event kit_first[] = {
    { 0, PDUMP_EVENT_ENTER, KIT_MAIN, 0, 0, 0 },
    { 1000, PDUMP_EVENT_ENTER, KIT_SOLVE, 0, 0, 0 },
    { 1500, PDUMP_EVENT_MARKER, KIT_SOLVE, KIT_MARKER, 0, 0 },
    { 2000, PDUMP_EVENT_SEND, KIT_SOLVE, 1, 8, 7 },
    { 3000, PDUMP_EVENT_LEAVE, KIT_SOLVE, 0, 0, 0 },
    { 3001, PDUMP_EVENT_COUNTER, KIT_MAIN, 1, -77, 0 },
    { 3100, PDUMP_EVENT_SEND, KIT_MAIN, 1, 16, 9 },
    { 3200, PDUMP_EVENT_COLLECTIVE, KIT_MAIN, 2, 64, 5 << 24 | 3 },
    { 4000, PDUMP_EVENT_LOST, KIT_MAIN, 0, 12, 0 },
    { 5000, PDUMP_EVENT_LEAVE, KIT_INNER, 0, 0, 0 },
};
static const struct pdump_event kit_second[] = {
    { 500, PDUMP_EVENT_ENTER, KIT_MAIN, 0, 0, 0 },
    { 2500, PDUMP_EVENT_LEAVE, KIT_MAIN, 0, 0, 0 },
};
static const struct pdump_event kit_third[] = {
    { 0, PDUMP_EVENT_ENTER, KIT_MAIN, 0, 0, 0 },
    { 2200, PDUMP_EVENT_RECEIVE, KIT_MAIN, 0, 8, 7 },
    { 4000, PDUMP_EVENT_LEAVE, KIT_MAIN, 0, 0, 0 },
};

static inline int kit_events(struct pdump_builder *b, int thread,
                             const struct pdump_event *events, size_t n)
{
    int err = PDUMP_OK;

    for (size_t i = 0; err >= 0 && i < n; i++)
        err = pdump_builder_event(b, thread, &events[i]);
    return err;
}

#define KIT_EVENTS(b, thread, events) \
    kit_events(b, thread, events, sizeof(events) / sizeof((events)[0]))

/* Rank 0 with two threads, rank 1 with one; without events, their profile
 * only.  NULL: pdump_last_error(). */
static inline struct pdump_dump *kit_lanes(bool has_events)
{
    struct pdump_builder *b;
    struct pdump_dump *dump = NULL;
    int err = pdump_builder_new(&b), thread;

    if (err < 0)
        return NULL;
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "time", "ns", "clock",
                                                         "", PDUMP_COUNTER });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "PAPI_TOT_INS", "1",
                                                         "papi", "",
                                                         PDUMP_COUNTER });
    pdump_builder_node(b, -1, kit_region(b, "main", "user"));
    pdump_builder_node(b, KIT_MAIN, kit_region(b, "solve \"x\"", "user"));
    pdump_builder_node(b, KIT_SOLVE, kit_region(b, "MPI_Recv", "mpi"));
    kit_region(b, "here", "marker");
    pdump_builder_metadata(b, "ranks", "2");
    for (int i = 0; i < 3; i++)
        kit_thread(b, i == 2, i == 1);
    for (thread = 0; has_events && err >= 0 && thread < 3; thread++)
        err = thread == 0   ? KIT_EVENTS(b, thread, kit_first)
              : thread == 1 ? KIT_EVENTS(b, thread, kit_second)
                            : KIT_EVENTS(b, thread, kit_third);
    if (err >= 0)
        pdump_builder_finish(b, &dump);
    pdump_builder_free(b);
    return dump;
}

#endif
