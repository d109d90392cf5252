/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors for the dump of a program that has run out of them.
 *
 * Normally the limit is raised while the dump is written, and nothing is kept
 * open before, because programs list their descriptors and pass them on.  Three
 * descriptors are kept only if the limit is low and this process may not raise
 * it.
 */
#ifndef PDUMP_FD_RESERVE_H
#define PDUMP_FD_RESERVE_H

#include "system/private_fd.h"

#include <stdbool.h>
#include <sys/resource.h>

enum { PDUMP_FD_RESERVE_KEPT = 3 }; /* two folders and a file in them */

struct pdump_fd_reserve {
    struct pdump_private_fd kept[PDUMP_FD_RESERVE_KEPT];
    struct rlimit before; /* the limit, if it is raised */
    bool is_raised;
};

/* Open the descriptors that have to be kept, in an unused *reserve. */
void pdump_fd_reserve_open(struct pdump_fd_reserve *reserve);

/* Descriptors are available between these two calls.  They do not nest. */
void pdump_fd_reserve_use(struct pdump_fd_reserve *reserve);
void pdump_fd_reserve_back(struct pdump_fd_reserve *reserve);

void pdump_fd_reserve_close(struct pdump_fd_reserve *reserve);

#endif
