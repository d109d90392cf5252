/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the functions that cost most. */
#include "run/run_stacks.h"

#include "dump/stacks.h"
#include "report/grid.h"
#include "report/view/stack_view.h"

enum { MOST = 5 };

static void put_function(struct pdump_grid *g,
                         const struct pdump_stack_view *view,
                         const struct pdump_stack_function *fn)
{
    const struct pdump_dump_region *region = &view->dump->regions[fn->region];
    char place[400];

    snprintf(place, sizeof(place), "%.380s", region->file);
    if (region->line > 0)
        snprintf(place, sizeof(place), "%.380s:%d", region->file, region->line);
    pdump_grid_percent(g, (double)fn->self, (double)view->total);
    pdump_grid_number(g, (double)fn->self, "ns");
    pdump_grid_text(g, pdump_stack_view_name(region->name));
    pdump_grid_text(g, place);
}

int run_stacks_put(FILE *f, const struct pdump_dump *dump, int width)
{
    static const char *const titles[] = { "self %", "self", "<function",
                                          "<defined", NULL };
    struct pdump_stack_view view;
    struct pdump_grid g;
    int err;

    if (!pdump_stacks_are_in(dump))
        return PDUMP_OK;
    err = pdump_stack_view(dump, &view);
    if (err < 0)
        return err;
    if (view.n > 0 && view.functions[0].self > 0) {
        fputs("\nCPU time by function, from stacks (pdump report --stacks):\n",
              f);
        pdump_grid_open(&g, titles);
        for (int i = 0; i < view.n && i < MOST && view.functions[i].self > 0;
             i++)
            put_function(&g, &view, &view.functions[i]);
        pdump_grid_print(&g, f, width);
        pdump_grid_close(&g);
    }
    pdump_stack_view_free(&view);
    return PDUMP_OK;
}
