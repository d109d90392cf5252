/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#include "report/grid.h"
#include "base/safe_text.h"
#include "report/report_number.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LAST_MIN = 16 };

void pdump_grid_open(struct pdump_grid *g, const char *const *titles)
{
    *g = (struct pdump_grid){ .titles = titles };
    while (titles[g->n_columns])
        g->n_columns++;
}

void pdump_grid_close(struct pdump_grid *g)
{
    for (size_t i = 0; i < g->n_cells; i++)
        free(g->cells[i].text);
    free(g->cells);
}

static void add_cell(struct pdump_grid *g, const char *text, double value,
                     const char *unit)
{
    char *copy = strdup(text);

    if (g->n_cells == g->room) {
        size_t room = g->room ? 2 * g->room : 64;
        struct pdump_grid_cell *cells =
            realloc(g->cells, room * sizeof(*cells));

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
    g->cells[g->n_cells++] = (struct pdump_grid_cell){ copy, value, unit };
}

void pdump_grid_text(struct pdump_grid *g, const char *text)
{
    add_cell(g, text, NAN, NULL);
}

void pdump_grid_count(struct pdump_grid *g, int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, value);
    add_cell(g, text, (double)value, "1");
}

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void pdump_grid_number(struct pdump_grid *g, double value, const char *unit)
{
    char text[48];

    add_cell(g, pdump_report_number_text(value, unit, is_utf8(), text), value,
             unit);
}

void pdump_grid_percent(struct pdump_grid *g, double part, double whole)
{
    bool has = whole > 0 && isfinite(part);
    char text[24] = "-";

    if (has)
        snprintf(text, sizeof(text), "%.1f", 100 * part / whole);
    add_cell(g, text, has ? 100 * part / whole : NAN, "%");
}

/* Counts characters, not bytes: "µs" has two characters. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

const char *pdump_grid_title(const struct pdump_grid *g, int column)
{
    const char *title = g->titles[column];

    return title + (title[0] == '<');
}

static void find_widths(const struct pdump_grid *g, int *widths)
{
    for (int c = 0; c < g->n_columns; c++)
        widths[c] = width_of(pdump_grid_title(g, c));
    for (size_t i = 0; i < g->n_cells; i++) {
        int *width = &widths[i % (size_t)g->n_columns];
        int own = width_of(g->cells[i].text);

        if (own > *width)
            *width = own;
    }
}

static void put_last(const struct pdump_grid *g, FILE *f, const char *text,
                     int left)
{
    if (left > 0 && g->last == PDUMP_GRID_NAME)
        pdump_report_text_put(f, text, strlen(text), left, is_utf8());
    else
        pdump_safe_text_put(f, text, left);
    fputc('\n', f);
}

static void put_cell(const struct pdump_grid *g, FILE *f, int column, int width,
                     const char *text, int left)
{
    bool is_last = column == g->n_columns - 1;
    bool is_left = g->titles[column][0] == '<';
    int pad = width - width_of(text);

    if (!is_left)
        fprintf(f, "%*s", pad, "");
    if (is_last) {
        put_last(g, f, text, left);
        return;
    }
    pdump_safe_text_put(f, text, 0);
    fprintf(f, "%*s", GAP + (is_left ? pad : 0), "");
}

/* Returns the columns that are left for the last one. */
static int room_for_last(const struct pdump_grid *g, const int *widths,
                         int width)
{
    for (int c = 0; c + 1 < g->n_columns; c++)
        width -= widths[c] < 0 ? 0 : widths[c] + GAP;
    return width;
}

/* Gives columns the width -1 until the others fit. */
static int drop_columns(const struct pdump_grid *g, int *widths, int width)
{
    int least = widths[g->n_columns - 1];

    least = least < LAST_MIN ? least : LAST_MIN;
    for (const int *c = g->drop; c && *c >= 0; c++)
        if (room_for_last(g, widths, width) < least)
            widths[*c] = -1;
    width = room_for_last(g, widths, width);
    return width < least ? least : width;
}

void pdump_grid_print(const struct pdump_grid *g, FILE *f, int width)
{
    int widths[PDUMP_GRID_COLUMNS_MAX] = { 0 }, left = 0, n = g->n_columns;

    if (g->is_bad || n > PDUMP_GRID_COLUMNS_MAX)
        return;
    find_widths(g, widths);
    if (width > 0)
        left = drop_columns(g, widths, width);
    for (int c = 0; c < n; c++)
        if (widths[c] >= 0)
            put_cell(g, f, c, widths[c], pdump_grid_title(g, c), left);
    for (size_t i = 0; i < g->n_cells / (size_t)n * (size_t)n; i++)
        if (widths[i % (size_t)n] >= 0)
            put_cell(g, f, (int)(i % (size_t)n), widths[i % (size_t)n],
                     g->cells[i].text, left);
}
