/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which dumps belong to one run, and how to number their ranks. */
#include "dump/run_groups.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Generations of forked children; more than that is a cycle of recycled
 * pids. */
enum { GENERATIONS_MAX = 64 };

void pdump_run_groups_free(struct pdump_run_groups *r)
{
    free(r->files);
    free(r->processes);
    *r = (struct pdump_run_groups){ 0 };
}

static int64_t number_of(const char *text)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (int64_t)sum;
}

static int64_t ranks_of_job(const struct pdump_dump *dump)
{
    const char *text = pdump_dump_metadata(dump, "ranks");
    long long n = text && dump->stats ? strtoll(text, NULL, 10) : 0;

    return n > 0 && n <= INT_MAX ? n : 0;
}

int pdump_run_groups_add(struct pdump_run_groups *r,
                         const struct pdump_dump *dump)
{
    size_t n = (size_t)r->n_files + 1;
    size_t all = (size_t)r->n_processes + (size_t)dump->n_processes + 1;
    struct pdump_run_groups_file *files = realloc(r->files, n * sizeof(*files));
    struct pdump_run_groups_process *processes;

    if (!files)
        return pdump_no_memory();
    r->files = files;
    processes = realloc(r->processes, all * sizeof(*processes));
    if (!processes)
        return pdump_no_memory();
    r->processes = processes;
    files[r->n_files] = (struct pdump_run_groups_file){
        .first = r->n_processes,
        .run = r->n_files,
        .low = INT_MAX,
        .high = INT_MIN,
        .job_ranks = ranks_of_job(dump),
    };
    for (int i = 0; i < dump->n_processes; i++)
        processes[r->n_processes++] = (struct pdump_run_groups_process){
            .file = r->n_files,
            .rank = dump->processes[i].rank,
            .pid = dump->processes[i].pid,
            .parent = dump->processes[i].parent,
            .host = number_of(dump->processes[i].host),
        };
    r->n_files++;
    return PDUMP_OK;
}

/* Returns the file that has the parent of this file's first process, or -1 if
 * that is this file or none. */
static int owner_of(const struct pdump_run_groups *r,
                    const struct pdump_pair_index *pids, int file)
{
    int first = r->files[file].first, at;

    if (first == r->n_processes || r->processes[first].file != file ||
        r->processes[first].parent == 0)
        return -1;
    at = (int)pdump_pair_index_find(pids, r->processes[first].parent,
                                    r->processes[first].host);
    return at < 0 || r->processes[at].file == file ? -1 : r->processes[at].file;
}

static int find_runs(struct pdump_run_groups *r)
{
    struct pdump_pair_index pids = { 0 };
    int err = PDUMP_OK;

    for (int i = r->n_processes - 1; err >= 0 && i >= 0; i--)
        err = pdump_pair_index_put(&pids, r->processes[i].pid,
                                   r->processes[i].host, i);
    for (int i = 0; err >= 0 && i < r->n_files; i++) {
        int at = i, owner;

        for (int n = 0; n < GENERATIONS_MAX; n++, at = owner) {
            owner = owner_of(r, &pids, at);
            if (owner < 0)
                break;
        }
        r->files[i].run = at;
    }
    pdump_pair_index_free(&pids);
    return err;
}

/* Finds the ranks of each run, and whether an earlier run has one of them. */
static int find_ranks(struct pdump_run_groups *r)
{
    struct pdump_pair_index holders = { 0 }, counted = { 0 };
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < r->n_processes; i++) {
        int rank = r->processes[i].rank;
        int at = r->files[r->processes[i].file].run;
        struct pdump_run_groups_file *run = &r->files[at];
        int64_t holder = pdump_pair_index_find(&holders, rank, 0);

        if (holder < 0)
            err = pdump_pair_index_put(&holders, rank, 0, at);
        else
            run->is_again = run->is_again || holder != at;
        run->low = rank < run->low ? rank : run->low;
        run->high = rank > run->high ? rank : run->high;
        if (err >= 0 && !run->job_ranks)
            err = pdump_pair_index_put(&counted, rank, at, 0);
    }
    r->n_ranks = (int64_t)counted.n;
    for (int i = 0; i < r->n_files; i++)
        if (r->files[i].run == i)
            r->n_ranks += r->files[i].job_ranks;
    pdump_pair_index_free(&holders);
    pdump_pair_index_free(&counted);
    return err;
}

int pdump_run_groups_settle(struct pdump_run_groups *r, bool is_apart)
{
    int64_t next = 0;
    int err = find_runs(r);

    if (err >= 0)
        err = find_ranks(r);
    if (err < 0 || !is_apart)
        return err;
    for (int i = 0; i < r->n_files; i++)
        if (r->files[i].high >= next)
            next = (int64_t)r->files[i].high + 1;
    for (int i = 0; i < r->n_files; i++) {
        struct pdump_run_groups_file *run = &r->files[i];

        if (run->run != i || !run->is_again)
            continue;
        run->shift = next - run->low;
        next += (int64_t)run->high - run->low + 1;
        if (next > INT_MAX)
            return pdump_fail(PDUMP_EFORMAT,
                              "the ranks of all runs together are more than %d",
                              INT_MAX);
        r->n_shifted++;
    }
    for (int i = 0; i < r->n_files; i++)
        r->files[i].shift = r->files[r->files[i].run].shift;
    return PDUMP_OK;
}
