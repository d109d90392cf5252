/* SPDX-License-Identifier: BSD-3-Clause */
/* Running processes, read from their stores. */
#ifndef PDUMP_LIVE_H
#define PDUMP_LIVE_H

#include "recover/store_list.h"

#include "dump/dump.h"

struct live_process {
    struct store store;
    struct pdump_dump *dump;
    int64_t taken; /* CLOCK_MONOTONIC, ns */
    int64_t late;  /* ns from its last sign of life to `taken`; may be < 0 */
    bool is_ended; /* ended since the previous look, which the figures are of */
};

/* One look at all processes: sorted by run, the first process of each run
 * first.  Starts with zeros; ends with live_look_free(). */
struct live_look {
    struct live_process *items;
    int n;
    int64_t taken;
};

/* Looks at the living processes in `list`.  A process that was alive in
 * `before` (which may be empty) and no longer is moves to `out` as ended, for
 * one look. */
int live_look_take(struct store_list *list, struct live_look *before,
                   struct live_look *out);
void live_look_free(struct live_look *look);

/* Returns true if both are the same process. */
bool live_is_same(const struct live_process *a, const struct live_process *b);

/* Returns how many of the processes from `first` on belong to one run. */
int live_look_run(const struct live_look *look, int first);

#endif
