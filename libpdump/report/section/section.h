/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections of a report: tables made from the details of MPI, I/O, the heap and
 * lines, and from stacks. */
#ifndef PDUMP_SECTION_H
#define PDUMP_SECTION_H

#include "report/report.h"

struct pdump_section_options {
    enum pdump_report_format format;
    int width; /* of the page; 0: no limit */
    int top;   /* rows of long lists; 0: all */
};

enum { PDUMP_SECTION_TOP = 20 }; /* rows by default */

/* Prints the sections "mpi", "io", "heap", "lines" or "stacks" in the
 * characters of the user's locale.  For programs they are tables: in CSV with
 * an empty line between two, in JSON in one document.  PDUMP_ENOENT if nothing
 * of the kind was recorded. */
PDUMP_SHARED int pdump_section_print(
    FILE *f, const char *const *names, int n, const struct pdump_dump *dump,
    const struct pdump_section_options *options);

/* Prints the peak memory, and each section that the dump has data for. */
int pdump_section_print_all(FILE *f, const struct pdump_dump *dump,
                            const struct pdump_section_options *options);

/* Prints the peak memory, and a line for each section that has data, with the
 * option of `pdump report` that shows it. */
PDUMP_SHARED void pdump_section_put_hints(
    FILE *f, const struct pdump_dump *dump,
    const struct pdump_section_options *options);

#endif
