/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout that the CSV sink and the CSV reader share. */
#include "read/csv_layout.h"

#include <string.h>

int pdump_csv_heading(const struct pdump_dump_metric *metric, const char *what,
                      const char *pieces[PDUMP_CSV_PIECES])
{
    int n = 0;

    pieces[n++] = metric->name;
    pieces[n++] = what;
    if (metric->unit[0]) {
        pieces[n++] = " [";
        pieces[n++] = metric->unit;
        pieces[n++] = strcmp(what, ".sumsq") == 0 ? "^2" : "";
        pieces[n++] = "]";
    }
    return n;
}

int pdump_csv_n_stats(const struct pdump_dump *dump, int node)
{
    int n = 0, visits = dump->n_metrics;

    if (!dump->stats)
        return 0;
    for (int m = 0; m < visits; m++)
        n += dump->stats[m][node].n > 0;
    return n + (n > 0 || dump->stats[visits][node].n > 0);
}
