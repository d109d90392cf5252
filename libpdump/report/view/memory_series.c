/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "memory" of a dump as a series over time per process. */
#include "report/view/memory_series.h"

#include <stdlib.h>
#include <string.h>

static int64_t value_of(const struct pdump_dump_detail *d, int64_t row,
                        const char *name)
{
    int field = pdump_dump_find_field(d, name);
    int64_t value = field < 0 ? -1 : d->values[row * d->n_values + field];

    return value < 0 ? -1 : value;
}

/* Reads "0000000123.450" in any locale.  Older files may have the decimal comma
 * of the program's locale. */
static double read_ms(const char *text, char **end)
{
    double ms = (double)strtoll(text, end, 10), unit = 1;

    if (**end != '.' && **end != ',')
        return ms;
    for ((*end)++; **end >= '0' && **end <= '9'; (*end)++) {
        unit /= 10;
        ms += (**end - '0') * unit;
    }
    return ms;
}

/* Returns false if the label is not a time: then the row stands for several. */
static bool fill_series(const struct pdump_dump *t,
                        const struct pdump_dump_detail *d, int64_t row,
                        struct pdump_memory_point *out)
{
    const char *label = d->labels[d->rows[row].label];
    char *end;
    int thread = d->rows[row].thread;

    if (label[0] < '0' || label[0] > '9')
        return false;
    *out = (struct pdump_memory_point){
        .process = thread < 0 ? -1 : t->threads[thread].process,
        .ms = read_ms(label, &end),
        .rss = value_of(d, row, "rss"),
        .pss = value_of(d, row, "pss"),
        .children = value_of(d, row, "children"),
    };
    out->path = *end == ' ' ? end + 1 : "";
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct pdump_memory_point *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->ms > y->ms) - (x->ms < y->ms);
}

static void cut(struct pdump_memory_series *out, int64_t n)
{
    struct pdump_memory_one *line = NULL;

    for (int64_t i = 0; i < n; i++) {
        const struct pdump_memory_point *p = &out->points[i];

        if (!line || line->process != p->process) {
            line = &out->lines[out->n++];
            *line = (struct pdump_memory_one){ .process = p->process,
                                               .points = p,
                                               .peak = -1 };
        }
        line->n++;
        if (p->rss > line->peak)
            line->peak = p->rss;
    }
}

int pdump_memory_series(const struct pdump_dump *tables,
                        struct pdump_memory_series *out)
{
    const struct pdump_dump_detail *d =
        pdump_dump_find_detail(tables, "memory");
    int64_t n = 0;

    *out = (struct pdump_memory_series){ 0 };
    if (!d || d->n_rows == 0)
        return PDUMP_OK;
    out->points = calloc((size_t)d->n_rows, sizeof(*out->points));
    out->lines = calloc((size_t)tables->n_processes + 1, sizeof(*out->lines));
    if (!out->points || !out->lines) {
        pdump_memory_series_free(out);
        return pdump_no_memory();
    }
    for (int64_t i = 0; i < d->n_rows; i++)
        n += fill_series(tables, d, i, &out->points[n]);
    qsort(out->points, (size_t)n, sizeof(*out->points), by_time);
    cut(out, n);
    return PDUMP_OK;
}

void pdump_memory_series_free(struct pdump_memory_series *lines)
{
    free(lines->points);
    free(lines->lines);
    *lines = (struct pdump_memory_series){ 0 };
}
