/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the stores of processes that were forked from each other in one run
 * (PDUMP_FOLLOW=1).
 *
 * The first process is the run's root.  A child that ends leaves its store
 * behind, and the root's last dump has the rows of all children.  A child that
 * outlives the root writes its own file.  The process that holds the lock of a
 * store owns it.
 */
#ifndef PDUMP_RUN_CHILDREN_H
#define PDUMP_RUN_CHILDREN_H

#include "dump/dump.h"
#include "record/calibrate.h"
#include "store/store.h"

#include <stdbool.h>

/* Stores that were taken over. */
struct pdump_run_children {
    char **paths;
    int n;
};

/* Takes over the stores of ended processes of the run whose root records into
 * `root`, and merges them into *dump, which is replaced.  Stores that cannot be
 * read stay in place, with a warning; so do the stores of processes that are
 * still running. */
void pdump_run_children_collect(const char *root, const char *run,
                                struct pdump_dump **dump,
                                struct pdump_run_children *children);

/* Returns how many other processes of that run are still running and recording.
 */
int pdump_run_children_n_running(const char *root, const char *run);

/* Removes the stores if the dump was written, otherwise gives them back. */
void pdump_run_children_done(struct pdump_run_children *children,
                             bool is_written);

/* For a child at its end: returns true if the root that records into `root`
 * will take the child's store, whose lock the caller holds.  If false, the
 * caller still holds the lock. */
bool pdump_run_children_is_left_to(const char *root, struct pdump_store *store);

/* Returns true if the root that records into `root` will still look for stores.
 */
bool pdump_run_children_goes_on(const char *root);

/* In a child that has the same counters as its root: gets the cost of a visit
 * that the root has measured.  Returns false if it is not known. */
bool pdump_run_children_cost(const char *root,
                             const struct pdump_sources *sources,
                             struct pdump_cost *cost);

/* Call this when the process of the store at `path` has just ended: notes the
 * time, if it is a process of this run and has not noted its end itself. */
void pdump_run_children_note_end(const char *run, const char *path);

#endif
