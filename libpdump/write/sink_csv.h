/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a CSV dump; each has a source file that writes it. */
#ifndef PDUMP_SINK_CSV_H
#define PDUMP_SINK_CSV_H

#include "stream/stream.h"

#include <stdio.h>

/* Returns the number of lines in the file of details (sink_csv_details.c). */
int64_t pdump_csv_n_details(const struct pdump_dump *dump);
/* Writes the file of details; the data is a stream. */
int pdump_csv_put_details(FILE *f, void *stream);

/* Writes the file of events (sink_csv_events.c); the data is a stream. */
int pdump_csv_put_events(FILE *f, void *stream);

/* Writes a comma, and the path of a node for people (sink_csv.c). */
void pdump_csv_next_path(FILE *f, const struct pdump_dump *dump, int node);

/* Writes the file of all other tables: everything but rows, samples, events,
 * statistics and details. */
int pdump_csv_put_meta(FILE *f, void *stream);

#endif
