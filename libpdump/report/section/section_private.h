/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections, and what they share. */
#ifndef PDUMP_SECTION_PRIVATE_H
#define PDUMP_SECTION_PRIVATE_H

#include "report/grid.h"
#include "report/section/section.h"

/* What sections are printed to. */
struct pdump_section_page {
    FILE *f;
    const struct pdump_section_options *options;
    const char *section; /* its name */
    int n_tables;        /* until now */
    char *text;          /* of the line that is being written */
    size_t len;
};

/* Write a paragraph to the file that the first returns, NULL without memory;
 * the second prints it, unless the page is for programs (section_page.c). */
FILE *pdump_section_line(struct pdump_section_page *page);
void pdump_section_line_end(struct pdump_section_page *page, FILE *line);

/* Returns true if the page is for programs: it has nothing but tables. */
bool pdump_section_is_data(const struct pdump_section_page *page);

/* Prints an empty line on a terminal. */
void pdump_section_gap(const struct pdump_section_page *page);

/* Returns how many rows of a list of n are shown. */
int64_t pdump_section_rows(const struct pdump_section_page *page, int64_t n);

/* Prints "... and 12 more" if a list of n was cut. */
void pdump_section_put_rest(const struct pdump_section_page *page, int64_t n,
                            const char *what);

/* Prints a table, with its title if that is not NULL, and how many lines are
 * missing if there are `n` in all; `name` is the plural of a line.  `title` may
 * be NULL: then the table is called `name`. */
void pdump_section_table(struct pdump_section_page *page,
                         const struct pdump_grid *g, const char *title,
                         const char *name, int64_t n);

/* A section.  Returns 0 or a pdump_error; PDUMP_ENOENT if nothing of the kind
 * was recorded. */
typedef int pdump_section(struct pdump_section_page *page,
                          const struct pdump_dump *dump);
pdump_section pdump_section_mpi;
pdump_section pdump_section_io;
pdump_section pdump_section_heap;
pdump_section pdump_section_lines;
pdump_section pdump_section_stacks;

/* Prints the peaks of the processes, if memory was sampled
 * (section_memory.c). */
void pdump_section_put_memory(struct pdump_section_page *page,
                              const struct pdump_dump *dump);

/* Prints the peak of the heap and what was never freed, if that was recorded
 * (section_heap.c). */
void pdump_section_put_heap(struct pdump_section_page *page,
                            const struct pdump_dump *dump);

/* Prints how many stacks the dump has, if any, and where most of them are
 * (section_stacks.c). */
void pdump_section_put_stacks(struct pdump_section_page *page,
                              const struct pdump_dump *dump);

/* Time in the outermost regions of a group ("mpi") and run time, of each
 * process (section_share.c).  The start of MPI stands apart: it is not the
 * program's communication.  Given: free(). */
struct pdump_section_share {
    int rank;
    int64_t pid;
    double time; /* ns */
    double init; /* ns in MPI_Init() */
    double run;
    int64_t calls;
};
int pdump_section_shares(const struct pdump_dump *dump, const char *group,
                         struct pdump_section_share **out, int *n);

/* Prints "MPI: 41.2 % of the run time (least 35.1 % on rank 2, most ...)" */
void pdump_section_put_shares(struct pdump_section_page *page,
                              const char *title,
                              const struct pdump_section_share *shares, int n);

/* Prints messages by their size, from the field `sizes` (section_sizes.c). */
int pdump_section_put_sizes(struct pdump_section_page *page,
                            const struct pdump_dump *dump,
                            const struct pdump_dump_detail *detail);

#endif
