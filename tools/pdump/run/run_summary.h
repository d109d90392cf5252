/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the summary of `pdump run`: the end of the command and its figures. */
#ifndef PDUMP_RUN_SUMMARY_H
#define PDUMP_RUN_SUMMARY_H

#include "run/run_child.h"
#include "run/run_setup.h"

#include "dump/dump.h"

/* Returns true if standard error is a terminal, or a report was asked for:
 * otherwise the functions below print nothing but files. */
bool run_summary_is_read(const struct run_setup *setup);

/* Prints the command, how it ended, and its times. */
void run_summary_head(const struct run_setup *setup,
                      const struct run_child *child);

/* Prints the regions of a dump that took most, and a line for everything that
 * was recorded beside them; with --report, the report. */
void run_summary_dump(const struct run_setup *setup,
                      const struct pdump_dump *dump);

/* The same for a file that ranks have written. */
void run_summary_file(const struct run_setup *setup, char *path);

/* Prints the path of a file, and the next command. */
void run_summary_where(const struct run_setup *setup, const char *path);

#endif
