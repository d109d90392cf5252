/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors for the dump of a program that has none left.
 *
 * As a rule the limit is raised while the dump is written, and nothing is kept
 * open before: programs look at their descriptors and pass them on.  Only if
 * the limit is low and this process may not raise it, two are kept.
 */
#ifndef PDUMP_RESERVE_H
#define PDUMP_RESERVE_H

#include "own_fd.h"

#include <stdbool.h>
#include <sys/resource.h>

enum { PDUMP_RESERVE_KEPT = 2 }; /* a folder and a file in it */

struct pdump_reserve {
    struct pdump_own_fd kept[PDUMP_RESERVE_KEPT];
    struct rlimit before; /* the limit, if it is raised */
    bool is_raised;
};

/* Keep what has to be kept.  *reserve has not been used before. */
void pdump_reserve_open(struct pdump_reserve *reserve);

/* Between these two there are descriptors to be had.  They do not nest. */
void pdump_reserve_use(struct pdump_reserve *reserve);
void pdump_reserve_back(struct pdump_reserve *reserve);

void pdump_reserve_close(struct pdump_reserve *reserve);

#endif
