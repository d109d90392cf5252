/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds recursion: nodes inside another node of the same kind. */
#ifndef PDUMP_RECURSION_H
#define PDUMP_RECURSION_H

#include "dump/dump.h"

/* Marks the nodes that are inside another node of their kind, whose figures
 * already include them.  `kind` has a number below n_kinds for every node, or
 * -1 for nodes that are never marked. */
int pdump_recursion_mark(const struct pdump_dump *dump, const int *kind,
                         int n_kinds, bool *is_inner);

#endif
