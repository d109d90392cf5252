/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes link names in a file from the names of metrics, tables and fields. */
#include "h5_layout.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_plain(char c)
{
    return c > ' ' && c < 0x7f && c != '/' && c != '%';
}

/* Returns true if the name belongs to something else in one of these groups. */
static bool is_taken(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static void make_link(const char *name, int index, const char *const *taken,
                      char link[PDUMP_H5_LINK_MAX])
{
    size_t n = 0;

    for (const char *c = name; *c && n < PDUMP_H5_LINK_MAX - 4; c++) {
        if (is_plain(*c))
            link[n++] = *c;
        else
            n += (size_t)sprintf(link + n, "%%%02X", (unsigned char)*c);
    }
    link[n] = '\0';
    if (n == 0 || n >= PDUMP_H5_LINK_MAX - 4 || is_taken(name, taken))
        snprintf(link, PDUMP_H5_LINK_MAX, "%%m%d", index);
}

void pdump_h5_link(const char *metric, int index, char link[PDUMP_H5_LINK_MAX])
{
    static const char *const taken[] = { ".",    "rank",   "rank_ptr",
                                         "node", "thread", "visits",
                                         "open", "number", "start",
                                         NULL };

    make_link(metric, index, taken, link);
}

void pdump_h5_table_link(const char *table, int index,
                         char link[PDUMP_H5_LINK_MAX])
{
    static const char *const taken[] = {
        ".",
        PDUMP_H5_METADATA,
        PDUMP_H5_WARNINGS,
        PDUMP_H5_METRICS,
        PDUMP_H5_REGIONS,
        PDUMP_H5_NODES,
        PDUMP_H5_RANKS,
        PDUMP_H5_THREADS,
        PDUMP_H5_PROFILE,
        PDUMP_H5_SAMPLES,
        PDUMP_H5_EVENTS,
        PDUMP_H5_STATISTICS,
        PDUMP_H5_DETAILS,
        NULL,
    };

    make_link(table, index, taken, link);
}

void pdump_h5_field_link(const char *field, int index,
                         char link[PDUMP_H5_LINK_MAX])
{
    static const char *const taken[] = {
        ".",          "thread",         "node",          "label",
        "label_name", "label_name_ptr", PDUMP_H5_FIELDS, NULL
    };

    make_link(field, index, taken, link);
}
