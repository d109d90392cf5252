/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections, and what they share. */
#ifndef PDUMP_SECTION_PRIVATE_H
#define PDUMP_SECTION_PRIVATE_H

#include "report/section/section.h"

/* A section.  Returns 0 or a pdump_error; PDUMP_ENOENT if nothing of the kind
 * was recorded. */
typedef int pdump_section(FILE *f, const struct pdump_dump *dump,
                          const struct pdump_section_options *options);
pdump_section pdump_section_mpi;
pdump_section pdump_section_io;
pdump_section pdump_section_heap;
pdump_section pdump_section_lines;
pdump_section pdump_section_stacks;

/* Prints the peaks of the processes, if memory was sampled
 * (section_memory.c). */
void pdump_section_put_memory(FILE *f, const struct pdump_dump *dump);

/* Prints the peak of the heap and what was never freed, if that was recorded
 * (section_heap.c). */
void pdump_section_put_heap(FILE *f, const struct pdump_dump *dump);

/* Time in the outermost regions of a group ("mpi") and run time, of each
 * process (section_share.c).  Given: free(). */
struct pdump_section_share {
    int rank;
    int64_t pid;
    double time; /* ns */
    double run;
    int64_t calls;
};
int pdump_section_shares(const struct pdump_dump *dump, const char *group,
                         struct pdump_section_share **out, int *n);

/* Prints "MPI: 41.2 % of the run time (least 35.1 % on rank 2, most ...)" */
void pdump_section_put_shares(FILE *f, const char *title,
                              const struct pdump_section_share *shares, int n);

/* Prints messages by their size, from the field `sizes` (section_sizes.c). */
int pdump_section_put_sizes(FILE *f, const struct pdump_dump *dump,
                            const struct pdump_dump_detail *detail,
                            const struct pdump_section_options *options);

/* Prints the stacks by function, and the hot path, as CSV or JSON:
 * docs/stacks.md (section_stacks_data.c). */
struct pdump_stack_view;
void pdump_section_stacks_csv(FILE *f, const struct pdump_stack_view *view,
                              int top);
void pdump_section_stacks_json(FILE *f, const struct pdump_stack_view *view,
                               int top);

/* Prints "... and 12 more" if a list of n was cut. */
void pdump_section_put_rest(FILE *f, int64_t n,
                            const struct pdump_section_options *options,
                            const char *what);

#endif
