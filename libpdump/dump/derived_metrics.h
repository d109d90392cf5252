/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metrics that nobody counts but everybody wants: quotients of counted ones,
 * such as instructions per cycle.
 *
 * A derived metric is top / bottom.  Sums over rows are taken of both apart, so
 * that the figure of many threads is the figure of all their work and not a
 * mean of means.
 */
#ifndef PDUMP_DERIVED_METRICS_H
#define PDUMP_DERIVED_METRICS_H

#include "dump/dump.h"

/* The recipe.  Static. */
struct pdump_derived_recipe {
    const char *name;  /* "IPC" */
    const char *unit;  /* "ratio", "%", "B/s", ... */
    const char *about; /* a phrase */
    double scale;      /* of top / bottom, into the unit */
    const char *top;   /* the name of a metric */
    const char *plus;  /* of another that is added to it, or NULL */
    const char *bottom;
};

/* A recipe whose metrics a dump has: their indexes; plus may be -1. */
struct pdump_derived {
    const struct pdump_derived_recipe *recipe;
    int top;
    int plus;
    int bottom;
};

/* Row `index` of the table of recipes, or NULL at its end.  Several may have
 * one name: the first whose metrics are there is used. */
PDUMP_SHARED const struct pdump_derived_recipe *pdump_derived_at(int index);

/* Every derived metric that `dump` has the metrics for, at most `max`, in the
 * table's order.  Returns their number, which no dump makes larger than
 * pdump_derived_count(). */
PDUMP_SHARED int pdump_derived_find(const struct pdump_dump *dump,
                                    struct pdump_derived *out, int max);
PDUMP_SHARED int pdump_derived_count(void);

/* Add one row's sums to *top and *bottom.  A row that lacks one of the metrics
 * adds to neither. */
PDUMP_SHARED void pdump_derived_add(const struct pdump_derived *d,
                                    const struct pdump_dump *dump, int64_t row,
                                    double *top, double *bottom);

/* The figure, NAN if there is none. */
PDUMP_SHARED double pdump_derived_value(const struct pdump_derived *d,
                                        double top, double bottom);

#endif
