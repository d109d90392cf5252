/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV reader: a file and those beside it, separated by lines "%%%". */
#include "target.h"

#include "read/csv_layout.h"

static const char *const names[] = {
    "x.csv",
    "x" PDUMP_CSV_META,
    "x" PDUMP_CSV_SAMPLES,
    "x" PDUMP_CSV_STATS,
    "x" PDUMP_CSV_DETAILS,
    "x" PDUMP_CSV_EVENTS,
};
enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%%%\n";
    const char *at = (const char *)data, *end = at + size;

    target_enter();
    for (int i = 0; i < N_NAMES; i++) {
        const char *next =
            at ? memmem(at, (size_t)(end - at), mark, sizeof(mark) - 1) : NULL;

        if (at)
            target_put(names[i], at, (size_t)((next ? next + 1 : end) - at));
        else
            unlink(names[i]);
        at = next ? next + sizeof(mark) - 1 : NULL;
    }
    target_read(names[0]);
    return 0;
}
