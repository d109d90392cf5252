/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a page of `pdump top`: the running processes, and a table for each
 * run. */
#include "top/top_page.h"
#include "top/live_change.h"
#include "top/top_ranks.h"

#include "base/safe_text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
    PIDS_MAX = 8,
    PIDS_FEW = 2, /* if the page is narrower than */
    WIDE = 100,   /* this many columns */
};

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

/* Prints the heading, two lines. */
static void put_heading(FILE *f, const struct top_page *page,
                        const struct live_look *now)
{
    time_t seconds = time(NULL);
    int n_alive = 0;
    char clock[16] = "";
    struct tm tm;

    for (int i = 0; i < now->n; i++)
        n_alive += !now->items[i].is_ended;
    if (localtime_r(&seconds, &tm))
        strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
    fprintf(f, "pdump top, %s: %d process%s, every %g s, by %s\n", clock,
            n_alive, n_alive == 1 ? "" : "es", page->delay, page->sort);
    if (page->has_keys)
        fprintf(f, "q quit  t time  s self  v visits  n name  r ranks  f flat  "
                   "? all keys\n");
}

static void put_help(FILE *f)
{
    static const char *const keys[][2] = {
        { "q", "quit" },
        { "t s v n", "sort by time, self, visits, name" },
        { "m M", "sort by the next metric, or the one before" },
        { "h", "a tree for each thread" },
        { "p", "a table for each process" },
        { "r", "a line for each rank" },
        { "f", "a line for each region, wherever it was called" },
        { "j k, arrows", "scroll" },
        { "blank", "the next page now" },
        { "?", "back to the regions" },
    };

    fputc('\n', f);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        fprintf(f, "  %-12s %s\n", keys[i][0], keys[i][1]);
}

/* Prints "ranks 0-2, 5 of 8"; nothing if it is not a job. */
static void put_ranks(FILE *f, const struct live_process *p, int n)
{
    const char *all = pdump_dump_metadata(p[0].dump, "ranks");
    bool is_job = all;

    for (int i = 0; i < n; i++)
        if (p[i].dump->n_processes > 0 && p[i].dump->processes[0].rank > 0)
            is_job = true;
    if (!is_job)
        return;
    /* In ascending order, whatever the order of the processes. */
    for (int from = -1, to = -1, next, is_first = 1;; to = next) {
        next = -1;
        for (int i = 0; i < n; i++) {
            int rank =
                p[i].dump->n_processes > 0 ? p[i].dump->processes[0].rank : -1;

            if (rank > to && (next < 0 || rank < next))
                next = rank;
        }
        if (from >= 0 && next == to + 1)
            continue;
        if (from >= 0) {
            fprintf(f, "%s %d",
                    !is_first ? ","
                    : n == 1  ? ", rank"
                              : ", ranks",
                    from);
            is_first = 0;
        }
        if (from >= 0 && to > from)
            fprintf(f, "-%d", to);
        if (next < 0)
            break;
        from = next;
    }
    if (all)
        fprintf(f, " of %s", all);
}

static double seconds_since(int64_t start)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec - (double)start / 1e9;
}

/* Prints the title of a table: the command, its processes, its run time. */
static void put_run(FILE *f, const struct top_page *page,
                    const struct live_process *p, int n)
{
    const struct pdump_dump *dump = p[0].dump;
    int width = page->look.width > 0 ? page->look.width : 200, n_threads = 0;
    int most = width < WIDE ? PIDS_FEW : PIDS_MAX;

    fputc('\n', f);
    if (dump->n_processes > 0)
        pdump_safe_text_put(f, dump->processes[0].command, width);
    fprintf(f, "\npid");
    for (int i = 0; i < n && i < most; i++)
        fprintf(f, "%s %" PRId64 "%s", i > 0 ? "," : "", p[i].store.pid,
                p[i].is_ended ? " (ended)" : "");
    if (n > most)
        fprintf(f, ", %d more", n - most);
    for (int i = 0; i < n; i++)
        n_threads += p[i].dump->n_threads;
    fprintf(f, ": %d process%s, %d thread%s", n, n == 1 ? "" : "es", n_threads,
            plural(n_threads));
    put_ranks(f, p, n);
    if (p[0].store.start > 0)
        fprintf(f, ", for %.0f s", seconds_since(p[0].store.start));
    fprintf(f, "\n");
}

/* Both views have the same shape: their items have the same numbers. */
static int put_table(FILE *f, const struct top_page *page,
                     const struct live_change *change)
{
    struct pdump_view_options options = page->view;
    struct pdump_report_options look = page->look;
    struct pdump_view *totals = NULL, *added = NULL;
    int sorted = pdump_view_sort_by(change->added, page->sort, &options);
    int err = pdump_view_new(change->totals, &options, &totals);

    if (err >= 0)
        err = pdump_view_new(change->added, &options, &added);
    if (err >= 0) {
        look.totals = totals;
        look.seconds = change->seconds;
        err = pdump_report_print(f, added, &look);
    }
    pdump_view_free(totals);
    pdump_view_free(added);
    return err < 0 ? err : sorted;
}

static int put_group(FILE *f, const struct top_page *page,
                     const struct live_look *now, int first, int n,
                     const struct live_look *before)
{
    struct live_change change;
    int err;

    put_run(f, page, now->items + first, n);
    if (page->by_rank)
        return top_ranks_print(f, page, now, first, n, before);
    err = live_change_make(now, first, n, before, &change);
    if (err < 0)
        return err;
    err = put_table(f, page, &change);
    live_change_free(&change);
    return err;
}

int top_page_print(FILE *f, const struct top_page *page,
                   const struct live_look *now, const struct live_look *before)
{
    int err = PDUMP_OK, n_sorted = 0;

    put_heading(f, page, now);
    if (page->has_help) {
        put_help(f);
        return PDUMP_OK;
    }
    for (int i = 0, n; i < now->n; i += n) {
        n = page->by_process ? 1 : live_look_run(now, i);
        err = put_group(f, page, now, i, n, before);
        if (err < 0 && err != PDUMP_ENOENT)
            return err;
        n_sorted += err >= 0;
    }
    if (now->n == 0)
        fprintf(f, "\nNo running process has a store here.  Waiting for "
                   "one.\n");
    return now->n > 0 && n_sorted == 0 ? PDUMP_ENOENT : PDUMP_OK;
}
