/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain table of texts; each column is as wide as its content. */
#ifndef PDUMP_GRID_H
#define PDUMP_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { GRID_COLUMNS_MAX = 16 };

/* Starts with grid_open(), ends with grid_close(). */
struct grid {
    const char *const *titles; /* one that begins with '<' is left-aligned */
    int n_columns;
    char **cells; /* row by row */
    size_t n_cells;
    size_t room;
    bool is_bad; /* out of memory; nothing is printed */
};

/* `titles` ends with NULL and is borrowed.  The last column gets the rest of
 * the page's width. */
void grid_open(struct grid *g, const char *const *titles);
void grid_close(struct grid *g);

/* Add the next cell: a text, or a figure in the format of reports. */
void grid_text(struct grid *g, const char *text);
void grid_count(struct grid *g, int64_t value);
void grid_number(struct grid *g, double value, const char *unit);
void grid_percent(struct grid *g, double part, double whole);

/* Prints the table on a page that is `width` wide (0: no limit). */
void grid_print(const struct grid *g, FILE *f, int width);

#endif
