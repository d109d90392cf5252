/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a dump, and the figures of each rank. */
#include "dump/ranks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An index with its rank, for sorting by rank. */
struct entry {
    int rank;
    int index;
    bool is_forked;
};

static int rank_compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->is_forked != b->is_forked)
        return a->is_forked ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

void pdump_ranks_free(struct pdump_ranks *ranks)
{
    free(ranks->number);
    free(ranks->process);
    free(ranks->thread);
    free(ranks->begin);
    free(ranks->row);
    *ranks = (struct pdump_ranks){ 0 };
}

static void find_processes(const struct pdump_dump *dump, struct entry *list,
                           struct pdump_ranks *out)
{
    for (int i = 0; i < dump->n_processes; i++)
        list[i] = (struct entry){ dump->processes[i].rank, i,
                                  dump->processes[i].parent != 0 };
    qsort(list, (size_t)dump->n_processes, sizeof(*list), rank_compare);
    for (int i = 0; i < dump->n_processes; i++) {
        if (out->n > 0 && out->number[out->n - 1] == list[i].rank)
            continue;
        out->number[out->n] = list[i].rank;
        out->process[out->n++] = list[i].index;
    }
}

static void find_threads(const struct pdump_dump *dump, struct entry *list,
                         struct pdump_ranks *out)
{
    int64_t row = 0;
    int rank = 0;

    for (int i = 0; i < dump->n_threads; i++)
        list[i] =
            (struct entry){ dump->processes[dump->threads[i].process].rank, i,
                            false };
    qsort(list, (size_t)dump->n_threads, sizeof(*list), rank_compare);
    for (int i = 0; i < dump->n_threads; i++) {
        out->thread[i] = list[i].index;
        while (out->number[rank] < list[i].rank)
            out->begin[++rank] = i;
    }
    while (rank < out->n)
        out->begin[++rank] = dump->n_threads;
    for (int i = 0; i <= dump->n_threads; i++) {
        while (row < dump->n_rows && dump->rows[row].thread < i)
            row++;
        out->row[i] = row;
    }
}

int pdump_ranks_of(const struct pdump_dump *dump, struct pdump_ranks *out)
{
    size_t n_processes = (size_t)dump->n_processes + 1;
    size_t n_threads = (size_t)dump->n_threads + 1;
    size_t n = n_processes > n_threads ? n_processes : n_threads;
    struct entry *list = malloc(n * sizeof(*list));

    *out = (struct pdump_ranks){
        .number = malloc(n_processes * sizeof(*out->number)),
        .process = malloc(n_processes * sizeof(*out->process)),
        .thread = malloc(n_threads * sizeof(*out->thread)),
        .begin = calloc(n_processes + 1, sizeof(*out->begin)),
        .row = malloc(n_threads * sizeof(*out->row)),
    };
    if (!list || !out->number || !out->process || !out->thread || !out->begin ||
        !out->row) {
        free(list);
        pdump_ranks_free(out);
        return pdump_no_memory();
    }
    find_processes(dump, list, out);
    find_threads(dump, list, out);
    free(list);
    return PDUMP_OK;
}

static bool has_rows(const struct pdump_ranks *ranks, int i)
{
    for (int t = ranks->begin[i]; t < ranks->begin[i + 1]; t++)
        if (ranks->row[ranks->thread[t]] < ranks->row[ranks->thread[t] + 1])
            return true;
    return false;
}

/* Threads without rows can stay in the list: they add nothing. */
void pdump_ranks_drop_empty(struct pdump_ranks *ranks)
{
    int n = 0;

    for (int i = 0; i < ranks->n; i++) {
        if (!has_rows(ranks, i))
            continue;
        ranks->number[n] = ranks->number[i];
        ranks->process[n] = ranks->process[i];
        ranks->begin[n++] = ranks->begin[i];
    }
    ranks->begin[n] = ranks->begin[ranks->n];
    ranks->n = n;
}

