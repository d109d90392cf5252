/* SPDX-License-Identifier: BSD-3-Clause */
/* Small dumps of several ranks made by hand, for the tests of what is said
 * about ranks. */
#ifndef PDUMP_RANKS_KIT_H
#define PDUMP_RANKS_KIT_H

#include "view_kit.h"
#include "report/view/view_ranks.h"

static struct pdump_view_ranks *over;

static inline int new_process(int rank, const char *host, const char *command)
{
    struct pdump_dump_process process = {
        .rank = rank, .pid = 100 + rank, .host = host, .command = command
    };

    return pdump_builder_process(builder, &process);
}

/* The thread `number` of a process. */
static inline int thread_of(int process, int number)
{
    struct pdump_dump_thread thread = { .process = process,
                                        .number = number,
                                        .name = "" };

    return pdump_builder_thread(builder, &thread);
}

/*
 * main { solve io } on four ranks, of which the last comes first and has two
 * threads.  solve takes 10, 20, 30 and 40 + 20: mean 30, max 60 on rank 3, so
 * the imbalance is 100 %.  io is on all but rank 2, takes 8, 4 and 6, and does
 * not end on rank 1.
 */
static inline void four_ranks(void)
{
    int top, solve, io, first, second, t;

    start();
    top = node(-1, "main");
    solve = node(top, "solve");
    io = node(top, "io");
    first = new_process(3, "n2", "./b");
    second = thread_of(first, 1);
    first = thread_of(first, 0);
    row(first, top, 1, 70);
    row(first, solve, 4, 40);
    row(first, io, 2, 6);
    row(second, top, 1, 30);
    row(second, solve, 2, 20);
    for (int rank = 0; rank < 3; rank++) {
        t = thread_of(new_process(rank, "n1", rank < 2 ? "/x/a 1" : "./b"), 0);
        row(t, top, 1, 100);
        row(t, solve, 6, 10 * (rank + 1));
        if (rank < 2)
            row(t, io, rank == 0 ? 2 : 0, rank == 0 ? 8 : 4);
    }
}

static inline void stat_of(int metric, int at, struct pdump_dump_rank_stat stat)
{
    ck_assert_int_eq(pdump_builder_stat(builder, metric, at, &stat), PDUMP_OK);
}

/* main { solve io }, of which only statistics are left: 5000 ranks, io on 4 of
 * them.  main: 1000 each.  solve: mean 500, max 750 on 4321. */
static inline void only_stats(void)
{
    int top, solve, io;

    start();
    top = node(-1, "main");
    solve = node(top, "solve");
    io = node(top, "io");
    pdump_builder_metadata(builder, "ranks", "5000");
    stat_of(
        TIME, top,
        (struct pdump_dump_rank_stat){ 5000, 5000000, 1000, 1000, 5e9, 0, 0 });
    stat_of(TIME, solve,
            (struct pdump_dump_rank_stat){ 5000, 2500000, 300, 750, 1.3e9, 17,
                                           4321 });
    stat_of(TIME, io,
            (struct pdump_dump_rank_stat){ 4, 400, 50, 160, 46600, 2, 4999 });
    stat_of(-1, top,
            (struct pdump_dump_rank_stat){ 5000, 5000, 1, 1, 5000, 0, 0 });
    stat_of(-1, solve,
            (struct pdump_dump_rank_stat){ 5000, 50000, 10, 10, 500000, 0, 0 });
    stat_of(-1, io, (struct pdump_dump_rank_stat){ 4, 8, 2, 2, 16, 1, 1 });
}

static inline void look_over(int metric)
{
    look();
    ck_assert_int_eq(pdump_view_ranks_new(view, metric, &over), PDUMP_OK);
}

static inline const struct pdump_dump_rank_stat *stats_of(const char *name,
                                                          int metric)
{
    return pdump_view_ranks_stat(view, over, find(name), metric);
}

static inline void finish_over(void)
{
    pdump_view_ranks_free(over);
    finish();
}

#endif
