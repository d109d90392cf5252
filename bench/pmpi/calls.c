/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What recording adds to a call of MPI.
 *   calls [ROUNDS]        with libpdump-pmpi.so preloaded
 *
 * Three ways to call: MPI's own function by its name for tools, the same
 * between two readings of the clock (the least that a tool can do), and as
 * programs do it, recorded with its call site.  They take turns in rounds that
 * are shorter than a time slice, for some seconds, as the machine has phases of
 * seconds in which all code is slow.  What each way takes in a quiet moment, as
 * report.h has it, is compared; the median of what a round adds is told.
 */
#include "../work.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 4001, ROUNDS_MAX = 10001, CALLS = 2000 };

static char from[8], to[8];
static int rank;
static volatile int64_t
    clocks; /* of the bare wrapper, so that it is not idle */

static int clocked_rank(MPI_Comm comm, int *out)
{
    int64_t start = work_now();
    int code = PMPI_Comm_rank(comm, out);

    clocks = work_now() - start;
    return code;
}

static int clocked_send(const void *buf, int n, MPI_Datatype type, int dest,
                        int tag, MPI_Comm comm)
{
    int64_t start = work_now();
    int code = PMPI_Send(buf, n, type, dest, tag, comm);

    clocks = work_now() - start;
    return code;
}

static int clocked_recv(void *buf, int n, MPI_Datatype type, int source,
                        int tag, MPI_Comm comm, MPI_Status *status)
{
    int64_t start = work_now();
    int code = PMPI_Recv(buf, n, type, source, tag, comm, status);

    clocks = work_now() - start;
    return code;
}

static int clocked_sendrecv(const void *a, int n, MPI_Datatype type, int dest,
                            int tag, void *b, int m, MPI_Datatype other,
                            int source, int other_tag, MPI_Comm comm,
                            MPI_Status *status)
{
    int64_t start = work_now();
    int code = PMPI_Sendrecv(a, n, type, dest, tag, b, m, other, source,
                             other_tag, comm, status);

    clocks = work_now() - start;
    return code;
}

/* A function per way, as the call must be a direct one. */
#define WAYS(way, rank_of, send, recv, sendrecv)                            \
    static void way##_rank(void)                                            \
    {                                                                       \
        for (int i = 0; i < CALLS; i++)                                     \
            rank_of(MPI_COMM_WORLD, &rank);                                 \
    }                                                                       \
    __attribute__((unused)) static void way##_send(void)                    \
    {                                                                       \
        for (int i = 0; i < CALLS / 2; i++) {                               \
            send(from, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);                  \
            recv(to, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
        }                                                                   \
    }                                                                       \
    static void way##_sendrecv(void)                                        \
    {                                                                       \
        for (int i = 0; i < CALLS; i++)                                     \
            sendrecv(from, 8, MPI_CHAR, 0, 0, to, 8, MPI_CHAR, 0, 0,        \
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);                    \
    }
WAYS(plain, PMPI_Comm_rank, PMPI_Send, PMPI_Recv, PMPI_Sendrecv)
WAYS(bare, clocked_rank, clocked_send, clocked_recv, clocked_sendrecv)
WAYS(ours, MPI_Comm_rank, MPI_Send, MPI_Recv, MPI_Sendrecv)

static const struct contest {
    const char *name;
    void (*ways[3])(void);
} contests[] = {
    { "MPI_Comm_rank", { plain_rank, bare_rank, ours_rank } },
#ifndef MPICH_NUMVERSION /* which does not send to itself what nobody awaits \
                          */
    { "MPI_Send, MPI_Recv", { plain_send, bare_send, ours_send } },
#endif
    { "MPI_Sendrecv", { plain_sendrecv, bare_sendrecv, ours_sendrecv } },
};

enum {
    PLAIN,
    BARE,
    OURS,
    N_WAYS,
    N_CONTESTS = sizeof(contests) / sizeof(contests[0])
};

static double times[N_WAYS][ROUNDS_MAX], added[ROUNDS_MAX];

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* That which a share of the values is below. */
static double quantile(double *values, int n, double share)
{
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return values[(int)(n * share)];
}

static double play(void (*way)(void))
{
    int64_t start = work_now();

    way();
    return (double)(work_now() - start) / CALLS;
}

static int compare(const struct contest *contest, int rounds, double must)
{
    double quiet[N_WAYS], median, more;

    for (int i = -20; i < rounds; i++)
        for (int w = 0; w < N_WAYS; w++) {
            int way = (w + i + 20) % N_WAYS;
            double figure = play(contest->ways[way]);

            if (i >= 0)
                times[way][i] = figure;
        }
    for (int i = 0; i < rounds; i++)
        added[i] = times[OURS][i] - times[PLAIN][i];
    median = quantile(added, rounds, 0.5);
    for (int w = 0; w < N_WAYS; w++)
        quiet[w] = quantile(times[w], rounds, 0.1);
    more = quiet[OURS] - quiet[PLAIN];
    printf("%-32s %9.1f %9.1f %9.1f %9.1f %6.0f %s\n", contest->name,
           quiet[PLAIN], quiet[BARE] - quiet[PLAIN], more, median, must,
           more <= must ? "ok" : "MISSED");
    return more > must;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS, n_missed = 0;

    if (rounds < 1 || rounds > ROUNDS_MAX)
        return 2;
    MPI_Init(&argc, &argv);
    printf("%-32s %9s %9s %9s %9s %6s %s\n", "MPI calls, ns", "no tool",
           "+ bare", "+ ours", "median", "must", "verdict");
    for (int i = 0; i < N_CONTESTS; i++)
        n_missed += compare(&contests[i], rounds, 85);
    MPI_Finalize();
    return n_missed > 0 && getenv("BENCH_STRICT") ? 1 : 0;
}
