/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how much of its time each process spent in a group of calls. */
#include "report/section/section_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if the node belongs to the group and no ancestor does. */
static bool is_outermost(const struct pdump_dump *dump, int node,
                         const char *group)
{
    if (strcmp(dump->regions[dump->nodes[node].region].group, group) != 0)
        return false;
    for (node = dump->nodes[node].parent; node >= 0;
         node = dump->nodes[node].parent)
        if (strcmp(dump->regions[dump->nodes[node].region].group, group) == 0)
            return false;
    return true;
}

/* The run time of a process is the time of its first thread's outermost
 * regions, or that of the session, which is longer if no region surrounds the
 * program. */
static double wall_of(const struct pdump_dump *dump)
{
    const char *text = pdump_dump_metadata(dump, "wall_time_ns");

    return text ? strtod(text, NULL) : 0;
}

int pdump_section_shares(const struct pdump_dump *dump, const char *group,
                         struct pdump_section_share **out, int *n)
{
    int metric = pdump_dump_find_metric(dump, "time");
    struct pdump_section_share *shares =
        calloc((size_t)dump->n_processes + 1, sizeof(*shares));
    double wall = wall_of(dump);

    if (!shares)
        return pdump_no_memory();
    for (int64_t i = 0; metric >= 0 && i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];
        int process = dump->threads[row->thread].process;
        int64_t time = dump->columns[metric].sum[i];

        if (time == PDUMP_MISSING)
            continue;
        if (row->parent < 0 && dump->threads[row->thread].number == 0)
            shares[process].run += (double)time;
        if (!is_outermost(dump, row->node, group))
            continue;
        shares[process].time += (double)time;
        shares[process].calls += row->visits;
    }
    for (int i = 0; i < dump->n_processes; i++) {
        shares[i].rank = dump->processes[i].rank;
        shares[i].pid = dump->processes[i].pid;
        if (shares[i].run < wall)
            shares[i].run = wall;
    }
    *out = shares;
    *n = dump->n_processes;
    return PDUMP_OK;
}

static double percent(const struct pdump_section_share *share)
{
    return share->run > 0 ? 100 * share->time / share->run : 0;
}

void pdump_section_put_shares(FILE *f, const char *title,
                              const struct pdump_section_share *shares, int n)
{
    const struct pdump_section_share *least = shares, *most = shares;
    double sum = 0, run = 0;
    int n_used = 0;

    for (int i = 0; i < n; i++) {
        if (!shares[i].calls)
            continue;
        if (!n_used || percent(&shares[i]) < percent(least))
            least = &shares[i];
        if (!n_used || percent(&shares[i]) > percent(most))
            most = &shares[i];
        sum += shares[i].time;
        run += shares[i].run;
        n_used++;
    }
    if (!n_used)
        return;
    fprintf(f, "%s: %.1f %% of the run time", title,
            run > 0 ? 100 * sum / run : 0);
    if (n_used > 1)
        fprintf(f, " (least %.1f %% on rank %d, most %.1f %% on rank %d)",
                percent(least), least->rank, percent(most), most->rank);
    fputc('\n', f);
}

void pdump_section_put_rest(FILE *f, int64_t n,
                            const struct pdump_section_options *options,
                            const char *what)
{
    if (options->top && n > options->top)
        fprintf(f, "... and %" PRId64 " more %s\n", n - options->top, what);
}
