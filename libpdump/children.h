/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of one run that were forked from each other (PDUMP_FOLLOW=1).
 *
 * The first process is the run's root.  A child that ends leaves its store
 * behind, and the root's last dump has the rows of all of them.  A child that
 * outlives the root writes a file of its own.  Whoever locks a store has the
 * right to it.
 */
#ifndef PDUMP_CHILDREN_H
#define PDUMP_CHILDREN_H

#include "calibrate.h"
#include "dump.h"
#include "store.h"

#include <stdbool.h>

/* Stores that were taken over. */
struct pdump_children {
    char **paths;
    int n;
};

/* Take over the stores of ended processes of the run whose root records into
 * `root`, and merge them into *dump, which is replaced.  What cannot be read is
 * left where it is, with a warning; so are the stores of processes that still
 * run. */
void pdump_children_collect(const char *root, const char *run,
                            struct pdump_dump **dump,
                            struct pdump_children *children);

/* How many other processes of that run record and still run. */
int pdump_children_n_running(const char *root, const char *run);

/* The dump is written: remove them.  Or it is not: give them back. */
void pdump_children_done(struct pdump_children *children, bool is_written);

/* For a child at its end: will the root that records into `root` take its
 * store, whose lock the caller has?  If not, the caller still has it. */
bool pdump_children_is_left_to(const char *root, struct pdump_store *store);

/* Will the root that records into `root` still look for stores? */
bool pdump_children_goes_on(const char *root);

/* In a child that counts the same as its root: what the root has found a visit
 * to cost.  False: it is not known. */
bool pdump_children_cost(const char *root, const struct pdump_sources *sources,
                         struct pdump_cost *cost);

/* The process of the store at `path` is gone, just now, if it is one of this
 * run and has not noted its end itself. */
void pdump_children_note_end(const char *run, const char *path);

#endif
