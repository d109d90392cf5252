/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One side of a comparison: a process that does some work whenever asked.
 *
 * Both sides of a comparison live at the same time, are asked in turns, and
 * share one processor, so that what disturbs the machine disturbs both.  A
 * process each, because two users of PAPI do not fit into one thread, and
 * because no side shall find what another one has left in memory.
 */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include "work.h"

#include <sys/types.h>

struct side {
    pid_t pid;
    int to;
    int from;
};

enum { SIDE_WHY_SIZE = 200 };

/* Start a process and its work.  With the reason in `why`: 1 if the work cannot
 * be done here, -1 if it failed. */
int side_open(struct side *side, const struct work *work,
              char why[SIDE_WHY_SIZE]);

/* Have it work for a moment: the cost of one pair, or -1 if it died. */
double side_ask(struct side *side);

/* Let it end, as programs end.  -1 if it did not end well. */
int side_close(struct side *side);

/* The processors: where the sides are, and where a second thread goes. */
enum { SIDE_CPU, SIDE_OTHER_CPU };
int side_n_cpus(void);
void side_pin(int which);

#endif
