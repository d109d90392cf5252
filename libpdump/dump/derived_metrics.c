/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of derived metrics, and how they are computed. */
#include "dump/derived_metrics.h"

#include <math.h>
#include <string.h>

/* Times are in ns, so "per second" is a scale of 1e9.  Caches and buses move
 * lines of 64 bytes on nearly every machine; the texts say that this is an
 * assumption.  To add a metric, add one row. */
#define PER_SECOND 1e9
#define LINES_PER_SECOND 64e9
#define PER_LINE (1 / 64.0)

static const struct pdump_derived_recipe recipes[] = {
    { "IPC", "ratio", "instructions per cycle", 1, "PAPI_TOT_INS", NULL,
      "PAPI_TOT_CYC" },
    { "IPC", "ratio", "instructions per cycle", 1, "perf::INSTRUCTIONS", NULL,
      "perf::CYCLES" },
    { "clock rate", "Hz", "cycles per second of wall time", PER_SECOND,
      "PAPI_TOT_CYC", NULL, "time" },
    { "clock rate", "Hz", "cycles per second of wall time", PER_SECOND,
      "perf::CYCLES", NULL, "time" },
    { "CPU use", "%", "CPU time of wall time", 100, "pdump::cpu_time", NULL,
      "time" },
    { "CPU use", "%", "CPU time of wall time", 100, "perf::TASK-CLOCK", NULL,
      "time" },
    { "CPU use", "%", "CPU time of wall time", 100, "perf::CPU-CLOCK", NULL,
      "time" },
    { "L1 misses", "%", "L1 data cache misses of loads and stores", 100,
      "PAPI_L1_DCM", NULL, "PAPI_LST_INS" },
    { "L1 misses", "%", "L1 data cache misses of its accesses", 100,
      "PAPI_L1_DCM", NULL, "PAPI_L1_DCA" },
    { "L2 misses", "%", "L2 cache misses of its accesses", 100, "PAPI_L2_TCM",
      NULL, "PAPI_L2_TCA" },
    { "L2 misses", "%", "L2 data cache misses of its accesses", 100,
      "PAPI_L2_DCM", NULL, "PAPI_L2_DCA" },
    { "L3 misses", "%", "L3 cache misses of its accesses", 100, "PAPI_L3_TCM",
      NULL, "PAPI_L3_TCA" },
    { "L3 misses", "%", "L3 data cache misses of its accesses", 100,
      "PAPI_L3_DCM", NULL, "PAPI_L3_DCA" },
    { "cache misses", "%", "last-level cache misses of its accesses", 100,
      "perf::CACHE-MISSES", NULL, "perf::CACHE-REFERENCES" },
    { "TLB misses", "%", "data TLB misses of loads and stores", 100,
      "PAPI_TLB_DM", NULL, "PAPI_LST_INS" },
    { "mispredicted", "%", "mispredicted of the conditional branches", 100,
      "PAPI_BR_MSP", NULL, "PAPI_BR_CN" },
    { "mispredicted", "%", "mispredicted of the branches", 100, "PAPI_BR_MSP",
      NULL, "PAPI_BR_INS" },
    { "mispredicted", "%", "mispredicted of the branches", 100,
      "perf::BRANCH-MISSES", NULL, "perf::BRANCHES" },
    { "mispredicted", "%", "mispredicted of the branches", 100,
      "perf::BRANCH-MISSES", NULL, "perf::BRANCH-INSTRUCTIONS" },
    { "stalled", "%", "cycles stalled on any resource", 100, "PAPI_RES_STL",
      NULL, "PAPI_TOT_CYC" },
    { "FLOP/s", "FLOP/s", "floating-point operations per second", PER_SECOND,
      "PAPI_DP_OPS", "PAPI_SP_OPS", "time" },
    { "FLOP/s", "FLOP/s", "floating-point operations per second", PER_SECOND,
      "PAPI_FP_OPS", NULL, "time" },
    { "FLOP/s", "FLOP/s", "double precision operations per second", PER_SECOND,
      "PAPI_DP_OPS", NULL, "time" },
    { "FLOP/s", "FLOP/s", "single precision operations per second", PER_SECOND,
      "PAPI_SP_OPS", NULL, "time" },
    { "bandwidth", "B/s", "L3 misses times 64 bytes, per second",
      LINES_PER_SECOND, "PAPI_L3_TCM", NULL, "time" },
    { "bandwidth", "B/s", "last-level cache misses times 64 bytes, per second",
      LINES_PER_SECOND, "perf::CACHE-MISSES", NULL, "time" },
    { "FLOP/B", "ratio", "operations per byte, as L3 misses times 64 bytes",
      PER_LINE, "PAPI_DP_OPS", "PAPI_SP_OPS", "PAPI_L3_TCM" },
    { "FLOP/B", "ratio", "operations per byte, as L3 misses times 64 bytes",
      PER_LINE, "PAPI_FP_OPS", NULL, "PAPI_L3_TCM" },
    { "FLOP/B", "ratio", "operations per byte, as L3 misses times 64 bytes",
      PER_LINE, "PAPI_DP_OPS", NULL, "PAPI_L3_TCM" },
    { "read rate", "B/s", "bytes read per second", PER_SECOND, "pdump::io_read",
      NULL, "time" },
    { "write rate", "B/s", "bytes written per second", PER_SECOND,
      "pdump::io_write", NULL, "time" },
};

