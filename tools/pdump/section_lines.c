/* SPDX-License-Identifier: BSD-3-Clause */
/* Source with the figures of its lines beside it: a table for each function. */
#include "grid.h"
#include "section.h"
#include "source_text.h"

#include "detail_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct line {
    int region;
    const char *label; /* "file:line" */
    size_t len;        /* of the file's name in it */
    int number;
    int64_t hits;
    int64_t time; /* ns */
};

/* Lines of one region in one file, in order. */
struct function {
    const struct line *lines;
    int64_t n;
    int64_t time;
};

static struct line line_of(const struct pdump_detail_view *view,
                           const struct pdump_detail_group *group)
{
    const char *label = view->detail->labels[group->label];
    const char *colon = strrchr(label, ':');

    return (struct line){
        .region = group->region,
        .label = label,
        .len = colon ? (size_t)(colon - label) : strlen(label),
        .number = colon ? atoi(colon + 1) : 0,
        .hits = pdump_detail_view_int(view, group, "hits"),
        .time = pdump_detail_view_int(view, group, "time"),
    };
}

static int compare_places(const struct line *a, const struct line *b)
{
    int order;

    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    order = strncmp(a->label, b->label, a->len < b->len ? a->len : b->len);
    if (order == 0 && a->len != b->len)
        order = a->len < b->len ? -1 : 1;
    return order;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *p = a, *q = b;
    int order = compare_places(p, q);

    return order ? order : (p->number > q->number) - (p->number < q->number);
}

static int compare_functions(const void *a, const void *b)
{
    const struct function *p = a, *q = b;

    if (p->time != q->time)
        return p->time > q->time ? -1 : 1;
    return compare_lines(p->lines, q->lines);
}

/* How many; `out` has room for one per line. */
static int64_t find_functions(const struct line *lines, int64_t n,
                              struct function *out)
{
    int64_t n_functions = 0;

    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || compare_places(&lines[i - 1], &lines[i]) != 0)
            out[n_functions++] = (struct function){ .lines = &lines[i] };
        out[n_functions - 1].n++;
        out[n_functions - 1].time += lines[i].time;
    }
    qsort(out, (size_t)n_functions, sizeof(*out), compare_functions);
    return n_functions;
}

static void put_line(struct grid *g, int number, const struct line *line,
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
static void put_lines(struct grid *g, const struct function *fn,
                      const struct source_text *source, int first)
{
    int64_t i = 0;
    int last = fn->lines[fn->n - 1].number;
    char text[1024];

    if (first <= 0 || first > fn->lines[0].number)
        first = fn->lines[0].number;
    if (source->n_lines > 0)
        last = source_text_end(source, first, last);
    for (int number = first; number <= last; number++) {
        const struct line *line =
            i < fn->n && fn->lines[i].number == number ? &fn->lines[i++] : NULL;

        if (line || source->n_lines > 0)
            put_line(g, number, line, fn->time,
                     source_text_line(source, number, text, sizeof(text)));
    }
}

static void put_function(FILE *f, const struct pdump_dump *dump,
                         const struct function *fn, int width)
{
    static const char *const titles[] = { "line", "hits", "time", "per hit",
                                          "%",    "<",    NULL };
    const struct line *at = fn->lines;
    const struct pdump_dump_region *region =
        at->region < 0 ? NULL : &dump->regions[at->region];
    char *file = strndup(at->label, at->len);
    struct source_text source = { 0 };
    const char *trouble = file ? source_text_read(&source, file, dump) : NULL;
    struct grid g;

    fprintf(f, "\n%s (%s)\n", region ? region->name : "", file ? file : "");
    if (trouble)
        fprintf(f, "  %s\n", trouble);
    grid_open(&g, titles);
    put_lines(&g, fn, &source,
              region && file && strcmp(region->file, file) == 0 ? region->line
                                                                : 0);
    grid_print(&g, f, width);
    grid_close(&g);
    source_text_free(&source);
    free(file);
}

int section_lines(FILE *f, const struct pdump_dump *dump,
                  const struct section_options *options)
{
    const struct pdump_dump_detail *detail =
        pdump_dump_find_detail(dump, "lines");
    struct pdump_detail_view view;
    struct function *functions;
    struct line *lines;
    int64_t n;
    int err;

    if (!detail || detail->n_rows == 0)
        return pdump_fail(PDUMP_ENOENT, "no lines were recorded: run the "
                                        "program with `python -m pdump "
                                        "--lines`");
    err = pdump_detail_view(dump, detail, PDUMP_BY_REGION | PDUMP_BY_LABEL,
                            &view);
    if (err < 0)
        return err;
    lines = calloc((size_t)view.n, sizeof(*lines));
    functions = calloc((size_t)view.n, sizeof(*functions));
    if (lines && functions) {
        for (int64_t i = 0; i < view.n; i++)
            lines[i] = line_of(&view, &view.groups[i]);
        qsort(lines, (size_t)view.n, sizeof(*lines), compare_lines);
        n = find_functions(lines, view.n, functions);
        for (int64_t i = 0; i < n && (!options->top || i < options->top); i++)
            put_function(f, dump, &functions[i], options->width);
        section_put_rest(f, n, options, "functions (--top)");
    } else {
        err = pdump_fail(PDUMP_ENOMEM, "out of memory");
    }
    free(lines);
    free(functions);
    pdump_detail_view_free(&view);
    return err;
}
