/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A region pair in a rank of an MPI job, against the same in a process alone.
 *   mpirun -n 2 pair [ROUNDS]
 *
 * Rank 0 and a process that it starts before MPI take turns on one processor;
 * the other ranks record all the time, on another one if there is one.
 */
#include "../side.h"
#include "../work.h"

#include <mpi.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 400, ROUNDS_MAX = 10000, BATCH = 16384, TAG_END = 1 };

static double alone[ROUNDS_MAX], ranked[ROUNDS_MAX], ratios[ROUNDS_MAX];

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double quantile(double *values, int n, int percent)
{
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return values[(n - 1) * percent / 100];
}

static double batch(void)
{
    work_run_name(BATCH / 8);
    return (double)work_run_name(BATCH) / BATCH;
}

static int compare(struct side *side, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (i % 2)
            ranked[i] = batch();
        alone[i] = side_ask(side);
        if (i % 2 == 0)
            ranked[i] = batch();
        if (alone[i] <= 0)
            return -1;
        ratios[i] = ranked[i] / alone[i];
    }
    return 0;
}

static void record_until_told(void)
{
    int is_told = 0;

    while (!is_told) {
        work_run_name(BATCH);
        MPI_Iprobe(0, TAG_END, MPI_COMM_WORLD, &is_told, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void tell_all(int size)
{
    for (int i = 1; i < size; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, TAG_END, MPI_COMM_WORLD);
}

static int report(int rounds, int is_strict)
{
    double floor = quantile(alone, rounds, 10);
    double ours = quantile(ranked, rounds, 10);
    double must = 1.05;

    printf("%-32s %9.1f %9.1f %6.2f %6.2f %6.2f %s\n",
           "pair, ns: alone, in a rank", floor, ours, ours / floor,
           quantile(ratios, rounds, 50), must,
           ours / floor <= must ? "ok" : "MISSED");
    return is_strict && ours / floor > must;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    int is_strict = getenv("BENCH_STRICT") != NULL;
    char why[SIDE_WHY_SIZE] = "";
    const char *rank_text = getenv("OMPI_COMM_WORLD_RANK");
    struct side side;
    int rank, size, code = 0;

    if (!rank_text)
        rank_text = getenv("PMI_RANK");
    if (rounds < 1 || rounds > ROUNDS_MAX || !rank_text)
        return 2;
    if (atoi(rank_text) == 0 && side_open(&side, &work_name, why) != 0) {
        fprintf(stderr, "pair: %s\n", why);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side_pin(rank == 0 || side_n_cpus() < 2 ? SIDE_CPU : SIDE_OTHER_CPU);
    if (work_start_session("none", 1)) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    } else if (rank > 0) {
        record_until_told();
    } else {
        code = compare(&side, rounds) == 0 ? report(rounds, is_strict) : 2;
        tell_all(size);
        code |= side_close(&side) != 0;
    }
    MPI_Finalize();
    return code;
}
