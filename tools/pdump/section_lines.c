/* SPDX-License-Identifier: BSD-3-Clause */
/* Source with the figures of its lines beside it: a table for each function. */
#include "command.h"
#include "grid.h"
#include "section.h"

#include "line_view.h"
#include "source_text.h"

#include <math.h>

static void put_line(struct grid *g, int number, const struct pdump_line *line,
                     int64_t total, const char *text)
{
    grid_count(g, number);
    if (line) {
        grid_count(g, line->hits);
        grid_number(g, (double)line->time, "ns");
        grid_number(
            g, line->hits > 0 ? (double)line->time / (double)line->hits : NAN,
            "ns");
        grid_percent(g, (double)line->time, (double)total);
    } else {
        for (int i = 0; i < 4; i++)
            grid_text(g, "");
    }
    grid_text(g, text);
}

/* Without source, only lines that were run. */
static void put_lines(struct grid *g, const struct pdump_line_function *fn,
                      const struct pdump_source_text *source)
{
    int last =
        pdump_source_text_end(source, fn->first, fn->lines[fn->n - 1].number);
    char text[1024];
    int64_t i = 0;

    for (int number = fn->first; number <= last; number++) {
        const struct pdump_line *line =
            i < fn->n && fn->lines[i].number == number ? &fn->lines[i++] : NULL;

        if (line || number <= source->n_lines)
            put_line(
                g, number, line, fn->time,
                pdump_source_text_line(source, number, text, sizeof(text)));
    }
}

static void put_function(FILE *f, const struct pdump_dump *dump,
                         const struct pdump_line_function *fn, int width)
{
    static const char *const titles[] = { "line", "hits", "time", "per hit",
                                          "%",    "<",    NULL };
    struct pdump_source_text source = { 0 };
    const char *trouble = pdump_source_text_read(&source, fn->file, dump);
    struct grid g;

    fputc('\n', f);
    command_put_text(f, fn->name, 0);
    fputs(" (", f);
    command_put_text(f, fn->file, 0);
    fputs(")\n", f);
    if (trouble)
        fprintf(f, "  %s\n", trouble);
    grid_open(&g, titles);
    put_lines(&g, fn, &source);
    grid_print(&g, f, width);
    grid_close(&g);
    pdump_source_text_free(&source);
}

int section_lines(FILE *f, const struct pdump_dump *dump,
                  const struct section_options *options)
{
    struct pdump_line_view view;
    int err = pdump_line_view(dump, &view);

    if (err < 0)
        return err;
    if (view.n == 0)
        return pdump_fail(PDUMP_ENOENT, "no lines were recorded: run the "
                                        "program with `python -m pdump "
                                        "--lines`");
    for (int64_t i = 0; i < view.n && (!options->top || i < options->top); i++)
        put_function(f, dump, &view.functions[i], options->width);
    section_put_rest(f, view.n, options, "functions (--top)");
    pdump_line_view_free(&view);
    return PDUMP_OK;
}
