/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#ifndef PDUMP_GRID_H
#define PDUMP_GRID_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PDUMP_GRID_COLUMNS_MAX = 16 };

/* What the last column has, which gets the rest of the page's width. */
enum pdump_grid_last {
    PDUMP_GRID_NAME, /* keeps its last part if there is no room */
    PDUMP_GRID_CODE, /* loses its end */
    PDUMP_GRID_BAR,  /* only on a terminal */
};

struct pdump_grid_cell {
    char *text;
    double value;     /* NAN: it has none */
    const char *unit; /* "1" for counts; NULL: a text */
};

/* Starts with pdump_grid_open(), ends with pdump_grid_close(). */
struct pdump_grid {
    const char *const *titles; /* one that begins with '<' is left-aligned */
    int n_columns;
    enum pdump_grid_last last;
    /* Columns that are left out if there is no room, the first one first, up to
     * a -1; borrowed, or NULL. */
    const int *drop;
    struct pdump_grid_cell *cells; /* row by row */
    size_t n_cells;
    size_t room;
    bool is_bad; /* out of memory; nothing is printed */
};

/* `titles` ends with NULL and is borrowed. */
PDUMP_SHARED void pdump_grid_open(struct pdump_grid *g,
                                  const char *const *titles);
PDUMP_SHARED void pdump_grid_close(struct pdump_grid *g);

/* Add the next cell: a text, or a figure in the format of reports.  `unit` is
 * static. */
PDUMP_SHARED void pdump_grid_text(struct pdump_grid *g, const char *text);
PDUMP_SHARED void pdump_grid_count(struct pdump_grid *g, int64_t value);
PDUMP_SHARED void pdump_grid_number(struct pdump_grid *g, double value,
                                    const char *unit);
PDUMP_SHARED void pdump_grid_percent(struct pdump_grid *g, double part,
                                     double whole);

/* Prints the table on a page that is `width` wide (0: no limit). */
PDUMP_SHARED void pdump_grid_print(const struct pdump_grid *g, FILE *f,
                                   int width);

/* Print the table for programs, with all digits: as CSV with a first column
 * "table" that has `name` in each line, or as a JSON object; or in Markdown
 * (grid_data.c). */
void pdump_grid_csv(const struct pdump_grid *g, FILE *f, const char *name);
void pdump_grid_json(const struct pdump_grid *g, FILE *f, const char *name);
void pdump_grid_markdown(const struct pdump_grid *g, FILE *f);

/* Returns the title of a column without its mark. */
const char *pdump_grid_title(const struct pdump_grid *g, int column);

#endif
