/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of visits that a preloaded library or Python's module records.  Each
 * measures it itself, once per process, because only it knows all that it does
 * in a visit.
 *
 *     if (pdump_visit_cost_begin()) {
 *         (time some visits)
 *         inside = pdump_visit_cost_end();
 *     }
 *     pdump_visit_cost_keep(PDUMP_VISIT_MPI_CALL, ns, inside);
 */
#ifndef PDUMP_VISIT_COST_H
#define PDUMP_VISIT_COST_H

#include "base/error.h"
#include "base/visit_kind.h"

#include <stdbool.h>

struct pdump_head;

/* From here to the end, what this thread records goes into memory of its own
 * and is thrown away, at the usual cost.  Returns false if nothing is recorded
 * now, or if another thread is measuring; then do not call the end. */
PDUMP_SHARED bool pdump_visit_cost_begin(void);

/* Returns the shortest visit of the newest region in ns. */
PDUMP_SHARED double pdump_visit_cost_end(void);

/* Keep the cost of a visit in ns, for this session and all later ones.
 * `inside` is the part of it that is in the visit's own figures. */
PDUMP_SHARED void pdump_visit_cost_keep(enum pdump_visit_kind kind, double ns,
                                        double inside);
PDUMP_SHARED bool pdump_visit_cost_is_known(enum pdump_visit_kind kind);

/* All of the above: `visits` makes n visits, `bare` does the same without
 * recording; NULL: that takes no time.  Returns false if nothing is recorded
 * now.  Preserves errno. */
PDUMP_SHARED bool pdump_visit_cost_measure(enum pdump_visit_kind kind,
                                           void (*visits)(int n),
                                           void (*bare)(int n));

/* Write the known costs into the head of a new session. */
void pdump_visit_cost_tell(struct pdump_head *head);

#endif
