/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a histogram of sizes, one line for each bin that is not empty. */
#include "report/section/section_private.h"
#include "report/view/detail_groups.h"
#include "report/grid.h"
#include "report/report_number.h"

#include <string.h>

enum { BAR = 40 };

static int width_of(const struct pdump_dump_detail *detail, const char *name)
{
    for (int f = 0; f < detail->n_fields; f++)
        if (strcmp(detail->fields[f].name, name) == 0)
            return detail->fields[f].width;
    return 0;
}

/* Bin 0 is 0 bytes, bin k begins at 2^(k-1), the last bin has all above. */
static void put_range(struct pdump_grid *g, int bin, int n_bins)
{
    char low[48], high[48], text[120];
    double first = bin ? (double)(INT64_C(1) << (bin - 1)) : 0;

    pdump_report_number_text(first, "B", false, low);
    if (bin < 2)
        snprintf(text, sizeof(text), "%s", low);
    else if (bin == n_bins - 1)
        snprintf(text, sizeof(text), "from %s", low);
    else
        snprintf(text, sizeof(text), "%s to < %s", low,
                 pdump_report_number_text(2 * first, "B", false, high));
    pdump_grid_text(g, text);
}

int pdump_section_put_sizes(struct pdump_section_page *page,
                            const struct pdump_dump *dump,
                            const struct pdump_dump_detail *detail)
{
    static const char *const titles[] = { "size", "number", "%", "<", NULL };
    int at = pdump_dump_find_field(detail, "sizes");
    int n_bins = width_of(detail, "sizes");
    struct pdump_detail_groups view;
    int64_t sum = 0, most = 0;
    struct pdump_grid g;
    int err =
        at < 0 ? PDUMP_ENOENT : pdump_detail_groups(dump, detail, 0, &view);

    if (err < 0)
        return at < 0 ? PDUMP_OK : err;
    for (int b = 0; view.n > 0 && b < n_bins; b++) {
        int64_t n = view.groups[0].values[at + b];

        sum += n;
        most = n > most ? n : most;
    }
    pdump_grid_open(&g, titles);
    g.last = PDUMP_GRID_BAR;
    for (int b = 0; sum > 0 && b < n_bins; b++) {
        int64_t n = view.groups[0].values[at + b];
        char bar[BAR + 1] = "";

        if (!n)
            continue;
        put_range(&g, b, n_bins);
        pdump_grid_count(&g, n);
        pdump_grid_percent(&g, (double)n, (double)sum);
        memset(bar, '#', (size_t)((double)BAR * (double)n / (double)most));
        pdump_grid_text(&g, bar);
    }
    if (sum > 0)
        pdump_section_table(page, &g, "Sizes", "sizes", 0);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}