const char *pdump_ranks_text(const struct pdump_ranks *ranks, char *buf,
                             size_t len)
{
    size_t used = 0;
    int last;

    buf[0] = '\0';
    for (int i = 0; i < ranks->n; i = last + 1) {
        char part[32];
        int n;

        last = i;
        while (last + 1 < ranks->n &&
               ranks->number[last + 1] == ranks->number[last] + 1)
            last++;
        n = snprintf(part, sizeof(part), "%s%d", i ? "," : "",
                     ranks->number[i]);
        if (last > i)
            n += snprintf(part + n, sizeof(part) - (size_t)n, "%s%d",
                          last == i + 1 ? "," : "-", ranks->number[last]);
        if (used + (size_t)n + sizeof(",...") > len) {
            snprintf(buf + used, len - used, "%s...", i ? "," : "");
            break;
        }
        strcpy(buf + used, part);
        used += (size_t)n;
    }
    return buf;
}

int pdump_ranks_of_job(const struct pdump_dump *dump,
                       const struct pdump_ranks *ranks)
{
    const char *text = pdump_dump_metadata(dump, "ranks");
    long long n = text ? strtoll(text, NULL, 10) : 0;

    return n > ranks->n && n <= INT_MAX ? (int)n : ranks->n;
}

/* Adds a row to the figures of its rank. */
static void count_row(const struct pdump_dump *dump, int metric, int64_t row,
                      const struct pdump_ranks_groups *groups, int64_t *out)
{
    int64_t *at = &out[groups->group[row]];

    if (metric < 0)
        *at = pdump_missing_add(*at, dump->rows[row].visits);
    else if (dump->metrics[metric].kind == PDUMP_GAUGE)
        *at = pdump_missing_larger(*at, pdump_dump_figure(dump, metric, row));
    else if (!groups->is_skipped || !groups->is_skipped[row])
        *at = pdump_missing_add(*at, pdump_dump_figure(dump, metric, row));
}

static void count_rank(const struct pdump_dump *dump,
                       const struct pdump_ranks *ranks, int i, int metric,
                       const struct pdump_ranks_groups *groups, int64_t *out)
{
    for (int t = ranks->begin[i]; t < ranks->begin[i + 1]; t++) {
        int thread = ranks->thread[t];

        for (int64_t r = ranks->row[thread]; r < ranks->row[thread + 1]; r++)
            count_row(dump, metric, r, groups, out);
    }
}

void pdump_ranks_values(const struct pdump_dump *dump,
                        const struct pdump_ranks *ranks, int i, int metric,
                        const struct pdump_ranks_groups *groups, int64_t *out)
{
    for (int g = 0; g < groups->n; g++)
        out[g] = PDUMP_MISSING;
    count_rank(dump, ranks, i, metric, groups, out);
}

/* Visits and clears only the groups that the rank has. */
static void settle_rank(const struct pdump_ranks *ranks, int i,
                        const struct pdump_ranks_groups *groups, int64_t *value,
                        struct pdump_dump_rank_stat *out)
{
    for (int t = ranks->begin[i]; t < ranks->begin[i + 1]; t++) {
        int thread = ranks->thread[t];

        for (int64_t r = ranks->row[thread]; r < ranks->row[thread + 1]; r++) {
            int g = groups->group[r];

            pdump_rank_stat_add(&out[g], ranks->number[i], value[g]);
            value[g] = PDUMP_MISSING;
        }
    }
}

int pdump_ranks_stats(const struct pdump_dump *dump,
                      const struct pdump_ranks *ranks, int metric,
                      const struct pdump_ranks_groups *groups,
                      struct pdump_dump_rank_stat *out)
{
    int64_t *value = malloc(((size_t)groups->n + 1) * sizeof(*value));

    if (!value)
        return pdump_no_memory();
    memset(out, 0, (size_t)groups->n * sizeof(*out));
    for (int g = 0; g < groups->n; g++)
        value[g] = PDUMP_MISSING;
    for (int i = 0; i < ranks->n; i++) {
        count_rank(dump, ranks, i, metric, groups, value);
        settle_rank(ranks, i, groups, value, out);
    }
    free(value);
    return PDUMP_OK;
}
