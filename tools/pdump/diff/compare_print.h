/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a comparison for programs, and as Markdown. */
#ifndef PDUMP_COMPARE_PRINT_H
#define PDUMP_COMPARE_PRINT_H

#include "diff/compare.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN };

/* Print n lines of a comparison of n_runs[0] with n_runs[1] runs to standard
 * output. */
void compare_json(const struct compare *c,
                  const struct pdump_dump_metric *metric, const int n_runs[2],
                  const struct compare_line *const *lines, int n);
void compare_markdown(const struct compare *c,
                      const struct pdump_dump_metric *metric,
                      const int n_runs[2],
                      const struct compare_line *const *lines, int n);

#endif
