/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump in a few lines, for the end of a run. */
#ifndef PDUMP_SUMMARY_H
#define PDUMP_SUMMARY_H

#include "dump/dump.h"

#include <stdio.h>

/* Prints the regions or functions that took most themselves, with their share,
 * and a line for each of MPI, I/O, memory and the heap that was recorded.
 * `width` 0: no limit.  Returns how many regions there are inside of programs:
 * if none, only the programs are listed. */
PDUMP_SHARED int pdump_summary_print(FILE *f, const struct pdump_dump *dump,
                                     int width);

#endif