int pdump_derived_count(void)
{
    return (int)(sizeof(recipes) / sizeof(recipes[0]));
}

const struct pdump_derived_recipe *pdump_derived_at(int index)
{
    if (index < 0 || index >= pdump_derived_count())
        return NULL;
    return &recipes[index];
}

static bool is_in_ns(const struct pdump_dump *dump, int metric)
{
    return strcmp(dump->metrics[metric].unit, "ns") == 0;
}

static bool recipe_resolve(const struct pdump_derived_recipe *recipe,
                           const struct pdump_dump *dump,
                           struct pdump_derived *out)
{
    out->recipe = recipe;
    out->top = pdump_dump_find_metric(dump, recipe->top);
    out->bottom = pdump_dump_find_metric(dump, recipe->bottom);
    out->plus = -1;
    if (recipe->plus)
        out->plus = pdump_dump_find_metric(dump, recipe->plus);
    if (out->top < 0 || out->bottom < 0 || (recipe->plus && out->plus < 0))
        return false;

    /* A time in another unit would make the scale wrong. */
    if (strcmp(recipe->bottom, "time") != 0)
        return true;
    return is_in_ns(dump, out->bottom) &&
           (strcmp(recipe->unit, "%") != 0 || is_in_ns(dump, out->top));
}

static bool is_known(const struct pdump_derived *list, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i].recipe->name, name) == 0)
            return true;
    }
    return false;
}

int pdump_derived_find(const struct pdump_dump *dump, struct pdump_derived *out,
                       int max)
{
    int n = 0;

    for (int i = 0; i < pdump_derived_count() && n < max; i++) {
        if (!is_known(out, n, recipes[i].name) &&
            recipe_resolve(&recipes[i], dump, &out[n]))
            n++;
    }
    return n;
}

void pdump_derived_add(const struct pdump_derived *d,
                       const struct pdump_dump *dump, int64_t row, double *top,
                       double *bottom)
{
    int64_t below = dump->columns[d->bottom].sum[row];
    int64_t above = dump->columns[d->top].sum[row];
    int64_t plus = d->plus < 0 ? 0 : dump->columns[d->plus].sum[row];

    if (below == PDUMP_MISSING || above == PDUMP_MISSING ||
        plus == PDUMP_MISSING)
        return;
    *top += (double)above + (double)plus;
    *bottom += (double)below;
}

double pdump_derived_value(const struct pdump_derived *d, double top,
                           double bottom)
{
    return bottom > 0 ? d->recipe->scale * top / bottom : NAN;
}
