/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pstats format: what Python's profilers write, for its module pstats and
 * for the tools that read the same.
 *
 * One object in Python's own marshal format, of which only the parts are used
 * that have been the same since its version 2:
 *     {(file, line, name): (primitive calls, calls, own time, total time,
 *         {caller: (calls, primitive calls, own time, total time)})}
 * Yes, the two counts change places.
 */
#include "base/utf8.h"
#include "write/pstats_table.h"
#include "write/sink.h"

#include <string.h>

static void put_bytes(FILE *f, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        putc_unlocked((int)(value >> (8 * i) & 0xff), f);
}

static void put_long(FILE *f, uint64_t size, bool is_negative)
{
    enum { DIGIT = 15, DIGITS_MAX = 5 };
    int n = 0;

    while (n < DIGITS_MAX && size >> (DIGIT * n))
        n++;
    putc_unlocked('l', f);
    put_bytes(f, (uint64_t)(is_negative ? -n : n), 4);
    for (int i = 0; i < n; i++)
        put_bytes(f, size >> (DIGIT * i) & ((1 << DIGIT) - 1), 2);
}

static void put_int(FILE *f, int64_t value)
{
    if (value < INT32_MIN || value > INT32_MAX) {
        put_long(f, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0);
        return;
    }
    putc_unlocked('i', f);
    put_bytes(f, (uint64_t)value, 4);
}

static void put_seconds(FILE *f, int64_t ns)
{
    double seconds = (double)ns / 1e9;
    uint64_t bits;

    memcpy(&bits, &seconds, sizeof(bits));
    putc_unlocked('g', f);
    put_bytes(f, bits, 8);
}

/* Bytes that are not UTF-8 become U+FFFD. */
static void put_text(FILE *f, const char *text)
{
    static const char unknown[] = "\xef\xbf\xbd";
    size_t len = 0;

    for (const char *s = text; *s;) {
        int n = pdump_utf8_length(s);

        len += n ? (size_t)n : strlen(unknown);
        s += n ? n : 1;
    }
    putc_unlocked('u', f);
    put_bytes(f, len, 4);
    for (const char *s = text; *s;) {
        int n = pdump_utf8_length(s);

        if (n)
            fwrite(s, 1, (size_t)n, f);
        else
            fputs(unknown, f);
        s += n ? n : 1;
    }
}

static void put_tuple(FILE *f, unsigned n)
{
    putc_unlocked('(', f);
    put_bytes(f, n, 4);
}

static void put_key(FILE *f, const struct pdump_pstats_table_function *function)
{
    put_tuple(f, 3);
    put_text(f, function->file);
    put_int(f, function->line);
    put_text(f, function->name);
}

static void put_times(FILE *f, const struct pdump_pstats_table_figures *figures)
{
    put_seconds(f, figures->own);
    put_seconds(f, figures->total);
}

/* *call is the first call with that callee or a later one. */
static void put_callers(FILE *f, const struct pdump_pstats_table *p, int callee,
                        int *call)
{
    putc_unlocked('{', f);
    for (; *call < p->n_calls && p->calls[*call].callee == callee; ++*call) {
        const struct pdump_pstats_table_call *c = &p->calls[*call];

        put_key(f, &p->functions[c->caller]);
        put_tuple(f, 4);
        put_int(f, c->figures.calls);
        put_int(f, c->figures.primitive);
        put_times(f, &c->figures);
    }
    putc_unlocked('0', f);
}

static int put_all(FILE *f, void *data)
{
    const struct pdump_pstats_table *p = data;
    int call = 0;

    putc_unlocked('{', f);
    for (int i = 0; i < p->n_functions; i++) {
        const struct pdump_pstats_table_function *function = &p->functions[i];

        put_key(f, function);
        put_tuple(f, 5);
        put_int(f, function->figures.primitive);
        put_int(f, function->figures.calls);
        put_times(f, &function->figures);
        put_callers(f, p, i, &call);
    }
    putc_unlocked('0', f);
    return PDUMP_OK;
}

static int pstats_write(struct pdump_stream *in,
                        const struct pdump_new_file *file)
{
    struct pdump_pstats_table p;
    int err = pdump_pstats_table_of(in, &p);

    if (err >= 0 && p.n_functions == 0)
        err = pdump_fail(PDUMP_ENOENT, "no region was recorded, and Python's "
                                       "pstats reads no file without one");
    if (err >= 0)
        err = pdump_sink_print(file, put_all, &p);
    pdump_pstats_table_free(&p);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".pstats", .write = pstats_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_pstats = {
    .name = "pstats",
    .about = "functions and their callers, for Python's pstats",
    .parts = parts,
};
