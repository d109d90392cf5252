/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints stacks: the functions that cost most, and the way to where most of
 * them are, as source lines. */
#include "base/safe_text.h"
#include "dump/stacks.h"
#include "report/grid.h"
#include "report/report_number.h"
#include "report/section/section_private.h"
#include "report/view/source_code.h"
#include "report/view/stack_view.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 200 }; /* of a line of source */

static const char *duration(int64_t ns, char *buf)
{
    bool is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

    return pdump_report_number_text((double)ns, "ns", is_utf8, buf);
}

/* Returns a number of the dump's metadata; 0 if it is not there. */
static int64_t metadata_number(const struct pdump_dump *dump, const char *key)
{
    const char *value = pdump_dump_metadata(dump, key);

    return value ? strtoll(value, NULL, 10) : 0;
}

/* Prints "; 3 of 1200 unfinished, 5 lost". */
static void put_losses(FILE *f, const struct pdump_dump *dump)
{
    int64_t unfinished = metadata_number(dump, "stacks_unfinished");
    int64_t lost = metadata_number(dump, "stacks_lost");

    if (unfinished > 0)
        fprintf(f, "; %" PRId64 " of %" PRId64 " unfinished", unfinished,
                metadata_number(dump, "stacks"));
    if (lost > 0)
        fprintf(f, "%s%" PRId64 " lost", unfinished > 0 ? ", " : "; ", lost);
}

/* Prints how many there are, and the rate: "Stacks: 1200 for 12.1 s of CPU
 * time, 99.2 a second (asked for: timer, 100 a second)". */
static void put_head(FILE *f, const struct pdump_stack_view *view)
{
    const char *clock = pdump_dump_metadata(view->dump, "stacks_clock");
    double ns = (double)metadata_number(view->dump, "stacks_cpu_time_ns");
    char text[48];

    fprintf(f, "Stacks: %" PRId64 " for %s of CPU time", view->stacks,
            duration(view->total, text));
    if (ns > 0)
        fprintf(f, ", %.1f a second",
                (double)metadata_number(view->dump, "stacks") / ns * 1e9);
    if (clock) {
        fputs(" (asked for: ", f);
        pdump_safe_text_put(f, clock, 0);
        fputc(')', f);
    }
    put_losses(f, view->dump);
}

/* Returns "name.c:12" of "/path/name.c:12"; all of it for programs. */
static const char *shown_part(const struct pdump_section_page *page,
                              const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && !pdump_section_is_data(page) ? slash + 1 : path;
}

static void put_place(const struct pdump_section_page *page,
                      struct pdump_grid *g,
                      const struct pdump_dump_region *region)
{
    const char *file = shown_part(page, region->file);
    char text[PATH_MAX + 16];

    if (region->line > 0)
        snprintf(text, sizeof(text), "%s:%d", file, region->line);
    else
        snprintf(text, sizeof(text), "%s", file);
    pdump_grid_text(g, text);
}

/* Code without a name is called by its place, with the path of a file. */
static const char *shown_name(const struct pdump_section_page *page,
                              const char *name)
{
    return pdump_section_is_data(page) ? name : pdump_stack_view_name(name);
}

static void put_function(const struct pdump_section_page *page,
                         struct pdump_grid *g,
                         const struct pdump_stack_view *view,
                         const struct pdump_stack_function *fn)
{
    const struct pdump_dump_region *region = &view->dump->regions[fn->region];

    pdump_grid_percent(g, (double)fn->self, (double)view->total);
    pdump_grid_number(g, (double)fn->self, "ns");
    pdump_grid_percent(g, (double)fn->total, (double)view->total);
    pdump_grid_number(g, (double)fn->total, "ns");
    pdump_grid_count(g, fn->stacks);
    if (view->n_ranks > 1) {
        pdump_grid_number(g, (double)fn->least, "ns");
        pdump_grid_count(g, fn->rank_of_least);
        pdump_grid_number(g, (double)fn->most, "ns");
        pdump_grid_count(g, fn->rank_of_most);
    }
    put_place(page, g, region);
    pdump_grid_text(g, shown_name(page, region->name));
}

