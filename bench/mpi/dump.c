/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump of all ranks, against a bare gather and H5Dwrite of the same bytes.
 *   dump [REGIONS [COUNTERS [ROUNDS [RATIO [MS [KB]]]]]]
 * in a folder to write to; the last three are what must be kept, 0: nothing.
 */
#include "../work.h"
#include "bare.h"
#include "rank.h"
#include "steps.h"

#include <mpi.h>
#include <pdump.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROUNDS_MAX = 1000 };

/* ns per round, on rank 0. */
enum {
    OURS,
    BARE, /* gather and write */
    UNITE,
    WRITE,
    SYNC,
    READ,
    BARE_GATHER,
    BARE_WRITE,
    BARE_SYNC,
    BARE_READ,
    BARE_ALL, /* with these two */
    CPU,
    BARE_CPU, /* gather and write */
    N_FIGURES
};
static double figures[N_FIGURES][ROUNDS_MAX];

struct order {
    int regions, counters, rounds;
    double ratio_must, ms_must, kb_must;
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double least(int figure, int n)
{
    qsort(figures[figure], (size_t)n, sizeof(double), by_value);
    return figures[figure][0] / 1e6;
}

static double median(int figure, int n)
{
    qsort(figures[figure], (size_t)n, sizeof(double), by_value);
    return figures[figure][n / 2] / 1e6;
}

static int play_ours(int round)
{
    int64_t start, end, cpu;
    int err;

    rank_meet();
    steps_clear();
    cpu = rank_cpu();
    start = work_now();
    err = pdump_flush_comm(NULL, "ours");
    end = work_now();
    figures[CPU][round] = (double)(rank_cpu() - cpu);
    figures[OURS][round] = (double)(end - start);
    figures[UNITE][round] = (double)(steps.write - start);
    figures[WRITE][round] = (double)(steps.sync - steps.write);
    figures[SYNC][round] = (double)(steps.synced - steps.sync);
    figures[READ][round] = (double)(end - steps.synced);
    if (err < 0)
        fprintf(stderr, "%s\n", pdump_last_error());
    return err < 0 ? -1 : 0;
}

static int play_bare(struct bare *b, int round)
{
    struct bare_times t = { 0 };
    int err;

    rank_meet();
    err = bare_write(b, "bare.h5", &t);
    figures[BARE][round] = (double)(t.gather + t.write);
    figures[BARE_ALL][round] = (double)(t.gather + t.write + t.sync + t.read);
    figures[BARE_CPU][round] = (double)t.cpu;
    figures[BARE_GATHER][round] = (double)t.gather;
    figures[BARE_WRITE][round] = (double)t.write;
    figures[BARE_SYNC][round] = (double)t.sync;
    figures[BARE_READ][round] = (double)t.read;
    if (err < 0)
        fprintf(stderr, "bare.h5 could not be written\n");
    return err;
}

static int64_t size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

/* As the row of pair.c; `must` 0: nothing is asked. */
static int row(const char *what, double bare, double ours, double ratio,
               double median_ratio, double must)
{
    bool is_missed = must > 0 && ratio > must;

    printf("%-32s %9.1f %9.1f %6.2f", what, bare, ours, ratio);
    if (median_ratio > 0)
        printf(" %6.2f", median_ratio);
    else
        printf(" %6s", "-");
    if (must > 0)
        printf(" %6.2f %s\n", must, is_missed ? "MISSED" : "ok");
    else
        printf(" %6s -\n", "-");
    return is_missed;
}

static void part(const char *what, int ours, int bare, int n)
{
    double a = median(ours, n), b = median(bare, n);

    row(what, b, a, a / b, 0, 0);
}

static int absolute(const char *what, double ours, double must)
{
    if (must <= 0)
        return 0;
    printf("%-32s %9s %9.1f %6s %6s %6.0f %s\n", what, "-", ours, "-", "-",
           must, ours <= must ? "ok" : "MISSED");
    return ours > must;
}

static int report(const struct bare *b, const char *path,
                  const struct order *order)
{
    int n = order->rounds;
    double kb = (double)size_of(path) / 1e3;
    double floor_kb = (double)bare_compressed(b) / 1e3;
    int n_missed = 0;

    n_missed += row("time, ms", least(BARE, n), least(OURS, n),
                    least(OURS, n) / least(BARE, n),
                    median(OURS, n) / median(BARE, n), order->ratio_must);
    part("  median: until the write", UNITE, BARE_GATHER, n);
    part("  median: write", WRITE, BARE_WRITE, n);
    part("  median: fsync *", SYNC, BARE_SYNC, n);
    part("  median: read back *", READ, BARE_READ, n);
    row("  all four steps on both sides", least(BARE_ALL, n), least(OURS, n),
        least(OURS, n) / least(BARE_ALL, n),
        median(OURS, n) / median(BARE_ALL, n), 0);
    row("CPU time of rank 0, ms", least(BARE_CPU, n), least(CPU, n),
        least(CPU, n) / least(BARE_CPU, n),
        median(CPU, n) / median(BARE_CPU, n), 0);
    n_missed += row("file, kB", floor_kb, kb, kb / floor_kb, 0, 1.3);
    n_missed += absolute("time, ms", least(OURS, n), order->ms_must);
    n_missed += absolute("file, kB", kb, order->kb_must);
    printf("%-32s %9.1f\n", "  columns as they are, kB",
           (double)bare_bytes(b) / 1e3);
    return n_missed;
}

static int play_all(const struct order *order, int rank, int size)
{
    struct bare *b = NULL;
    char path[64];
    int err, n_missed = 0;

    snprintf(path, sizeof(path), "ours.%d.h5", size);
    err = rank_record(rank, order->regions, order->counters);
    if (err == 0)
        err = play_ours(0);
    if (err == 0)
        b = bare_open(path);
    for (int i = 0; b && err == 0 && i < order->rounds; i++) {
        err = play_bare(b, i);
        if (err == 0)
            err = play_ours(i);
    }
    if (rank == 0 && b && err == 0)
        n_missed = report(b, path, order);
    if (!b || err != 0)
        return -1;
    bare_close(b);
    return n_missed;
}

static double number(int argc, char **argv, int i, double fallback)
{
    return argc > i ? atof(argv[i]) : fallback;
}

int main(int argc, char **argv)
{
    const struct order order = {
        .regions = (int)number(argc, argv, 1, 10000),
        .counters = (int)number(argc, argv, 2, 7),
        .rounds = (int)number(argc, argv, 3, 9),
        .ratio_must = number(argc, argv, 4, 0),
        .ms_must = number(argc, argv, 5, 0),
        .kb_must = number(argc, argv, 6, 0),
    };
    int rank, size, n_missed;

    if (order.rounds < 1 || order.rounds > ROUNDS_MAX)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n_missed = play_all(&order, rank, size);
    if (n_missed < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return n_missed > 0 && getenv("BENCH_STRICT") ? 1 : 0;
}
