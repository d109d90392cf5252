/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#include "common/grid.h"
#include "command.h"

#include "report/report_number.h"

#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LAST_MIN = 16 };

void grid_open(struct grid *g, const char *const *titles)
{
    *g = (struct grid){ .titles = titles };
    while (titles[g->n_columns])
        g->n_columns++;
}

void grid_close(struct grid *g)
{
    for (size_t i = 0; i < g->n_cells; i++)
        free(g->cells[i]);
    free(g->cells);
}

void grid_text(struct grid *g, const char *text)
{
    char *copy = strdup(text);

    if (g->n_cells == g->room) {
        size_t room = g->room ? 2 * g->room : 64;
        char **cells = realloc(g->cells, room * sizeof(*cells));

        if (cells) {
            g->cells = cells;
            g->room = room;
        }
    }
    if (!copy || g->n_cells == g->room) {
        g->is_bad = true;
        free(copy);
        return;
    }
    g->cells[g->n_cells++] = copy;
}

void grid_count(struct grid *g, int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, value);
    grid_text(g, text);
}

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void grid_number(struct grid *g, double value, const char *unit)
{
    char text[48];

    grid_text(g, pdump_report_number_text(value, unit, is_utf8(), text));
}

void grid_percent(struct grid *g, double part, double whole)
{
    char text[24] = "-";

    if (whole > 0 && isfinite(part))
        snprintf(text, sizeof(text), "%.1f", 100 * part / whole);
    grid_text(g, text);
}

/* Counts characters, not bytes: "µs" has two characters. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static const char *title_of(const struct grid *g, int column)
{
    const char *title = g->titles[column];

    return title + (title[0] == '<');
}

static void find_widths(const struct grid *g, int *widths)
{
    for (int c = 0; c < g->n_columns; c++)
        widths[c] = width_of(title_of(g, c));
    for (size_t i = 0; i < g->n_cells; i++) {
        int *width = &widths[i % (size_t)g->n_columns];
        int own = width_of(g->cells[i]);

        if (own > *width)
            *width = own;
    }
}

static void put_cell(const struct grid *g, FILE *f, int column, int width,
                     const char *text, int left)
{
    bool is_last = column == g->n_columns - 1;
    int pad = width - width_of(text);

    if (g->titles[column][0] != '<')
        fprintf(f, "%*s", pad, "");
    command_put_text(f, text, is_last ? left : 0);
    if (g->titles[column][0] == '<' && !is_last)
        fprintf(f, "%*s", pad, "");
    fputs(is_last ? "\n" : "  ", f);
}

void grid_print(const struct grid *g, FILE *f, int width)
{
    int widths[GRID_COLUMNS_MAX], left = 0, n = g->n_columns;

    if (g->is_bad || n > GRID_COLUMNS_MAX)
        return;
    find_widths(g, widths);
    if (width > 0) {
        left = width;
        for (int c = 0; c + 1 < n; c++)
            left -= widths[c] + GAP;
        left = left < LAST_MIN ? LAST_MIN : left;
    }
    for (int c = 0; c < n; c++)
        put_cell(g, f, c, widths[c], title_of(g, c), left);
    for (size_t i = 0; i + (size_t)n <= g->n_cells; i += (size_t)n)
        for (int c = 0; c < n; c++)
            put_cell(g, f, c, widths[c], g->cells[i + (size_t)c], left);
}
