/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of one file of many, in the numbers of all of them. */
#ifndef PDUMP_STREAM_FILES_ROWS_H
#define PDUMP_STREAM_FILES_ROWS_H

#include "dump/renumber.h"

/* Room in `out` for the columns of any piece that has these tables.  Given:
 * free() its columns and sample_values. */
int pdump_stream_files_room(const struct pdump_dump *tables,
                            struct pdump_dump *out);

/* Move the rows and samples of `dump`, which is of no use but to be freed
 * then, into `out`, with the tables and their numbers; its threads are those
 * from `first_thread` on.  The rows are as they were: not yet in order.  End
 * with pdump_stream_files_drop(), also after an error. */
int pdump_stream_files_take(struct pdump_dump *dump,
                            const struct pdump_renumber *p, int first_thread,
                            const struct pdump_dump *tables,
                            struct pdump_dump *out);
void pdump_stream_files_drop(struct pdump_dump *all);

int pdump_stream_files_copy(struct pdump_dump *dump, struct pdump_dump **out);

/* Some of them, borrowed, into `piece`, which has room. */
void pdump_stream_files_cut(const struct pdump_dump *all, int64_t row,
                            int64_t n_rows, int64_t sample, int64_t n_samples,
                            struct pdump_dump *piece);

#endif
