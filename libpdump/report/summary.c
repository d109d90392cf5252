/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump in a few lines, for the end of a run. */
#include "report/summary.h"
#include "report/grid.h"
#include "report/section/section.h"
#include "report/user_locale.h"
#include "report/view/view_ranks.h"

#include <string.h>

enum { MOST = 5 }; /* lines that are read at a glance */

static void put_line(struct pdump_grid *g, const struct pdump_view *v, int item,
                     int n_ranks)
{
    int64_t self = pdump_view_value(v, item, v->key)->self;
    char buf[600];

    pdump_grid_percent(g, pdump_view_self_percent(v, item), 100);
    if (self == PDUMP_MISSING)
        pdump_grid_text(g, "-");
    else
        pdump_grid_number(g, (double)self / (n_ranks > 1 ? n_ranks : 1),
                          v->dump->metrics[v->key].unit);
    pdump_grid_text(g, pdump_view_name(v, item, buf, sizeof(buf)));
}

static int put_most(FILE *f, const struct pdump_dump *dump, int width)
{
    static const char *const one[] = { "self %", "self", "<region", NULL };
    static const char *const each[] = { "self %", "per rank", "<region", NULL };
    const struct pdump_view_options what = { .is_flat = true,
                                             .is_brief = true,
                                             .top = MOST,
                                             .order = PDUMP_VIEW_BY_SELF,
                                             .key = -1 };
    int n_ranks = pdump_ranks_of_job(dump, &(struct pdump_ranks){ 0 });
    struct pdump_view *view;
    struct pdump_grid g;
    int err = pdump_view_new(dump, &what, &view);

    if (err < 0)
        return err;
    pdump_grid_open(&g, n_ranks > 1 ? each : one);
    for (int i = 0; view->key >= 0 && i < view->n_shown; i++)
        put_line(&g, view, view->shown[i], n_ranks);
    if (g.n_cells > 0)
        pdump_grid_print(&g, f, width);
    pdump_grid_close(&g);
    pdump_view_free(view);
    return PDUMP_OK;
}

static int n_inside(const struct pdump_dump *dump)
{
    int n = 0;

    for (int i = 0; i < dump->n_regions; i++)
        n += strcmp(dump->regions[i].group, "program") != 0;
    return n;
}

int pdump_summary_print(FILE *f, const struct pdump_dump *dump, int width)
{
    const struct pdump_section_options how = { .width = width };
    struct pdump_user_locale locale;
    int err;

    pdump_user_locale_enter(&locale);
    err = put_most(f, dump, width);
    pdump_user_locale_leave(&locale);
    if (err < 0)
        return err;
    pdump_section_put_hints(f, dump, &how);
    return n_inside(dump);
}
