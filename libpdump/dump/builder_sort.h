/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of building a dump. */
#ifndef PDUMP_BUILDER_SORT_H
#define PDUMP_BUILDER_SORT_H

#include "dump/dump.h"

/* Sorts the rows by thread and node, finds their parents and fills `exclusive`,
 * in linear time.  PDUMP_EFORMAT if a thread has a node twice; then only the
 * order of the rows may have changed. */
int pdump_builder_sort(struct pdump_dump *dump);

#endif
