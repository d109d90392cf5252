/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how much of its time each process spent in a group of calls. */
#include "report/section/section_private.h"

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

static bool is_start(const struct pdump_dump *dump, int node)
{
    const char *name = dump->regions[dump->nodes[node].region].name;

    return strcmp(name, "MPI_Init") == 0 ||
           strcmp(name, "MPI_Init_thread") == 0;
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
        if (is_start(dump, row->node)) {
            shares[process].init += (double)time;
            continue;
        }
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

static double share_percent(const struct pdump_section_share *share)
{
    return share->run > 0 ? 100 * share->time / share->run : 0;
}

struct extremes {
    const struct pdump_section_share *least, *most;
    double time, init, run;
    int n;
};

static struct extremes find_extremes(const struct pdump_section_share *shares,
                                     int n)
{
    struct extremes x = { .least = shares, .most = shares };

    for (int i = 0; i < n; i++) {
        if (!shares[i].calls)
            continue;
        if (!x.n || share_percent(&shares[i]) < share_percent(x.least))
            x.least = &shares[i];
        if (!x.n || share_percent(&shares[i]) > share_percent(x.most))
            x.most = &shares[i];
        x.time += shares[i].time;
        x.init += shares[i].init;
        x.run += shares[i].run;
        x.n++;
    }
    return x;
}

void pdump_section_put_shares(struct pdump_section_page *page,
                              const char *title,
                              const struct pdump_section_share *shares, int n)
{
    struct extremes x = find_extremes(shares, n);
    FILE *f = x.n ? pdump_section_line(page) : NULL;

    if (!f)
        return;
    fprintf(f, "%s: %.1f %% of the run time", title,
            x.run > 0 ? 100 * x.time / x.run : 0);
    if (x.n > 1)
        fprintf(f, " (least %.1f %% on rank %d, most %.1f %% on rank %d)",
                share_percent(x.least), x.least->rank, share_percent(x.most),
                x.most->rank);
    if (x.run > 0 && x.init / x.run >= 0.0005)
        fprintf(f, "; MPI_Init: %.1f %%", 100 * x.init / x.run);
    pdump_section_line_end(page, f);
}
