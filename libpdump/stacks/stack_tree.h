/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stacks of one thread in the store: frames below frames, each of them
 * once.
 *
 * All functions are for signal handlers on that thread: what there is no room
 * for is counted, and no lock is waited for.
 */
#ifndef PDUMP_STACK_TREE_H
#define PDUMP_STACK_TREE_H

#include "stacks/walk.h"
#include "store/store.h"
#include "store/store_layout.h"

#include <stdatomic.h>

struct pdump_stack_tree {
    struct pdump_store *store;
    char *base;
    struct pdump_head *head;
    struct pdump_stack_record *record;
    struct pdump_stack_chunk *chunk; /* the newest, or NULL */
    _Atomic int64_t *left;           /* bytes that all threads may still use */
    uint32_t *table;                 /* hash table of refs; not in the store */
    uint32_t mask;
    uint32_t n;
};

/* Starts the stacks of a thread; `tree` is zero, or was used before.  Returns
 * false if there is no memory. */
bool pdump_stack_tree_open(struct pdump_stack_tree *tree,
                           struct pdump_store *store, _Atomic int64_t *left,
                           int64_t tid);

/* Adds the stack that was walked last, below `node` (0: none).  It stands for
 * `ns` of CPU time. */
void pdump_stack_tree_add(struct pdump_stack_tree *tree,
                          const struct pdump_walker *walker, uint32_t node,
                          int64_t ns);

#endif
