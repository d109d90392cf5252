/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints allocations by region; those that were never freed first. */
#include "report/section/section_private.h"
#include "report/view/detail_groups.h"
#include "report/grid.h"
#include "report/report_number.h"

#include <inttypes.h>
#include <stdlib.h>

static int64_t field_value(const struct pdump_detail_groups *view,
                           const struct pdump_detail_group *group,
                           const char *field)
{
    return pdump_detail_groups_int(view, group, field);
}

/* Returns the highest peak of a process, and sets which one; n_processes means
 * the sum of all, if the ranks were aggregated before. */
static double most_of(const struct pdump_dump *dump,
                      const struct pdump_dump_detail *detail, int *process)
{
    int at = pdump_dump_find_field(detail, "peak");
    double *peaks = calloc((size_t)dump->n_processes + 1, sizeof(*peaks));
    double most = 0;

    *process = -1;
    for (int64_t i = 0; peaks && at >= 0 && i < detail->n_rows; i++) {
        int thread = detail->rows[i].thread;
        int of = thread < 0 ? dump->n_processes : dump->threads[thread].process;

        peaks[of] += (double)detail->values[i * detail->n_values + at];
    }
    for (int i = 0; peaks && i <= dump->n_processes; i++)
        if (peaks[i] > most) {
            most = peaks[i];
            *process = i;
        }
    free(peaks);
    return most;
}

/* Prints "Heap: peak 1.2 GB on rank 3; 4.5 kB in 12 blocks never freed". */
static void put_head(struct pdump_section_page *page,
                     const struct pdump_dump *dump,
                     const struct pdump_dump_detail *detail)
{
    FILE *f = pdump_section_line(page);
    struct pdump_detail_groups all;
    char text[48];
    int process;
    double most = most_of(dump, detail, &process);

    if (!f)
        return;
    if (pdump_detail_groups(dump, detail, 0, &all) < 0) {
        pdump_section_line_end(page, f);
        return;
    }
    fprintf(f, "Heap: peak %s",
            pdump_report_number_text(most, "B", false, text));
    if (process == dump->n_processes)
        fputs(", added up over all ranks", f);
    else if (process >= 0 && pdump_dump_metadata(dump, "ranks"))
        fprintf(f, " on rank %d", dump->processes[process].rank);
    else if (process >= 0 && dump->n_processes > 1)
        fprintf(f, " in process %" PRId64, dump->processes[process].pid);
    if (all.n > 0)
        fprintf(f, "; %s in %" PRId64 " blocks never freed",
                pdump_report_number_text(
                    (double)field_value(&all, all.groups, "live"), "B", false,
                    text),
                field_value(&all, all.groups, "live_blocks"));
    pdump_section_line_end(page, f);
    pdump_detail_groups_free(&all);
}

static void put_name(struct pdump_grid *g, const struct pdump_dump *dump,
                     const struct pdump_dump_detail *detail,
                     const struct pdump_detail_group *group)
{
    char path[4096];

    if (group->node >= 0) {
        pdump_dump_node_path(dump, group->node, path, sizeof(path));
        pdump_grid_text(g, path);
    } else if (detail->labels[group->label][0] == 't') {
        pdump_grid_text(g, "(threads without regions)");
    } else {
        pdump_grid_text(g, "(outside of regions)");
    }
}

static int put_table(struct pdump_section_page *page,
                     const struct pdump_dump *dump,
                     const struct pdump_dump_detail *detail)
{
    static const char *const titles[] = { "left",   "blocks",  "allocated",
                                          "times",  "freed",   "frees",
                                          "peak +", "<region", NULL };
    static const int drop[] = { 5, 4, 3, 6, -1 };
    struct pdump_detail_groups view;
    struct pdump_grid g;
    int err = pdump_detail_groups(dump, detail, PDUMP_BY_NODE | PDUMP_BY_LABEL,
                                  &view);

    if (err < 0)
        return err;
    pdump_detail_groups_sort(&view, "allocated");
    pdump_detail_groups_sort(&view, "live");
    pdump_grid_open(&g, titles);
    g.drop = drop;
    for (int64_t i = 0; i < pdump_section_rows(page, view.n); i++) {
        const struct pdump_detail_group *group = &view.groups[i];

        pdump_grid_number(&g, (double)field_value(&view, group, "live"), "B");
        pdump_grid_count(&g, field_value(&view, group, "live_blocks"));
        pdump_grid_number(&g, (double)field_value(&view, group, "allocated"),
                          "B");
        pdump_grid_count(&g, field_value(&view, group, "allocations"));
        pdump_grid_number(&g, (double)field_value(&view, group, "freed"), "B");
        pdump_grid_count(&g, field_value(&view, group, "frees"));
        pdump_grid_number(&g, (double)field_value(&view, group, "peak"), "B");
        put_name(&g, dump, detail, group);
    }
    pdump_section_table(page, &g, NULL, "regions", view.n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

static const struct pdump_dump_detail *table_of(const struct pdump_dump *dump)
{
    const struct pdump_dump_detail *detail =
        pdump_dump_find_detail(dump, "heap");

    return detail && detail->n_rows > 0 ? detail : NULL;
}

void pdump_section_put_heap(struct pdump_section_page *page,
                            const struct pdump_dump *dump)
{
    if (table_of(dump))
        put_head(page, dump, table_of(dump));
}

int pdump_section_heap(struct pdump_section_page *page,
                       const struct pdump_dump *dump)
{
    const struct pdump_dump_detail *detail = table_of(dump);

    if (!detail)
        return pdump_fail(PDUMP_ENOENT,
                          "no allocations were recorded: run the program with "
                          "`pdump run --heap`");
    pdump_section_gap(page);
    put_head(page, dump, detail);
    return put_table(page, dump, detail);
}
