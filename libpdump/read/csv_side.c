/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises the side files of a CSV dump, such as "run.meta.csv". */
#include "read/csv_side.h"
#include "base/regular_file.h"
#include "read/csv_layout.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *tail, *what;
} sides[] = {
    { PDUMP_CSV_META, "the metadata" },
    { PDUMP_CSV_SAMPLES, "the samples" },
    { PDUMP_CSV_EVENTS, "the events" },
    { PDUMP_CSV_STATS, "the statistics over ranks" },
    { PDUMP_CSV_DETAILS, "the details" },
};

enum { N_SIDES = sizeof(sides) / sizeof(sides[0]), HEAD_SIZE = 4096 };

/* Returns the index in `sides`, or -1. */
static int side_find(const char *path)
{
    size_t len = strlen(path);

    for (int i = 0; i < N_SIDES; i++) {
        size_t n = strlen(sides[i].tail);

        if (len > n && strcmp(path + len - n, sides[i].tail) == 0)
            return i;
    }
    return -1;
}

/* Only the main file has a column of this name: a user may have named it
 * "x.stats.csv". */
static bool is_profile(const char *path)
{
    char head[HEAD_SIZE] = "";
    FILE *f = pdump_regular_file_stream(path);

    if (!f)
        return true; /* whoever reads it says what is wrong */
    if (!fgets(head, sizeof(head), f))
        head[0] = '\0';
    fclose(f);
    return strstr(head, ",visits,") || strstr(head, ",visits\n") ||
           strstr(head, ",visits\r");
}

bool pdump_csv_is_side(const char *path, size_t *stem)
{
    int i = side_find(path);

    if (i < 0 || is_profile(path))
        return false;
    if (stem)
        *stem = strlen(path) - strlen(sides[i].tail);
    return true;
}

size_t pdump_csv_stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');

    return dot && dot > base + strspn(base, ".") ? (size_t)(dot - path)
                                                 : strlen(path);
}

int pdump_csv_side_fail(const char *path)
{
    const char *what = sides[side_find(path)].what;
    char whole[PATH_MAX];
    size_t stem = 0;

    pdump_csv_is_side(path, &stem);
    snprintf(whole, sizeof(whole), "%.*s.csv", (int)stem, path);
    return access(whole, F_OK) == 0
               ? pdump_fail(PDUMP_EFORMAT,
                            "%s has %s of %s and is read with it: give that "
                            "file",
                            path, what, whole)
               : pdump_fail(PDUMP_EFORMAT,
                            "%s has %s of a CSV dump and is read with its main "
                            "file, such as %s, which is not here",
                            path, what, whole);
}
