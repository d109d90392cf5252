/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the selected ranks of a dump. */
#include "dump/select_ranks.h"
#include "dump/dump_copy.h"

#include <stdlib.h>

static bool is_in(int rank, const struct pdump_select_range *ranges, int n)
{
    for (int i = 0; i < n; i++)
        if (rank >= ranges[i].from && rank <= ranges[i].to)
            return true;
    return false;
}

int pdump_select_ranks(const struct pdump_dump *dump,
                       const struct pdump_select_range *ranges, int n,
                       struct pdump_dump **out)
{
    bool *wanted = malloc((size_t)dump->n_processes + 1);
    struct pdump_dump_copy copy = { .from = dump, .wanted = wanted };
    int err = wanted ? pdump_builder_new(&copy.to) : pdump_no_memory();

    for (int i = 0; wanted && i < dump->n_processes; i++)
        wanted[i] = is_in(dump->processes[i].rank, ranges, n);
    if (err >= 0)
        err = pdump_dump_copy_wanted(&copy);
    err = pdump_builder_close(copy.to, err, out);
    pdump_dump_copy_free(&copy);
    free(wanted);
    return err;
}
