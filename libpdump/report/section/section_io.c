/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a program read and wrote: by function, and by file. */
#include "report/section/section_private.h"
#include "report/view/detail_groups.h"
#include "report/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double field_value(const struct pdump_detail_groups *view, int64_t i,
                          const char *field)
{
    return (double)pdump_detail_groups_int(view, &view->groups[i], field);
}

/* Returns bytes per second, or NAN if no bytes were moved. */
static double transfer_rate(const struct pdump_detail_groups *view, int64_t i)
{
    double time = field_value(view, i, "time"),
           bytes = field_value(view, i, "bytes");

    return time > 0 && bytes > 0 ? bytes / time * 1e9 : NAN;
}

/* Counts reads and writes that succeeded; opens and seeks move no bytes. */
static double bytes_moved(const struct pdump_detail_groups *view, int64_t i)
{
    const struct pdump_dump_detail *detail = view->detail;
    int at = pdump_dump_find_field(detail, "sizes");
    double sum = 0;

    for (int f = 0; f < detail->n_fields; f++) {
        if (strcmp(detail->fields[f].name, "sizes") != 0)
            continue;
        for (int b = 0; b < detail->fields[f].width; b++)
            sum += (double)view->groups[i].values[at + b];
    }
    return sum;
}

static void put_figures(struct pdump_grid *g,
                        const struct pdump_detail_groups *view, int64_t i)
{
    pdump_grid_number(g, field_value(view, i, "time"), "ns");
    pdump_grid_count(g, (int64_t)field_value(view, i, "calls"));
    pdump_grid_number(g, field_value(view, i, "bytes"), "B");
    pdump_grid_number(g, transfer_rate(view, i), "B/s");
    pdump_grid_percent(g, field_value(view, i, "sequential"),
                       bytes_moved(view, i));
    pdump_grid_count(g, (int64_t)field_value(view, i, "errors"));
}

static int put_view(struct pdump_section_page *page,
                    const struct pdump_dump *dump,
                    const struct pdump_dump_detail *detail, unsigned by)
{
    static const char *const titles[] = { "time",   "calls",  "bytes", "rate",
                                          "seq. %", "errors", "<name", NULL };
    static const int drop[] = { 5, 4, 3, -1 };
    bool is_files = by & PDUMP_BY_LABEL;
    struct pdump_detail_groups view;
    struct pdump_grid g;
    int err = pdump_detail_groups(dump, detail, by, &view);

    if (err < 0)
        return err;
    pdump_detail_groups_sort(&view, "time");
    pdump_grid_open(&g, titles);
    g.drop = drop;
    for (int64_t i = 0; i < pdump_section_rows(page, view.n); i++) {
        const struct pdump_detail_group *group = &view.groups[i];

        put_figures(&g, &view, i);
        if (is_files)
            pdump_grid_text(&g, detail->labels[group->label]);
        else
            pdump_grid_text(
                &g, group->region < 0 ? "" : dump->regions[group->region].name);
    }
    pdump_section_table(page, &g, is_files ? "Files" : NULL,
                        is_files ? "files" : "functions", view.n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

int pdump_section_io(struct pdump_section_page *page,
                     const struct pdump_dump *dump)
{
    const struct pdump_dump_detail *detail = pdump_dump_find_detail(dump, "io");
    struct pdump_section_share *shares;
    int n, err;

    if (!detail || detail->n_rows == 0)
        return pdump_fail(PDUMP_ENOENT,
                          "no I/O was recorded: run the program with "
                          "`pdump run --io`");
    err = pdump_section_shares(dump, "io", &shares, &n);
    if (err < 0)
        return err;
    pdump_section_gap(page);
    pdump_section_put_shares(page, "I/O", shares, n);
    free(shares);
    err = put_view(page, dump, detail, PDUMP_BY_REGION);
    if (err >= 0)
        err = put_view(page, dump, detail, PDUMP_BY_LABEL);
    if (err >= 0)
        err = pdump_section_put_sizes(page, dump, detail);
    return err;
}
