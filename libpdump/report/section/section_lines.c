/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints source lines with their figures: a table for each function. */
#include "report/section/section_private.h"
#include "base/field.h"
#include "base/safe_text.h"
#include "report/grid.h"
#include "report/view/line_walk.h"

#include <math.h>
#include <string.h>

enum {
    BEFORE = 5, /* line, hits, time, per hit, % */
    MORE_MAX = PDUMP_GRID_COLUMNS_MAX - BEFORE - 1,
};

/* The columns: those that all tables have, and the metrics of this one. */
struct columns {
    const struct pdump_line_view *view;
    int n_more;
    const char *titles[PDUMP_GRID_COLUMNS_MAX + 1];
};

/* Uses the title that memory_profiler uses. */
static const char *title_of(const char *field)
{
    return strcmp(field, "pdump::rss") == 0          ? "mem usage"
           : strcmp(field, "pdump::rss.growth") == 0 ? "increment"
                                                     : field;
}

static void choose_columns(struct columns *c,
                           const struct pdump_line_view *view)
{
    static const char *const first[BEFORE] = { "line", "hits", "time",
                                               "per hit", "%" };

    *c = (struct columns){ .view = view };
    memcpy(c->titles, first, sizeof(first));
    for (int i = view->first; i < view->last && c->n_more < MORE_MAX; i++)
        c->titles[BEFORE + c->n_more++] =
            title_of(view->detail->fields[i].name);
    c->titles[BEFORE + c->n_more] = "<source";
}

static void put_metric(struct pdump_grid *g,
                       const struct pdump_dump_field *field, int64_t value)
{
    if (value == pdump_field_nothing(field->kind) &&
        field->kind != PDUMP_FIELD_SUM)
        pdump_grid_text(g, "");
    else if (strcmp(field->unit, "1") == 0)
        pdump_grid_count(g, value);
    else
        pdump_grid_number(g, (double)value, field->unit);
}

static void put_line(struct pdump_grid *g, const struct columns *c, int number,
                     const struct pdump_line *line, int64_t total)
{
    pdump_grid_count(g, number);
    for (int i = 1; !line && i < BEFORE + c->n_more; i++)
        pdump_grid_text(g, "");
    if (!line)
        return;
    pdump_grid_count(g, line->hits);
    pdump_grid_number(g, (double)line->time, "ns");
    pdump_grid_number(
        g, line->hits > 0 ? (double)line->time / (double)line->hits : NAN,
        "ns");
    pdump_grid_percent(g, (double)line->time, (double)total);
    for (int i = 0; i < c->n_more; i++) {
        int field = c->view->first + i;

        put_metric(g, &c->view->detail->fields[field], line->values[field]);
    }
}

static void put_lines(struct pdump_grid *g, const struct columns *c,
                      const struct pdump_line_function *fn,
                      const struct pdump_source_code *source)
{
    struct pdump_line_walk w;

    pdump_line_walk_start(&w, fn, source);
    while (pdump_line_walk_next(&w)) {
        put_line(g, c, w.number, w.line, fn->time);
        pdump_grid_text(g, w.text);
    }
}

/* Prints the heading of a function's table; for programs it is its name. */
static void put_heading(FILE *f, const struct pdump_line_function *fn,
                        const char *trouble)
{
    fputc('\n', f);
    pdump_safe_text_put(f, fn->name, 0);
    fputs(" (", f);
    pdump_safe_text_put(f, fn->file, 0);
    fputs(")\n", f);
    if (trouble)
        fprintf(f, "  %s\n", trouble);
}

static void put_function(struct pdump_section_page *page,
                         const struct pdump_dump *dump, const struct columns *c,
                         const struct pdump_line_function *fn)
{
    static const int drop[] = { 3, -1 };
    struct pdump_source_code source = { 0 };
    const char *trouble = pdump_source_code_read(&source, fn->file, dump);
    struct pdump_grid g;

    if (!pdump_section_is_data(page))
        put_heading(page->f, fn, trouble);
    pdump_grid_open(&g, c->titles);
    g.drop = drop;
    g.last = PDUMP_GRID_CODE;
    put_lines(&g, c, fn, &source);
    pdump_section_table(page, &g, NULL, fn->name, 0);
    pdump_grid_close(&g);
    pdump_source_code_free(&source);
}

int pdump_section_lines(struct pdump_section_page *page,
                        const struct pdump_dump *dump)
{
    int top = page->options->top;
    struct pdump_line_view view;
    struct columns columns;
    int err = pdump_line_view_some(dump, &view);

    if (err < 0)
        return err;
    choose_columns(&columns, &view);
    for (int64_t i = 0; i < view.n && (!top || i < top); i++)
        put_function(page, dump, &columns, &view.functions[i]);
    pdump_section_put_rest(page, view.n, "functions");
    pdump_line_view_free(&view);
    return PDUMP_OK;
}
