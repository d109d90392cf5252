/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a visit costs that a preloaded library or Python's module records: each
 * measures that itself, once per process, for only it knows all that its visits
 * take.
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
 * and is thrown away, but costs what it always does.  Returns false if nothing
 * is recorded now, or if another thread is measuring; there is no end then. */
PDUMP_SHARED bool pdump_visit_cost_begin(void);

/* Returns the shortest visit in ns, of the region that was new last. */
PDUMP_SHARED double pdump_visit_cost_end(void);

/* Keep the cost of a visit in ns, of which `inside` is in its own figures, for
 * this session and all later ones. */
PDUMP_SHARED void pdump_visit_cost_keep(enum pdump_visit_kind kind, double ns,
                                        double inside);
PDUMP_SHARED bool pdump_visit_cost_is_known(enum pdump_visit_kind kind);

/* All of the above: `visits` makes n visits, of which `bare` makes what they
 * are visits of; NULL: that is nothing.  Returns false if nothing is recorded
 * now. Preserves errno. */
PDUMP_SHARED bool pdump_visit_cost_measure(enum pdump_visit_kind kind,
                                           void (*visits)(int n),
                                           void (*bare)(int n));

/* Note what is known in the head of a new session. */
void pdump_visit_cost_tell(struct pdump_head *head);

#endif
