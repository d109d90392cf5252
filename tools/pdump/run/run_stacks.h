/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the summary of `pdump run` that is about stacks. */
#ifndef PDUMP_RUN_STACKS_H
#define PDUMP_RUN_STACKS_H

#include "dump/dump.h"

#include <stdio.h>

/* Prints the functions that cost most, with file and line.  Nothing if the dump
 * has no stacks.  Returns 0 or a pdump_error. */
int run_stacks_put(FILE *f, const struct pdump_dump *dump, int width);

#endif
