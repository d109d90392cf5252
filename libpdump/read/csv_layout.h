/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout that the CSV sink and the CSV reader share; see docs/csv.md. */
#ifndef PDUMP_CSV_LAYOUT_H
#define PDUMP_CSV_LAYOUT_H

#include "dump/dump.h"

enum { PDUMP_CSV_VERSION = 1 };

#define PDUMP_CSV_SAMPLES ".samples.csv"
#define PDUMP_CSV_EVENTS ".events.csv"
#define PDUMP_CSV_STATS ".stats.csv"
#define PDUMP_CSV_DETAILS ".details.csv"
#define PDUMP_CSV_META ".meta.csv"

/* The columns of the .meta.csv, which holds all tables without a file of their
 * own. */
#define PDUMP_CSV_META_HEADER "table,index,key,value"

/* Makes the heading of a metric's column from pieces: its name, `what` (".sum",
 * or "" for samples), and its unit in brackets.  Returns the number of pieces,
 * which are borrowed from the metric or static. */
enum { PDUMP_CSV_PIECES = 6 };
int pdump_csv_heading(const struct pdump_dump_metric *metric, const char *what,
                      const char *pieces[PDUMP_CSV_PIECES]);

/* Stands for the visits in the column of metric names.  The line of the visits
 * is the first line of each node, so a metric of the same name can be
 * distinguished from it. */
#define PDUMP_CSV_VISITS "visits"

/* Returns the number of lines that a node has in the file of statistics over
 * ranks. */
int pdump_csv_n_stats(const struct pdump_dump *dump, int node);

#endif
