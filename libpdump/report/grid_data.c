/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a table of texts as CSV, JSON or Markdown. */
#include "base/csv.h"
#include "base/json.h"
#include "report/grid.h"
#include "report/report_markdown.h"

#include <langinfo.h>
#include <string.h>

/* A bar says what another column says. */
static int n_data(const struct pdump_grid *g)
{
    return g->n_columns - (g->last == PDUMP_GRID_BAR);
}

static size_t n_rows(const struct pdump_grid *g)
{
    return g->is_bad ? 0 : g->n_cells / (size_t)g->n_columns;
}

static const struct pdump_grid_cell *cell_at(const struct pdump_grid *g,
                                             size_t row, int column)
{
    return &g->cells[row * (size_t)g->n_columns + (size_t)column];
}

/* Returns the unit of a column of figures, "" for counts, NULL for texts. */
static const char *unit_of(const struct pdump_grid *g, int column)
{
    for (size_t r = 0; r < n_rows(g); r++) {
        const char *unit = cell_at(g, r, column)->unit;

        if (unit)
            return strcmp(unit, "1") == 0 ? "" : unit;
    }
    return NULL;
}

/* Returns what programs call a column. */
static const char *name_of(const struct pdump_grid *g, int column)
{
    const char *title = pdump_grid_title(g, column);

    return strcmp(title, "%") == 0 ? "percent" : title;
}

void pdump_grid_csv(const struct pdump_grid *g, FILE *f, const char *name)
{
    fputs("table", f);
    for (int c = 0; c < n_data(g); c++) {
        const char *unit = unit_of(g, c);
        const char *const pieces[] = { name_of(g, c), " [", unit, "]" };

        fputc(',', f);
        pdump_csv_put_pieces(f, pieces,
                             unit && *unit && strcmp(unit, "%") ? 4 : 1);
    }
    fputc('\n', f);
    for (size_t r = 0; r < n_rows(g); r++) {
        pdump_csv_put_text(f, name);
        for (int c = 0; c < n_data(g); c++) {
            const struct pdump_grid_cell *cell = cell_at(g, r, c);

            fputc(',', f);
            if (unit_of(g, c))
                pdump_csv_put_real(f, cell->value);
            else
                pdump_csv_put_text(f, cell->text);
        }
        fputc('\n', f);
    }
}

void pdump_grid_json(const struct pdump_grid *g, FILE *f, const char *name)
{
    pdump_json_string(f, "{\"table\": ", name);
    fputs(",\n     \"columns\": [", f);
    for (int c = 0; c < n_data(g); c++) {
        const char *unit = unit_of(g, c);

        pdump_json_string(
            f, c > 0 ? ", {\"name\": " : "{\"name\": ", name_of(g, c));
        pdump_json_string(f, ", \"unit\": ", unit ? unit : "");
        fputc('}', f);
    }
    fputs("],\n     \"lines\": [", f);
    for (size_t r = 0; r < n_rows(g); r++) {
        fputs(r > 0 ? ",\n      " : "\n      ", f);
        for (int c = 0; c < n_data(g); c++) {
            const struct pdump_grid_cell *cell = cell_at(g, r, c);

            pdump_json_string(f, c > 0 ? ", " : "{", name_of(g, c));
            if (unit_of(g, c))
                pdump_json_real(f, ": ", cell->value);
            else
                pdump_json_string(f, ": ", cell->text);
        }
        fputc('}', f);
    }
    fputs("]}", f);
}

void pdump_grid_markdown(const struct pdump_grid *g, FILE *f)
{
    const struct pdump_report_page page = {
        .f = f,
        .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };

    fputc('|', f);
    for (int c = 0; c < n_data(g); c++)
        fprintf(f, " %s |", pdump_grid_title(g, c));
    fputs("\n|", f);
    for (int c = 0; c < n_data(g); c++)
        fputs(g->titles[c][0] == '<' ? ":---|" : "---:|", f);
    fputc('\n', f);
    for (size_t r = 0; r < n_rows(g); r++) {
        fputc('|', f);
        for (int c = 0; c < n_data(g); c++) {
            const struct pdump_grid_cell *cell = cell_at(g, r, c);

            fputc(' ', f);
            if (cell->unit)
                pdump_report_markdown_text(&page, cell->text);
            else if (cell->text[0] != '\0')
                pdump_report_markdown_code(&page, cell->text);
            fputs(" |", f);
        }
        fputc('\n', f);
    }
    fputc('\n', f);
}
