/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings of a snapshot about regions that PDUMP_THROTTLE left out. */
#include "record/symbols.h"
#include "snapshot/snapshot_private.h"

#include <inttypes.h>
#include <stdio.h>

/* Rounds to one digit, so that ranks that differ a little give the same
 * text. */
static double round_to_digit(double ns)
{
    double unit = 1;

    while (ns / unit >= 10)
        unit *= 10;
    return unit * (double)pdump_round(ns / unit);
}

/* Gets the name of a throttled region. */
static void name_throttled(struct pdump_snapshot *s,
                           const struct pdump_region_record *region, char *name,
                           size_t len)
{
    struct pdump_symbol symbol;

    if (region->group == PDUMP_GROUP_FUNCTION)
        pdump_snapshot_name(s, region->name, name, len, &symbol);
    else
        snprintf(name, len, "%s", region->name);
}

/* Adds a warning for each region that was visited too often. */
int pdump_snapshot_throttled(struct pdump_snapshot *s)
{
    const struct pdump_throttle_record *rec;
    int err = PDUMP_OK;

    for (uint32_t ref = s->head->throttled; ref && err >= 0; ref = rec->next) {
        char name[PDUMP_PLACE_MAX], text[PDUMP_PLACE_MAX + 160];
        const struct pdump_region_record *region;

        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        rec = pdump_store_at(s->base, ref);
        region = pdump_store_at(s->base, rec->region);
        if (!rec->lost || !rec->region)
            continue;
        name_throttled(s, region, name, sizeof(name));
        snprintf(text, sizeof(text),
                 "visits of %s %s are not recorded: PDUMP_THROTTLE, after "
                 "%" PRId64 " visits with a mean of about %.0f ns",
                 region->group == PDUMP_GROUP_FUNCTION ? "function" : "region",
                 name, (int64_t)rec->before,
                 round_to_digit((double)rec->mean * s->scale[0]));
        err = pdump_builder_warning(s->builder, text, (int64_t)rec->lost);
    }
    return err;
}
