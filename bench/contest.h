/* SPDX-License-Identifier: BSD-3-Clause */
/* All comparisons at once: in every round each side works for a moment. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "report.h"

/* results[n], zeroed by the caller.  0, or -1 and errno. */
int contest_run(const struct row *rows, int n, int rounds,
                struct result *results);

#endif
