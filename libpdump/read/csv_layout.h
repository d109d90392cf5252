/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CSV sink and the CSV reader have to agree on; see docs/csv.md. */
#ifndef PDUMP_CSV_LAYOUT_H
#define PDUMP_CSV_LAYOUT_H

#include "dump/dump.h"

enum { PDUMP_CSV_VERSION = 1 };

#define PDUMP_CSV_SAMPLES ".samples.csv"
#define PDUMP_CSV_EVENTS ".events.csv"
#define PDUMP_CSV_STATS ".stats.csv"
#define PDUMP_CSV_DETAILS ".details.csv"
#define PDUMP_CSV_META ".meta.csv"

/* The columns of the file of everything else. */
#define PDUMP_CSV_META_HEADER "table,index,key,value"

/* The heading of a metric's column: its name, `what` (".sum", or "" for
 * samples), and its unit in brackets.  Returns the number of pieces, which are
 * borrowed from the metric or static. */
enum { PDUMP_CSV_PIECES = 6 };
int pdump_csv_heading(const struct pdump_dump_metric *metric, const char *what,
                      const char *pieces[PDUMP_CSV_PIECES]);

/* "counter", "gauge" or "user"; static. */
const char *pdump_csv_kind_name(enum pdump_metric_kind kind);

/* What the visits are called where a metric's name is expected.  In every node
 * that has statistics they come first, so a metric of that name is told from
 * them. */
#define PDUMP_CSV_VISITS "visits"

/* Lines of the file of statistics over ranks that a node has. */
int pdump_csv_n_stats(const struct pdump_dump *dump, int node);

/* "sum", "min", "max" or "real"; static. */
const char *pdump_csv_field_kind(enum pdump_field_kind kind);

#endif
