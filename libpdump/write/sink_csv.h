/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a CSV dump, each written by a source file of its own. */
#ifndef PDUMP_SINK_CSV_H
#define PDUMP_SINK_CSV_H

#include "stream/stream.h"

#include <stdio.h>

/* Lines of the file of details (sink_csv_details.c). */
int64_t pdump_csv_n_details(const struct pdump_dump *dump);
/* Write it; the data is a stream. */
int pdump_csv_put_details(FILE *f, void *stream);

/* Write the file of events (sink_csv_events.c); the data is a stream. */
int pdump_csv_put_events(FILE *f, void *stream);

/* A comma, and the path of a node for people (sink_csv.c). */
void pdump_csv_next_path(FILE *f, const struct pdump_dump *dump, int node);

/* The file of everything else: all tables but rows, samples, events, statistics
 * and details. */
int pdump_csv_put_meta(FILE *f, void *stream);

#endif
