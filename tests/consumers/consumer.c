/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program of somebody else: built against the installed library only. */
#include <pdump.h>

#include <stdio.h>
#include <string.h>

static int visit(void)
{
    PDUMP_REGION("scope")
    {
        return 0;
    }
    return 1;
}

int main(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    if (pdump_set("PDUMP_EVENTS", "none") < 0 || pdump_init() < 0 ||
        pdump_region_begin("outer") < 0 || visit() != 0 ||
        pdump_region_end("outer") < 0 ||
        pdump_query("/outer/scope", NULL, &stats) < 0) {
        fprintf(stderr, "%s\n", pdump_last_error());
        return 1;
    }
    return stats.visits == 1 && strlen(pdump_version()) > 0 ? 0 : 1;
}
