/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of functions in a snapshot, and a warning about functions without
 * names. */
#include "record/symbols.h"
#include "snapshot/snapshot_private.h"

#include <stdio.h>
#include <string.h>

void pdump_snapshot_name(struct pdump_snapshot *s, const char *place, char *buf,
                         size_t len, struct pdump_symbol *out)
{
    s->has_functions = true;
    if (pdump_symbols_name(place, buf, len, out) || !strstr(place, "+0x"))
        return;
    if (!s->unnamed)
        s->unnamed = place;
    s->n_unnamed++;
}

int pdump_snapshot_unnamed(struct pdump_snapshot *s)
{
    char text[PDUMP_PLACE_MAX + 256];
    int len;

    if (!s->unnamed)
        return PDUMP_OK;
    len = (int)(strrchr(s->unnamed, '+') - s->unnamed);
    snprintf(text, sizeof(text),
             "functions are shown by address instead of by name, for example "
             "in %.*s: %s",
             len, s->unnamed, pdump_symbols_advice());
    return pdump_builder_warning(s->builder, text, s->n_unnamed);
}
