/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections of a report: tables made from the details of MPI, I/O, the heap and
 * lines. */
#ifndef PDUMP_SECTION_H
#define PDUMP_SECTION_H

#include "dump/dump.h"

#include <stdio.h>

struct section_options {
    int width; /* of the page; 0: no limit */
    int top;   /* rows of long lists; 0: all */
};

enum { SECTION_TOP = 20 }; /* rows by default */

/* Returns 0 or a pdump_error; PDUMP_ENOENT if nothing of the kind was
 * recorded. */
typedef int section(FILE *f, const struct pdump_dump *dump,
                    const struct section_options *options);
section section_mpi;
section section_io;
section section_heap;
section section_lines;

/* Returns the section called "mpi", "io" ...; NULL if there is none
 * (section.c). */
section *section_find(const char *name);

/* Prints a line for each section that has data. */
void section_put_hints(FILE *f, const struct pdump_dump *dump);

/* Prints the peaks of the processes, if memory was sampled
 * (section_memory.c). */
void section_put_memory(FILE *f, const struct pdump_dump *dump);

/* Prints the peak of the heap and what was never freed, if that was recorded
 * (section_heap.c). */
void section_put_heap(FILE *f, const struct pdump_dump *dump);

/* Time in the outermost regions of a group ("mpi") and run time, of each
 * process (section_share.c).  Given: free(). */
struct section_share {
    int rank;
    int64_t pid;
    double time; /* ns */
    double run;
    int64_t calls;
};
int section_shares(const struct pdump_dump *dump, const char *group,
                   struct section_share **out, int *n);

/* Prints "MPI: 41.2 % of the run time (least 35.1 % on rank 2, most ...)" */
void section_put_shares(FILE *f, const char *title,
                        const struct section_share *shares, int n);

/* Prints messages by their size, from the field `sizes` (section_sizes.c). */
int section_put_sizes(FILE *f, const struct pdump_dump *dump,
                      const struct pdump_dump_detail *detail,
                      const struct section_options *options);

/* Prints "... and 12 more" if a list of n was cut. */
void section_put_rest(FILE *f, int64_t n, const struct section_options *options,
                      const char *what);

#endif
