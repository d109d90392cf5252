/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the table "io" has, for io.sh: to be preloaded into any program.  At its
 * end, before the dump is written, a line per row goes into the file ROWS:
 *
 *     PATH|FILE|CALLS|BYTES|SEQUENTIAL|ERRORS|BIN:NUMBER ...
 */
#include "dump/dump.h"

#include <pdump.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t owner;

static const int64_t *field(const struct pdump_dump_detail *d, int64_t row,
                            const char *name, int *width)
{
    const int64_t *value = d->values + row * d->n_values;

    for (int f = 0; f < d->n_fields; value += d->fields[f++].width)
        if (strcmp(d->fields[f].name, name) == 0) {
            *width = d->fields[f].width;
            return value;
        }
    abort();
}

static void print_row(FILE *out, const struct pdump_dump *dump,
                      const struct pdump_dump_detail *d, int64_t row)
{
    static const char *const figures[] = { "calls", "bytes", "sequential",
                                           "errors" };
    const int64_t *value;
    char path[1000] = "";
    int width;

    pdump_dump_node_path(dump, d->rows[row].node, path, sizeof(path));
    fprintf(out, "%s|%s", path, d->labels[d->rows[row].label]);
    for (int i = 0; i < 4; i++)
        fprintf(out, "|%lld", (long long)*field(d, row, figures[i], &width));
    fprintf(out, "|");
    value = field(d, row, "sizes", &width);
    for (int i = 0; i < width; i++)
        if (value[i])
            fprintf(out, " %d:%lld", i, (long long)value[i]);
    fprintf(out, "\n");
}

static void print_rows(void)
{
    const struct pdump_dump_detail *d;
    struct pdump_dump *dump;
    FILE *out;

    if (getpid() != owner || pdump_snapshot(&dump) != PDUMP_OK)
        return;
    d = pdump_dump_find_detail(dump, "io");
    out = fopen(getenv("ROWS"), "ae");
    for (int64_t i = 0; d && out && i < d->n_rows; i++)
        print_row(out, dump, d, i);
    if (out)
        fclose(out);
    pdump_dump_free(dump);
}

__attribute__((constructor)) static void start(void)
{
    owner = getpid();
    if (getenv("ROWS"))
        atexit(print_rows);
}
