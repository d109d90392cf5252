/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of `pdump run`: what became of the command, and what it cost. */
#ifndef PDUMP_RUN_SUMMARY_H
#define PDUMP_RUN_SUMMARY_H

#include "run/run_child.h"
#include "run/run_setup.h"

#include "dump/dump.h"

/* One line: the command, its end, its times. */
void run_summary_head(const struct run_setup *setup,
                      const struct run_child *child);

/* The programs of a dump with their counters; with --report all of it. */
void run_summary_dump(const struct run_setup *setup,
                      const struct pdump_dump *dump);

/* The same of a file that ranks have written. */
void run_summary_file(const struct run_setup *setup, char *path);

/* Where a file is. */
void run_summary_where(const struct run_setup *setup, const char *path);

#endif
