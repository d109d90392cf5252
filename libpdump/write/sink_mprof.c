/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory over time in the format of memory_profiler's `mprof run`: the first
 * process as "MEM MIB TIME", each other one as "CHLD NUMBER MIB TIME", and a
 * "FUNC" for each period that the first one spent in a region.
 */
#include "base/utf8.h"
#include "report/view/memory_series.h"
#include "write/sink.h"

#include <string.h>
#include <time.h>

struct writing {
    const struct pdump_dump *tables;
    struct pdump_memory_series memory;
    double start; /* seconds since 1970 */
};

static double start_of(const struct pdump_dump *tables)
{
    const char *text = pdump_dump_metadata(tables, "start");
    struct tm tm = { 0 };

    return text && strptime(text, "%Y-%m-%dT%H:%M:%S", &tm)
               ? (double)timegm(&tm)
               : 0;
}

static double in_mib(int64_t bytes)
{
    return bytes < 0 ? 0 : (double)bytes / 0x1p20;
}

static double seconds_at(const struct writing *w,
                         const struct pdump_memory_point *p)
{
    return w->start + p->ms / 1000;
}

/* The file has a line per record and blanks between words, so names get
 * neither. */
static void put_name(FILE *f, const char *path)
{
    static const struct pdump_utf8_rules rules = { "", '_', NULL, 0 };
    char name[512];

    snprintf(name, sizeof(name), "%s", path);
    for (char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            *c = '_';
    pdump_utf8_put(f, name, &rules);
}

static void put_stretch(FILE *f, const struct writing *w,
                        const struct pdump_memory_point *first,
                        const struct pdump_memory_point *last)
{
    int depth = 0;

    if (!*first->path)
        return;
    for (const char *c = first->path; *c; c++)
        depth += *c == '/';
    fputs("FUNC ", f);
    put_name(f, first->path);
    fprintf(f, " %.4f %.4f %.4f %.4f %d\n", in_mib(first->rss),
            seconds_at(w, first), in_mib(last->rss), seconds_at(w, last),
            depth);
}

static void put_line(FILE *f, const struct writing *w, int number)
{
    const struct pdump_memory_one *line = &w->memory.lines[number];
    const struct pdump_memory_point *first = line->points, *p = first;

    for (; p < line->points + line->n; p++) {
        if (number > 0)
            fprintf(f, "CHLD %d %.6f %.4f\n", number - 1, in_mib(p->rss),
                    seconds_at(w, p));
        else
            fprintf(f, "MEM %.6f %.4f\n", in_mib(p->rss), seconds_at(w, p));
        if (number == 0 && strcmp(first->path, p->path) != 0) {
            put_stretch(f, w, first, p - 1);
            first = p;
        }
    }
    if (number == 0)
        put_stretch(f, w, first, p - 1);
}

static int put_all(FILE *f, void *data)
{
    static const struct pdump_utf8_rules rules = { "", '_', NULL, 0 };
    const struct writing *w = data;
    int process = w->memory.lines[0].process;

    fputs("CMDLINE ", f);
    pdump_utf8_put(f, process < 0 ? "" : w->tables->processes[process].command,
                   &rules);
    putc_unlocked('\n', f);
    for (int i = 0; i < w->memory.n; i++)
        put_line(f, w, i);
    return PDUMP_OK;
}

static int mprof_write(struct pdump_stream *in,
                       const struct pdump_new_file *file)
{
    struct writing w = { .tables = in->tables, .start = start_of(in->tables) };
    int err = pdump_memory_series(in->tables, &w.memory);

    if (err >= 0 && w.memory.n == 0)
        err = pdump_fail(PDUMP_ENOENT,
                         "no memory over time was recorded (PDUMP_MEMORY)");
    if (err >= 0)
        err = pdump_sink_print(file, put_all, &w);
    pdump_memory_series_free(&w.memory);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".mprof.dat", .write = mprof_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_mprof = {
    .name = "mprof",
    .about = "memory over time, for memory_profiler's mprof plot",
    .parts = parts,
};
