/* SPDX-License-Identifier: BSD-3-Clause */
/* Region pairs to be counted by instructions.sh: HOW (name, number, off, or
 * excluded by a filter) and how many.  Without arguments: the compiler, as that
 * makes a difference. */
#include "compiler.h"

#include <pdump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(long n)
{
    int err = 0;

    for (long i = 0; i < n; i++) {
        err |= pdump_region_begin("work");
        err |= pdump_region_end("work");
    }
    return err;
}

static int by_number(long n)
{
    int id = pdump_region_id("work", NULL, 0), err = 0;

    for (long i = 0; i < n; i++) {
        err |= pdump_region_enter(id);
        err |= pdump_region_leave(id);
    }
    return err;
}

/* Did the library do what was asked, and no more? */
static int has_recorded(long n)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    if (pdump_query("work", NULL, &stats) == PDUMP_ENOENT)
        return n == 0;
    return stats.visits == n;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0;
    int is_off = strcmp(how, "off") == 0, err;
    int is_excluded = strcmp(how, "excluded") == 0;

    if (argc == 1) {
        puts(compiler);
        return 0;
    }
    if (n <= 0 || pdump_init() < 0) {
        fprintf(stderr, "cannot start: %s\n", pdump_last_error());
        return 1;
    }
    if (is_off)
        pdump_disable_recording();
    err = strcmp(how, "number") == 0 ? by_number(n) : by_name(n);
    if (err || !has_recorded(is_off || is_excluded ? 0 : n)) {
        fprintf(stderr, "not recorded as it should be\n");
        return 1;
    }
    return 0;
}
