/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lines of Python functions, with their source, into the page's
 * data. */
#include "write_lines.h"

#include "base/field.h"
#include "base/json.h"
#include "report/view/line_walk.h"

#include <inttypes.h>

/* Limits for the size of the page: the functions with the most time are
 * shown. */
enum { FUNCTIONS_MAX = 50, LINES_MAX = 2000 };

static void put_figures(FILE *f, const struct pdump_line_view *view,
                        const struct pdump_line *line)
{
    fprintf(f, ",%" PRId64 ",%" PRId64, line->hits, line->time);
    for (int i = view->first; i < view->last; i++) {
        const struct pdump_dump_field *field = &view->detail->fields[i];

        if (field->kind != PDUMP_FIELD_SUM &&
            line->values[i] == pdump_field_nothing(field->kind))
            fputs(",null", f);
        else
            fprintf(f, ",%" PRId64, line->values[i]);
    }
}

/* Writes [number, text, hits, time, ...]; only the first two if the line never
 * ran. */
static void put_lines(FILE *f, const struct pdump_line_view *view,
                      const struct pdump_line_function *fn,
                      const struct pdump_source_code *source)
{
    struct pdump_line_walk w;
    const char *between = "";

    pdump_line_walk_start(&w, fn, source);
    while (pdump_line_walk_next(&w) && w.number <= fn->first + LINES_MAX) {
        fprintf(f, "%s[%d,", between, w.number);
        pdump_json_string(f, "", w.text);
        if (w.line)
            put_figures(f, view, w.line);
        putc_unlocked(']', f);
        between = ",\n";
    }
}

static void put_function(FILE *f, const struct pdump_dump *tables,
                         const struct pdump_line_view *view,
                         const struct pdump_line_function *fn)
{
    struct pdump_source_code source = { 0 };
    const char *trouble = pdump_source_code_read(&source, fn->file, tables);

    fputs("{\"name\":", f);
    pdump_json_string(f, "", fn->name);
    fputs(",\"file\":", f);
    pdump_json_string(f, "", fn->file);
    fputs(",\"trouble\":", f);
    pdump_json_string(f, "", trouble ? trouble : "");
    fprintf(f, ",\"time\":%" PRId64 ",\"rows\":[", fn->time);
    put_lines(f, view, fn, &source);
    fputs("]}", f);
    pdump_source_code_free(&source);
}

void html_write_lines(FILE *f, const struct pdump_dump *tables)
{
    struct pdump_line_view view;

    fputs(",\n\"lines\":{\"fields\":[", f);
    if (pdump_line_view(tables, &view) < 0)
        view = (struct pdump_line_view){ 0 };
    for (int i = view.first; i < view.last; i++) {
        fputs(i > view.first ? ",[" : "[", f);
        pdump_json_string(f, "", view.detail->fields[i].name);
        putc_unlocked(',', f);
        pdump_json_string(f, "", view.detail->fields[i].unit);
        putc_unlocked(']', f);
    }
    fprintf(f, "],\"all\":%" PRId64 ",\"functions\":[", view.n);
    for (int64_t i = 0; i < view.n && i < FUNCTIONS_MAX; i++) {
        fputs(i ? ",\n" : "", f);
        put_function(f, tables, &view, &view.functions[i]);
    }
    fputs("]}", f);
    pdump_line_view_free(&view);
}
