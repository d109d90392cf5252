/* SPDX-License-Identifier: BSD-3-Clause */
/* Running processes, seen from outside. */
#ifndef PDUMP_LIVE_H
#define PDUMP_LIVE_H

#include "recover/store_list.h"

#include "dump/dump.h"

struct live_process {
    struct store store;
    struct pdump_dump *dump;
    int64_t taken; /* CLOCK_MONOTONIC, ns */
    int64_t late;  /* from its last sign of life until then, ns; perhaps < 0 */
    bool is_ended; /* since the look before, whose figures these are */
};

/* One look at all of them: by run, first processes first.  Start with zeros;
 * live_look_free() in the end. */
struct live_look {
    struct live_process *items;
    int n;
    int64_t taken;
};

/* Look at the living ones in `list`.  What was alive in `before` (perhaps
 * empty) and is no more moves from there to here, as ended, for one look. */
int live_look_take(struct store_list *list, struct live_look *before,
                   struct live_look *out);
void live_look_free(struct live_look *look);

/* Are these one process, seen twice? */
bool live_is_same(const struct live_process *a, const struct live_process *b);

/* How many of the processes from `first` on belong to one run. */
int live_look_run(const struct live_look *look, int first);

#endif
