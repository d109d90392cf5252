/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#include "report/grid.h"
#include "base/safe_text.h"
#include "report/report_markdown.h"
#include "report/report_number.h"

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
        free(g->cells[i]);
    free(g->cells);
}

void pdump_grid_text(struct pdump_grid *g, const char *text)
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

void pdump_grid_count(struct pdump_grid *g, int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, value);
    pdump_grid_text(g, text);
}

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void pdump_grid_number(struct pdump_grid *g, double value, const char *unit)
{
    char text[48];

    pdump_grid_text(g, pdump_report_number_text(value, unit, is_utf8(), text));
}

void pdump_grid_percent(struct pdump_grid *g, double part, double whole)
{
    char text[24] = "-";

    if (whole > 0 && isfinite(part))
        snprintf(text, sizeof(text), "%.1f", 100 * part / whole);
    pdump_grid_text(g, text);
}

/* Counts characters, not bytes: "µs" has two characters. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static const char *title_of(const struct pdump_grid *g, int column)
{
    const char *title = g->titles[column];

    return title + (title[0] == '<');
}

static void find_widths(const struct pdump_grid *g, int *widths)
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

static void put_cell(const struct pdump_grid *g, FILE *f, int column, int width,
                     const char *text, int left)
{
    bool is_last = column == g->n_columns - 1;
    int pad = width - width_of(text);

    if (g->titles[column][0] != '<')
        fprintf(f, "%*s", pad, "");
    pdump_safe_text_put(f, text, is_last ? left : 0);
    if (g->titles[column][0] == '<' && !is_last)
        fprintf(f, "%*s", pad, "");
    fputs(is_last ? "\n" : "  ", f);
}

void pdump_grid_print(const struct pdump_grid *g, FILE *f, int width)
{
    int widths[PDUMP_GRID_COLUMNS_MAX], left = 0, n = g->n_columns;

    if (g->is_bad || n > PDUMP_GRID_COLUMNS_MAX)
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

void pdump_grid_markdown(const struct pdump_grid *g, FILE *f)
{
    const struct pdump_report_page page = { .f = f, .is_utf8 = is_utf8() };
    size_t n = (size_t)g->n_columns;

    if (g->is_bad)
        return;
    for (size_t c = 0; c < n; c++) {
        fputs(c == 0 ? "| " : " | ", f);
        pdump_report_markdown_text(&page, title_of(g, (int)c));
    }
    fputs(" |\n|", f);
    for (size_t c = 0; c < n; c++)
        fputs(g->titles[c][0] == '<' ? ":---|" : "---:|", f);
    for (size_t i = 0; i < g->n_cells - g->n_cells % n; i++) {
        fputs(i % n == 0 ? "\n| " : " | ", f);
        if (g->titles[i % n][0] == '<' && g->cells[i][0] != '\0')
            pdump_report_markdown_code(&page, g->cells[i]);
        else
            pdump_report_markdown_text(&page, g->cells[i]);
        fputs(i % n == n - 1 ? " |" : "", f);
    }
    fputc('\n', f);
}
