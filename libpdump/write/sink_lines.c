/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of Python functions in the format of line_profiler. */
#include "report/view/line_walk.h"
#include "write/sink.h"

#include <inttypes.h>

struct listing {
    const struct pdump_dump *tables;
    struct pdump_line_view view;
};

static void put_line(FILE *f, const struct pdump_line *line, int64_t total)
{
    double time = (double)line->time;

    fprintf(f, "%6d %9" PRId64 " %12.1f %8.1f %8.1f", line->number, line->hits,
            time, line->hits > 0 ? time / (double)line->hits : 0,
            total > 0 ? 100 * time / (double)total : 0);
}

static void put_function(FILE *f, const struct pdump_line_function *fn,
                         const struct pdump_source_code *source)
{
    struct pdump_line_walk w;

    pdump_line_walk_start(&w, fn, source);
    while (pdump_line_walk_next(&w)) {
        if (w.line)
            put_line(f, w.line, fn->time);
        else
            fprintf(f, "%6d %40s", w.number, "");
        fprintf(f, "  %s\n", w.text);
    }
}

static int put_all(FILE *f, void *data)
{
    const struct listing *o = data;

    fputs("Timer unit: 1e-09 s\n", f);
    for (int64_t i = 0; i < o->view.n; i++) {
        const struct pdump_line_function *fn = &o->view.functions[i];
        struct pdump_source_code source = { 0 };
        const char *trouble =
            pdump_source_code_read(&source, fn->file, o->tables);

        fprintf(f, "\nTotal time: %g s\nFile: %s\nFunction: %s at line %d\n",
                (double)fn->time / 1e9, fn->file, fn->name, fn->first);
        if (trouble)
            fprintf(f, "\n%s\n", trouble);
        fputs("\nLine #      Hits         Time  Per Hit   % Time  Line Contents"
              "\n==========================================================="
              "===\n",
              f);
        put_function(f, fn, &source);
        pdump_source_code_free(&source);
    }
    return PDUMP_OK;
}

static int lines_write(struct pdump_stream *in,
                       const struct pdump_new_file *file)
{
    struct listing o = { .tables = in->tables };
    int err = pdump_line_view_some(o.tables, &o.view);

    if (err < 0)
        return err;
    err = pdump_sink_print(file, put_all, &o);
    pdump_line_view_free(&o.view);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".lines.txt", .write = lines_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_lines = {
    .name = "lines",
    .about = "lines of Python functions, as line_profiler prints them",
    .parts = parts,
};
