/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many files as one stream; only one file at a time is in memory.
 *
 * Each file is read once to make the tables of the stream, and again whenever
 * its rows are needed.  The store of a process that still records is kept in
 * memory instead, because it would be different at the second reading.
 */
#ifndef PDUMP_STREAM_FILES_H
#define PDUMP_STREAM_FILES_H

#include "dump/run_groups.h"
#include "stream/stream.h"

/* Opens n files as one stream, with their processes side by side, in order.  If
 * `is_apart`, ranks of other runs get other numbers (run_groups.h).  The paths
 * are borrowed until the close.  The message of an error names the file. */
PDUMP_SHARED int pdump_stream_files_open(char *const *paths, int n,
                                         bool is_apart, int64_t whole_max,
                                         struct pdump_stream **out);
PDUMP_SHARED void pdump_stream_files_close(struct pdump_stream *s);

/* Returns the runs of a stream made by pdump_stream_files_open(). */
PDUMP_SHARED const struct pdump_run_groups *pdump_stream_files_runs(
    const struct pdump_stream *s);

/* Adds up the runs, each rank to the same rank of the other runs: the result
 * has one row per thread and node.  The n-th process of a rank is added to the
 * n-th process of that rank in other runs.  Samples and events are left out,
 * with a warning in the dump.  PDUMP_EFORMAT if a file does not have the rows
 * of all its ranks.  Given: pdump_dump_free(). */
PDUMP_SHARED int pdump_stream_files_sum(struct pdump_stream *s,
                                        struct pdump_dump **out);

#endif
