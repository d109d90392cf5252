/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump made by hand, with exact figures to score.
 *   made NAME [stats]
 * writes NAME.csv of two ranks, rank 1 with two threads; "stats": with
 * statistics over ranks only.  A visit cost 100 ns to record.
 *
 *   main      1 visit, 10 ms    solve    2000 visits of 4 us
 *   tiny      5000 visits of 200 ns (10000 on rank 1), in solve
 *   "odd #*"  1500 visits of 100 ns    rare      10 visits of 100 ns
 *   MPI_Test  3000 visits of 150 ns, group mpi
 */
#include "dump/builder.h"
#include "write/sink.h"

#include <stdio.h>
#include <string.h>

static const struct item {
    const char *name, *group;
    int parent;
    int64_t visits, ns; /* of each visit */
} items[] = {
    { "main", "user", -1, 1, 10000000 }, { "solve", "user", 0, 2000, 4000 },
    { "tiny", "user", 1, 5000, 200 },    { "odd #*", "user", 0, 1500, 100 },
    { "rare", "user", 0, 10, 100 },      { "MPI_Test", "mpi", 0, 3000, 150 },
};

enum { ITEMS = sizeof(items) / sizeof(items[0]), TINY = 2 };

static struct pdump_builder *b;
static int nodes[ITEMS];

static void make_nodes(void)
{
    for (int i = 0; i < ITEMS; i++) {
        struct pdump_dump_region region = { .name = items[i].name,
                                            .group = items[i].group,
                                            .file = "src/made.c",
                                            .line = i + 1 };

        nodes[i] = pdump_builder_node(
            b, items[i].parent < 0 ? -1 : nodes[items[i].parent],
            pdump_builder_region(b, &region));
    }
}

static void put_row(int thread, int i, int64_t visits)
{
    int64_t row = pdump_builder_row(b, thread, nodes[i], visits, false);
    int64_t ns = items[i].ns;

    pdump_builder_value(b, row, 0, visits * ns, ns, ns,
                        (double)visits * (double)ns * (double)ns);
}

static void make_rank(int rank)
{
    struct pdump_dump_process process = {
        .rank = rank, .pid = 1000 + rank, .host = "node", .command = "./made"
    };
    struct pdump_dump_thread thread = { .process =
                                            pdump_builder_process(b, &process),
                                        .name = "" };
    int index = pdump_builder_thread(b, &thread);

    for (int i = 0; i < ITEMS; i++)
        put_row(index, i, items[i].visits);
    if (rank == 1) {
        thread.number = 1;
        index = pdump_builder_thread(b, &thread);
        for (int i = 0; i <= TINY; i++)
            put_row(index, i, i == TINY ? items[i].visits : 1);
    }
}

static void make_stats(void)
{
    for (int i = 0; i < ITEMS; i++) {
        int64_t n = items[i].visits, m = i == TINY ? 2 * n : n;
        int64_t ns = items[i].ns;

        pdump_builder_stat(b, -1, nodes[i],
                           &(struct pdump_dump_rank_stat){
                               2, n + m, n, m, (double)(n * n + m * m), 0, 1 });
        pdump_builder_stat(
            b, 0, nodes[i],
            &(struct pdump_dump_rank_stat){ 2, (n + m) * ns, n * ns, m * ns,
                                            (double)(n * n + m * m), 0, 1 });
    }
}

int main(int argc, char **argv)
{
    struct pdump_dump_metric time = { .name = "time", .unit = "ns" };
    const struct pdump_sink *csv;
    struct pdump_dump *dump;
    int err = 0;

    if (argc < 2 || pdump_builder_new(&b) < 0)
        return 2;
    pdump_builder_metric(b, &time);
    make_nodes();
    if (argc == 2) {
        make_rank(0);
        make_rank(1);
    } else {
        make_stats();
    }
    pdump_builder_metadata(b, "ranks", "2");
    pdump_builder_metadata(b, "overhead_ns_per_visit", "100");
    if (pdump_builder_finish(b, &dump) < 0 || pdump_sink_find("csv", &csv) < 0)
        return 1;
    for (const struct pdump_sink_part *p = csv->parts; p->suffix; p++) {
        char path[300];

        snprintf(path, sizeof(path), "%.200s%s", argv[1], p->suffix);
        err |= pdump_sink_write(p, dump, path) < 0;
    }
    if (err)
        fprintf(stderr, "%s\n", pdump_last_error());
    pdump_dump_free(dump);
    pdump_builder_free(b);
    return err;
}
