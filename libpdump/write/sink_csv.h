/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a CSV dump; each has a source file that writes it. */
#ifndef PDUMP_SINK_CSV_H
#define PDUMP_SINK_CSV_H

#include "base/csv.h"
#include "stream/stream.h"

#include <stdio.h>

/* Write a comma and the next cell of a line. */
static inline void next_int(FILE *f, int64_t value)
{
    putc_unlocked(',', f);
    pdump_csv_put_int(f, value);
}

static inline void next_real(FILE *f, double value)
{
    putc_unlocked(',', f);
    pdump_csv_put_real(f, value);
}

static inline void next_text(FILE *f, const char *text)
{
    putc_unlocked(',', f);
    pdump_csv_put_text(f, text);
}

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
