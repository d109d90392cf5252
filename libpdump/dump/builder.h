/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds dumps: from the running program, from files and from other dumps. */
#ifndef PDUMP_BUILDER_H
#define PDUMP_BUILDER_H

#include "base/event_encoding.h"
#include "dump/builder_details.h"

struct pdump_builder;

PDUMP_SHARED int pdump_builder_new(struct pdump_builder **out);

/* Frees the builder, also after pdump_builder_finish().  NULL is ignored. */
PDUMP_SHARED void pdump_builder_free(struct pdump_builder *b);

/* Returns the dump as it is so far, not sorted.  Borrowed until the next call.
 */
const struct pdump_dump *pdump_builder_tables(const struct pdump_builder *b);

/*
 * Each function returns the index of the entry, or a pdump_error.  Strings are
 * copied; NULL means "".  Metrics are equal by name, regions by name and group,
 * nodes by parent and region: adding an entry twice returns the same index, and
 * the other fields keep their first values.  Processes and threads are always
 * new.
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

/* Reserves memory for n more rows.  This only saves time: without it, memory
 * grows row by row.  All metrics must be known. */
PDUMP_SHARED int pdump_builder_reserve(struct pdump_builder *b, int64_t n);

/* Adds a row; the pair of thread and node must be new.  Its values are missing
 * until they are set.  All metrics must be known before the first row. */
PDUMP_SHARED int64_t pdump_builder_row(struct pdump_builder *b, int thread,
                                       int node, int64_t visits, bool is_open);
PDUMP_SHARED int pdump_builder_value(struct pdump_builder *b, int64_t row,
                                     int metric, int64_t sum, int64_t min,
                                     int64_t max, double sumsq);

/* Gets pointers to the values of n rows, starting at `row`, so that the caller
 * can write them in place.  The column `exclusive` is not set.  Borrowed until
 * the next row is added. */
PDUMP_SHARED int pdump_builder_columns(struct pdump_builder *b, int64_t row,
                                       int64_t n, int metric,
                                       struct pdump_dump_column *out);

/* `values` has one entry per metric. */
PDUMP_SHARED int pdump_builder_sample(struct pdump_builder *b,
                                      const struct pdump_dump_sample *sample,
                                      const int64_t *values);

/* Adds the next event of a thread.  The events of a thread are added together,
 * and threads in ascending order.  All nodes, regions and metrics that the
 * event names must be known. */
PDUMP_SHARED int pdump_builder_event(struct pdump_builder *b, int thread,
                                     const struct pdump_event *event);

/* Adds the events of another dump with pdump_event_lanes_copy()
 * (event_lanes.h). */
struct pdump_event_lanes_numbers;
int pdump_builder_lanes(struct pdump_builder *b, const struct pdump_dump *from,
                        const struct pdump_event_lanes_numbers *numbers);

/* Gets the statistics over ranks, in the layout of struct pdump_dump, so that
 * the caller can write them in place.  All metrics and nodes must be known
 * before the first call.  Borrowed. */
int pdump_builder_stats(struct pdump_builder *b,
                        struct pdump_dump_rank_stat ***out);

/* Sets the statistics over ranks of a metric, or of the visits if `metric` is
 * -1.  All metrics and nodes must be known before the first call. */
PDUMP_SHARED int pdump_builder_stat(struct pdump_builder *b, int metric,
                                    int node,
                                    const struct pdump_dump_rank_stat *stat);

/* Adds a table of details; its rows and labels are ignored.  Tables are equal
 * by name: PDUMP_EFORMAT if a table with that name has other fields.  The
 * second function adds a row to it; rows with equal places are united. */
PDUMP_SHARED int pdump_builder_detail(struct pdump_builder *b,
                                      const struct pdump_dump_detail *detail);
PDUMP_SHARED int pdump_builder_detail_row(
    struct pdump_builder *b, int detail,
    const struct pdump_builder_details_place *place, const int64_t *values);

/* Limits the bytes that rows of details take; beyond the limit, each node still
 * gets one row.  Rows that no longer fit are united under the label
 * PDUMP_BUILDER_DETAILS_OTHER, and the call that adds one returns 1. */
PDUMP_SHARED void pdump_builder_limit_details(struct pdump_builder *b,
                                              int64_t bytes);

/* Sets a key; a new value replaces the old one. */
PDUMP_SHARED int pdump_builder_metadata(struct pdump_builder *b,
                                        const char *key, const char *value);
/* Adds metadata of another process: a key keeps its first value, except that
 * counts are added and the longest wall time is kept. */
PDUMP_SHARED int pdump_builder_metadata_more(struct pdump_builder *b,
                                             const char *key,
                                             const char *value);
/* Adds a warning.  The counts of equal texts are added. */
PDUMP_SHARED int pdump_builder_warning(struct pdump_builder *b,
                                       const char *text, int64_t count);

/* Sorts the rows, finds their parents and gives the dump to the caller.
 * PDUMP_EFORMAT if a pair of thread and node occurs twice. */
PDUMP_SHARED int pdump_builder_finish(struct pdump_builder *b,
                                      struct pdump_dump **out);

/* As pdump_builder_finish() unless `err` is an error already; frees the
 * builder, which may be NULL, in any case.  Returns the first error. */
PDUMP_SHARED int pdump_builder_close(struct pdump_builder *b, int err,
                                     struct pdump_dump **out);

#endif
