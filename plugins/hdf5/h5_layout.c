/* SPDX-License-Identifier: BSD-3-Clause */
/* How the names of metrics become names in a file. */
#include "h5_layout.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_plain(char c)
{
    return c > ' ' && c < 0x7f && c != '/' && c != '%';
}

/* Is it the name of something else in one of these groups? */
static bool is_taken(const char *name)
{
    static const char *const names[] = { ".",    "rank",   "rank_ptr",
                                         "node", "thread", "visits",
                                         "open", "number", "start" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

void pdump_h5_link(const char *metric, int index, char link[PDUMP_H5_LINK_MAX])
{
    size_t n = 0;

    for (const char *c = metric; *c && n < PDUMP_H5_LINK_MAX - 4; c++) {
        if (is_plain(*c))
            link[n++] = *c;
        else
            n += (size_t)sprintf(link + n, "%%%02X", (unsigned char)*c);
    }
    link[n] = '\0';
    if (n == 0 || n >= PDUMP_H5_LINK_MAX - 4 || is_taken(metric))
        snprintf(link, PDUMP_H5_LINK_MAX, "%%m%d", index);
}
