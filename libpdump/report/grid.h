/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#ifndef PDUMP_GRID_H
#define PDUMP_GRID_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PDUMP_GRID_COLUMNS_MAX = 16 };

/* Starts with pdump_grid_open(), ends with pdump_grid_close(). */
struct pdump_grid {
    const char *const *titles; /* one that begins with '<' is left-aligned */
    int n_columns;
    char **cells; /* row by row */
    size_t n_cells;
    size_t room;
    bool is_bad; /* out of memory; nothing is printed */
};

/* `titles` ends with NULL and is borrowed.  The last column gets the rest of
 * the page's width. */
PDUMP_SHARED void pdump_grid_open(struct pdump_grid *g,
                                  const char *const *titles);
PDUMP_SHARED void pdump_grid_close(struct pdump_grid *g);

/* Add the next cell: a text, or a figure in the format of reports. */
PDUMP_SHARED void pdump_grid_text(struct pdump_grid *g, const char *text);
PDUMP_SHARED void pdump_grid_count(struct pdump_grid *g, int64_t value);
PDUMP_SHARED void pdump_grid_number(struct pdump_grid *g, double value,
                                    const char *unit);
PDUMP_SHARED void pdump_grid_percent(struct pdump_grid *g, double part,
                                     double whole);

/* Prints the table on a page that is `width` wide (0: no limit). */
PDUMP_SHARED void pdump_grid_print(const struct pdump_grid *g, FILE *f,
                                   int width);

/* Prints the table in Markdown; texts are code. */
void pdump_grid_markdown(const struct pdump_grid *g, FILE *f);

#endif
