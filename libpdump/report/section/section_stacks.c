/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints stacks: the functions that cost most, and the way to where most of
 * them are, as source lines. */
#include "report/grid.h"
#include "report/report_number.h"
#include "report/section/section_private.h"
#include "report/view/source_code.h"
#include "report/view/stack_view.h"
#include "base/safe_text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 200 }; /* of a line of source */

static const char *duration(int64_t ns, char *buf)
{
    bool is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

    return pdump_report_number_text((double)ns, "ns", is_utf8, buf);
}

/* Returns a number of the dump's metadata; 0 if it is not there. */
static int64_t fact(const struct pdump_dump *dump, const char *key)
{
    const char *value = pdump_dump_metadata(dump, key);

    return value ? strtoll(value, NULL, 10) : 0;
}

/* Prints "; 3 of 1200 unfinished, 5 lost". */
static void put_losses(FILE *f, const struct pdump_dump *dump)
{
    int64_t unfinished = fact(dump, "stacks_unfinished");
    int64_t lost = fact(dump, "stacks_lost");

    if (unfinished > 0)
        fprintf(f, "; %" PRId64 " of %" PRId64 " unfinished", unfinished,
                fact(dump, "stacks"));
    if (lost > 0)
        fprintf(f, "%s%" PRId64 " lost", unfinished > 0 ? ", " : "; ", lost);
}

/* Prints how many there are, and the rate: "Stacks: 1200 for 12.1 s of CPU
 * time, 99.2 a second (asked for: timer, 100 a second)". */
static void put_head(FILE *f, const struct pdump_stack_view *view)
{
    const char *clock = pdump_dump_metadata(view->dump, "stacks_clock");
    double ns = (double)fact(view->dump, "stacks_cpu_time_ns");
    char text[48];

    fprintf(f, "Stacks: %" PRId64 " for %s of CPU time", view->stacks,
            duration(view->total, text));
    if (ns > 0)
        fprintf(f, ", %.1f a second",
                (double)fact(view->dump, "stacks") / ns * 1e9);
    if (clock) {
        fputs(" (asked for: ", f);
        pdump_safe_text_put(f, clock, 0);
        fputc(')', f);
    }
    put_losses(f, view->dump);
    fputc('\n', f);
}

/* Returns "name.c:12" of "/path/name.c:12". */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void put_place(struct pdump_grid *g, const char *file, int line)
{
    char text[300];

    if (line > 0)
        snprintf(text, sizeof(text), "%.250s:%d", last_part(file), line);
    else
        snprintf(text, sizeof(text), "%.250s", last_part(file));
    pdump_grid_text(g, text);
}

static void put_function(struct pdump_grid *g,
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
    put_place(g, region->file, region->line);
    pdump_grid_text(g, region->name);
}

static void print(struct pdump_grid *g, FILE *f,
                  const struct pdump_section_options *options)
{
    if (options->format == PDUMP_REPORT_MARKDOWN)
        pdump_grid_markdown(g, f);
    else
        pdump_grid_print(g, f, options->width);
    pdump_grid_close(g);
}

static void put_functions(FILE *f, const struct pdump_stack_view *view,
                          const struct pdump_section_options *options)
{
    static const char *const plain[] = { "self %",    "self",   "total %",
                                         "total",     "stacks", "<defined",
                                         "<function", NULL };
    static const char *const ranks[] = { "self %",   "self",      "total %",
                                         "total",    "stacks",    "least",
                                         "rank",     "most",      "rank",
                                         "<defined", "<function", NULL };
    struct pdump_grid g;

    pdump_grid_open(&g, view->n_ranks > 1 ? ranks : plain);
    for (int i = 0; i < view->n && (!options->top || i < options->top); i++)
        put_function(&g, view, &view->functions[i]);
    print(&g, f, options);
    pdump_section_put_rest(f, view->n, options, "functions (--top)");
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

static void put_path(FILE *f, const struct pdump_stack_view *view,
                     const struct pdump_section_options *options)
{
    static const char *const titles[] = { "total %",   "stacks",  "<line",
                                          "<function", "<source", NULL };
    struct pdump_grid g;

    if (view->n_path == 0)
        return;
    fputs("\nThe hot path, from the outside to the inside:\n", f);
    if (options->format == PDUMP_REPORT_MARKDOWN)
        fputc('\n', f);
    pdump_grid_open(&g, titles);
    for (int i = 0; i < view->n_path; i++) {
        const struct pdump_stack_step *step = &view->path[i];
        const struct pdump_dump_region *region =
            &view->dump->regions[view->dump->nodes[step->node].region];

        pdump_grid_percent(&g, (double)step->total, (double)view->total);
        pdump_grid_count(&g, step->stacks);
        if (step->line)
            pdump_grid_text(&g, last_part(step->line));
        else
            put_place(&g, region->file, region->line);
        pdump_grid_text(&g, region->name);
        put_source(&g, view->dump, step->line);
    }
    print(&g, f, options);
}

int pdump_section_stacks(FILE *f, const struct pdump_dump *dump,
                         const struct pdump_section_options *options)
{
    struct pdump_stack_view view;
    int err = pdump_stack_view(dump, &view);

    if (err < 0)
        return err;
    if (options->format == PDUMP_REPORT_CSV) {
        pdump_section_stacks_csv(f, &view, options->top);
    } else if (options->format == PDUMP_REPORT_JSON) {
        pdump_section_stacks_json(f, &view, options->top);
    } else {
        if (options->format == PDUMP_REPORT_TERMINAL)
            fputc('\n', f);
        put_head(f, &view);
        if (options->format == PDUMP_REPORT_MARKDOWN)
            fputc('\n', f);
        put_functions(f, &view, options);
        put_path(f, &view, options);
    }
    pdump_stack_view_free(&view);
    return PDUMP_OK;
}

void pdump_section_put_stacks_hint(FILE *f, const struct pdump_dump *dump)
{
    struct pdump_stack_view view;
    char text[48];

    if (pdump_stack_view(dump, &view) < 0)
        return;
    fprintf(f, "Stacks (--stacks): %" PRId64 " for %s of CPU time", view.stacks,
            duration(view.total, text));
    if (view.n > 0) {
        fputs("; most in ", f);
        pdump_safe_text_put(f, dump->regions[view.functions[0].region].name,
                            60);
        if (view.total > 0)
            fprintf(f, ", %.1f %%",
                    100 * (double)view.functions[0].self / (double)view.total);
    }
    fputc('\n', f);
    pdump_stack_view_free(&view);
}
