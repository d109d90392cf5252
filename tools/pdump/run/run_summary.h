/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the summary of `pdump run`: the end of the command and its figures. */
#ifndef PDUMP_RUN_SUMMARY_H
#define PDUMP_RUN_SUMMARY_H

#include "run/run_child.h"
#include "run/run_setup.h"

#include "dump/dump.h"

/* Prints the command, how it ended, and its times. */
void run_summary_head(const struct run_setup *setup,
                      const struct run_child *child);

/* Prints the programs of a dump with their counters; with --report,
 * everything. */
void run_summary_dump(const struct run_setup *setup,
                      const struct pdump_dump *dump);

/* The same for a file that ranks have written. */
void run_summary_file(const struct run_setup *setup, char *path);

/* Prints the path of a file. */
void run_summary_where(const struct run_setup *setup, const char *path);

#endif
