/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursion: nodes inside of another one of the same kind. */
#ifndef PDUMP_RECURSION_H
#define PDUMP_RECURSION_H

#include "dump/dump.h"

/* Mark the nodes below one of their own kind, whose figures those of the outer
 * one include.  `kind` has a number below n_kinds for every node, or -1 for
 * those that are not to be marked. */
int pdump_recursion_mark(const struct pdump_dump *dump, const int *kind,
                         int n_kinds, bool *is_inner);

#endif
