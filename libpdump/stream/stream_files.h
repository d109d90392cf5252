/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many files as one stream, of which one at a time is in memory.
 *
 * Each is read once for what the stream's tables are made of, and again
 * whenever somebody wants its rows.  The store of a process that still records
 * is kept instead, as it would be another one the second time.
 */
#ifndef PDUMP_STREAM_FILES_H
#define PDUMP_STREAM_FILES_H

#include "dump/run_groups.h"
#include "stream/stream.h"

/* The processes of n files side by side, in their order.  `is_apart`: ranks of
 * other runs get other numbers (run_groups.h).  The paths are borrowed until
 * the close.  An error names the file. */
PDUMP_SHARED int pdump_stream_files_open(char *const *paths, int n,
                                         bool is_apart, int64_t whole_max,
                                         struct pdump_stream **out);
PDUMP_SHARED void pdump_stream_files_close(struct pdump_stream *s);

/* Of a stream made by pdump_stream_files_open(). */
PDUMP_SHARED const struct pdump_run_groups *pdump_stream_files_runs(
    const struct pdump_stream *s);

/* The runs added up, each rank to the same rank of the others: one thread and
 * node have one row.  A rank's n-th process is added to the n-th of others.
 * Samples and events are left out, with a warning in the dump.  PDUMP_EFORMAT
 * if a file has not the rows of all its ranks.  Given: pdump_dump_free(). */
PDUMP_SHARED int pdump_stream_files_sum(struct pdump_stream *s,
                                        struct pdump_dump **out);

#endif