static void put_functions(struct pdump_section_page *page,
                          const struct pdump_stack_view *view)
{
    static const char *const plain[] = { "self %",    "self",   "total %",
                                         "total",     "stacks", "<defined",
                                         "<function", NULL };
    static const char *const ranks[] = { "self %",   "self",      "total %",
                                         "total",    "stacks",    "min",
                                         "@min",     "max",       "@max",
                                         "<defined", "<function", NULL };
    struct pdump_grid g;

    pdump_grid_open(&g, view->n_ranks > 1 ? ranks : plain);
    for (int i = 0; i < pdump_section_rows(page, view->n); i++)
        put_function(page, &g, view, &view->functions[i]);
    pdump_section_table(page, &g, NULL, "functions", view->n);
    pdump_grid_close(&g);
}

/* The text of "file:line", if the file is there and as it was. */
static void put_source(struct pdump_grid *g, const struct pdump_dump *dump,
                       const char *place)
{
    const char *colon = place ? strrchr(place, ':') : NULL;
    struct pdump_source_code source = { 0 };
    char *file = colon ? strndup(place, (size_t)(colon - place)) : NULL;
    char buf[SOURCE_MAX];
    const char *text = "";

    if (file && !pdump_source_code_read(&source, file, dump))
        text =
            pdump_source_code_line(&source, atoi(colon + 1), buf, sizeof(buf));
    pdump_grid_text(g, text + strspn(text, " "));
    pdump_source_code_free(&source);
    free(file);
}

static void put_path(struct pdump_section_page *page,
                     const struct pdump_stack_view *view)
{
    static const char *const titles[] = { "total %",   "stacks",  "<line",
                                          "<function", "<source", NULL };
    struct pdump_grid g;

    if (view->n_path == 0)
        return;
    pdump_grid_open(&g, titles);
    for (int i = 0; i < view->n_path; i++) {
        const struct pdump_stack_step *step = &view->path[i];
        const struct pdump_dump_region *region =
            &view->dump->regions[view->dump->nodes[step->node].region];

        pdump_grid_percent(&g, (double)step->total, (double)view->total);
        pdump_grid_count(&g, step->stacks);
        if (step->line)
            pdump_grid_text(&g, shown_part(page, step->line));
        else
            put_place(page, &g, region);
        pdump_grid_text(&g, shown_name(page, region->name));
        put_source(&g, view->dump, step->line);
    }
    pdump_section_table(page, &g, "Hot path", "frames", 0);
    pdump_grid_close(&g);
}

int pdump_section_stacks(struct pdump_section_page *page,
                         const struct pdump_dump *dump)
{
    struct pdump_stack_view view;
    int err = pdump_stack_view(dump, &view);
    FILE *line;

    if (err < 0)
        return err;
    pdump_section_gap(page);
    line = pdump_section_line(page);
    if (line) {
        put_head(line, &view);
        pdump_section_line_end(page, line);
    }
    put_functions(page, &view);
    put_path(page, &view);
    pdump_stack_view_free(&view);
    return PDUMP_OK;
}

/* Prints "; most in solve, 41.2 %". */
static void put_most(FILE *f, const struct pdump_stack_view *view)
{
    if (view->n == 0)
        return;
    fputs("; most in ", f);
    pdump_safe_text_put(
        f,
        pdump_stack_view_name(
            view->dump->regions[view->functions[0].region].name),
        60);
    if (view->total > 0)
        fprintf(f, ", %.1f %%",
                100 * (double)view->functions[0].self / (double)view->total);
}

void pdump_section_put_stacks(struct pdump_section_page *page,
                              const struct pdump_dump *dump)
{
    struct pdump_stack_view view;
    char text[48];
    FILE *f;

    if (!pdump_stacks_are_in(dump) || pdump_stack_view(dump, &view) < 0)
        return;
    f = pdump_section_line(page);
    if (f) {
        fprintf(f, "Stacks (--stacks): %" PRId64 " for %s of CPU time",
                view.stacks, duration(view.total, text));
        put_most(f, &view);
        pdump_section_line_end(page, f);
    }
    pdump_stack_view_free(&view);
}
