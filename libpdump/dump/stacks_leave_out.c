/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies a dump without its stacks. */
#include "dump/dump_copy.h"
#include "dump/merge_stats.h"
#include "dump/stacks.h"

static int copy_stats(const struct pdump_dump_copy *copy)
{
    const struct pdump_dump *to = pdump_builder_tables(copy->to);
    struct pdump_dump_rank_stat **stats;
    int err;

    if (!copy->from->stats)
        return PDUMP_OK;
    err = pdump_builder_stats(copy->to, &stats);
    return err < 0 ? err
                   : pdump_merge_stats_add(stats, to->n_metrics, to->n_nodes,
                                           copy, 0);
}

int pdump_stacks_leave_out(const struct pdump_dump *dump,
                           struct pdump_dump **out)
{
    struct pdump_dump_copy copy = { .from = dump, .has_no_stacks = true };
    int err = pdump_builder_new(&copy.to);

    *out = NULL;
    if (err < 0)
        return err;
    err = pdump_dump_copy_wanted(&copy);
    if (err >= 0)
        err = copy_stats(&copy);
    err = pdump_builder_close(copy.to, err, out);
    pdump_dump_copy_free(&copy);
    return err;
}

int pdump_stacks_drop(struct pdump_dump **dump)
{
    struct pdump_dump *regions;
    int err;

    if (!pdump_stacks_are_in(*dump))
        return PDUMP_OK;
    err = pdump_stacks_leave_out(*dump, &regions);
    if (err < 0)
        return err;
    pdump_dump_free(*dump);
    *dump = regions;
    return PDUMP_OK;
}
