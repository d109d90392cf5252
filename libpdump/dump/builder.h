/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes dumps: from the running program, from files, from other dumps. */
#ifndef PDUMP_BUILDER_H
#define PDUMP_BUILDER_H

#include "base/event_encoding.h"
#include "dump/builder_details.h"

struct pdump_builder;

PDUMP_SHARED int pdump_builder_new(struct pdump_builder **out);

/* Also after pdump_builder_finish(); NULL is ignored. */
PDUMP_SHARED void pdump_builder_free(struct pdump_builder *b);

/*
 * Each returns the index of the thing, or a pdump_error.  Strings are copied;
 * NULL means "".  Metrics are equal by name, regions by name and group, nodes
 * by parent and region: adding one twice gives the same index, and the first
 * one's details stay.  Processes and threads are always new.
 */
PDUMP_SHARED int pdump_builder_metric(struct pdump_builder *b,
                                      const struct pdump_dump_metric *metric);
PDUMP_SHARED int pdump_builder_region(struct pdump_builder *b,
                                      const struct pdump_dump_region *region);
PDUMP_SHARED int pdump_builder_node(struct pdump_builder *b, int parent,
                                    int region);
PDUMP_SHARED int pdump_builder_process(
    struct pdump_builder *b, const struct pdump_dump_process *process);
PDUMP_SHARED int pdump_builder_thread(struct pdump_builder *b,
                                      const struct pdump_dump_thread *thread);

/* Room for n more rows, for speed: who does not know gets it row by row.  All
 * metrics must be known. */
PDUMP_SHARED int pdump_builder_reserve(struct pdump_builder *b, int64_t n);

/* A new row (thread and node must be a new pair).  Its values are missing
 * until set.  All metrics must be known before the first row. */
PDUMP_SHARED int64_t pdump_builder_row(struct pdump_builder *b, int thread,
                                       int node, int64_t visits, bool is_open);
PDUMP_SHARED int pdump_builder_value(struct pdump_builder *b, int64_t row,
                                     int metric, int64_t sum, int64_t min,
                                     int64_t max, double sumsq);

/* Where the values of n rows from `row` on are, to be written there; `out` has
 * no exclusive ones.  Borrowed until the next row. */
PDUMP_SHARED int pdump_builder_columns(struct pdump_builder *b, int64_t row,
                                       int64_t n, int metric,
                                       struct pdump_dump_column *out);

/* `values` has one entry per metric. */
PDUMP_SHARED int pdump_builder_sample(struct pdump_builder *b,
                                      const struct pdump_dump_sample *sample,
                                      const int64_t *values);

/* The next event of a thread.  Threads come one after the other, in their
 * order; all nodes, regions and metrics that an event names must be known. */
PDUMP_SHARED int pdump_builder_event(struct pdump_builder *b, int thread,
                                     const struct pdump_event *event);

/* The events of another dump, as pdump_event_lanes_copy() adds them
 * (event_lanes.h). */
struct pdump_event_lanes_numbers;
int pdump_builder_lanes(struct pdump_builder *b, const struct pdump_dump *from,
                        const struct pdump_event_lanes_numbers *numbers);

/* Over ranks: of a metric, or of the visits if it is -1.  All metrics and nodes
 * must be known before the first. */
PDUMP_SHARED int pdump_builder_stat(struct pdump_builder *b, int metric,
                                    int node,
                                    const struct pdump_dump_rank_stat *stat);

/* A table of details (its rows and labels do not count), equal by name:
 * PDUMP_EFORMAT if that has other fields.  And a row in it: equal places
 * unite. */
PDUMP_SHARED int pdump_builder_detail(struct pdump_builder *b,
                                      const struct pdump_dump_detail *detail);
PDUMP_SHARED int pdump_builder_detail_row(
    struct pdump_builder *b, int detail,
    const struct pdump_builder_details_place *place, const int64_t *values);

/* Rows of details take no more bytes than these, and one for every node: what
 * comes later is united under PDUMP_BUILDER_DETAILS_OTHER, and adding it
 * returns 1. */
PDUMP_SHARED void pdump_builder_limit_details(struct pdump_builder *b,
                                              int64_t bytes);

/* The last value of a key stays. */
PDUMP_SHARED int pdump_builder_metadata(struct pdump_builder *b,
                                        const char *key, const char *value);
/* Of another process: the first value of a key stays, but counts are added, and
 * of wall times the longest stays. */
PDUMP_SHARED int pdump_builder_metadata_more(struct pdump_builder *b,
                                             const char *key,
                                             const char *value);
/* Equal texts add their counts. */
PDUMP_SHARED int pdump_builder_warning(struct pdump_builder *b,
                                       const char *text, int64_t count);

/* Sort the rows, find their parents, and give the dump away.
 * PDUMP_EFORMAT if a thread has a (thread, node) pair twice. */
PDUMP_SHARED int pdump_builder_finish(struct pdump_builder *b,
                                      struct pdump_dump **out);

#endif
