/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derived metrics: quotients of counted metrics, such as instructions per
 * cycle.
 *
 * A derived metric is top / bottom.  Both are summed over rows separately, so
 * that the figure for many threads describes all their work and is not a mean
 * of means.
 */
#ifndef PDUMP_DERIVED_METRICS_H
#define PDUMP_DERIVED_METRICS_H

#include "dump/dump.h"

/* How to compute a derived metric.  Static. */
struct pdump_derived_recipe {
    const char *name;  /* "IPC" */
    const char *unit;  /* "ratio", "%", "B/s", ... */
    const char *about; /* a phrase */
    double scale;      /* factor that converts top / bottom to the unit */
    const char *top;   /* the name of a metric */
    const char *plus;  /* the name of a metric that is added to top, or NULL */
    const char *bottom;
};

/* A recipe whose metrics all exist in a dump, with their indexes; plus may be
 * -1. */
struct pdump_derived {
    const struct pdump_derived_recipe *recipe;
    int top;
    int plus;
    int bottom;
};

/* Returns entry `index` of the table of recipes, or NULL at its end.  Several
 * entries may have the same name: the first one whose metrics exist is used. */
PDUMP_SHARED const struct pdump_derived_recipe *pdump_derived_at(int index);

/* Finds every derived metric whose metrics `dump` has, in the table's order,
 * and writes at most `max` of them.  Returns their number, which is never
 * larger than pdump_derived_count(). */
PDUMP_SHARED int pdump_derived_find(const struct pdump_dump *dump,
                                    struct pdump_derived *out, int max);
PDUMP_SHARED int pdump_derived_count(void);

/* Adds the sums of one row to *top and *bottom.  A row that lacks one of the
 * metrics adds to neither. */
PDUMP_SHARED void pdump_derived_add(const struct pdump_derived *d,
                                    const struct pdump_dump *dump, int64_t row,
                                    double *top, double *bottom);

/* Returns the value, NAN if there is none. */
PDUMP_SHARED double pdump_derived_value(const struct pdump_derived *d,
                                        double top, double bottom);

#endif
