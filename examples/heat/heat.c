/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat leaves a triangular plate through its cold edges: an explicit solver,
 * rows spread over MPI ranks.  docs/heat.md walks through it.
 *   make && mpirun -n 2 ./heat && pdump report perf_dump.2.h5 */
#include "plate.h"

#include <mpi.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In kernel.f90. */
void heat_start(int n, int first, int rows, double *now);
void heat_sweep(int n, int first, int rows, double r, const double *old,
                double *now);
double heat_sum(int n, int first, int rows, const double *now);
double heat_error(int n, int first, int rows, double r, int steps,
                  const double *now);

static const double r = 0.2; /* time step by the square of a cell's side */

struct options {
    int n, steps;
    int every; /* steps between two looks at the heat that is left */
    enum split split;
    const char *picture;
};

static int rank, ranks;

static double monitor(const struct plate *plate)
{
    double all, mine;

    pdump_region_begin("monitor");
    mine = heat_sum(plate->n, plate->first, plate->rows, plate->old);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    pdump_region_end("monitor");
    return all;
}

/* The heat that is left, as a part of what there was. */
static double march(struct plate *plate, const struct options *options)
{
    double first, left;

    pdump_region_begin("march");
    first = left = monitor(plate);
    for (int step = 1; step <= options->steps; step++) {
        double *swap = plate->old;

        plate_exchange(plate, rank, ranks);
        heat_sweep(plate->n, plate->first, plate->rows, r, plate->old,
                   plate->now);
        plate->old = plate->now;
        plate->now = swap;
        if (step % options->every == 0)
            left = monitor(plate);
    }
    pdump_region_end("march");
    return left / first;
}

/* How far the result is from the exact one. */
static double check(const struct plate *plate, const struct options *options)
{
    double mine, worst;

    mine = heat_error(plate->n, plate->first, plate->rows, r, options->steps,
                      plate->old);
    MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

static int solve(const struct options *options)
{
    struct plate plate;
    double left, error;
    int err = 0;

    if (plate_make(&plate, options->n, rank, ranks, options->split) < 0) {
        fprintf(stderr, "heat: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    heat_start(plate.n, plate.first, plate.rows, plate.old);
    left = march(&plate, options);
    error = check(&plate, options);
    if (options->picture)
        err = plate_picture(&plate, rank, ranks, options->picture);
    if (err)
        fprintf(stderr, "heat: cannot write %s\n", options->picture);
    if (rank == 0)
        printf("%d ranks, n %d, %d steps: %.4f of the heat is left, error "
               "%.1e\n",
               ranks, options->n, options->steps, left, error);
    plate_free(&plate);
    return err || error > 1e-15 * (1000 + options->steps);
}

static int usage(void)
{
    if (rank == 0)
        fprintf(stderr,
                "usage: heat [-n CELLS] [-s STEPS] [-m EVERY] "
                "[-b rows|cells] [-o PICTURE]\n"
                "  -n  cells on a side, more than there are ranks (1000)\n"
                "  -s  steps in time (1000)\n"
                "  -m  sum up the heat every so many steps (10)\n"
                "  -b  balance: as many rows (default) or cells per rank\n"
                "  -o  picture of the plate at the end, PGM\n");
    return -1;
}

static int read_options(int argc, char **argv, struct options *o)
{
    int option;

    *o = (struct options){ 1000, 1000, 10, SPLIT_ROWS, NULL };
    opterr = 0;
    while ((option = getopt(argc, argv, "n:s:m:b:o:")) != -1) {
        if (option == 'n')
            o->n = atoi(optarg);
        else if (option == 's')
            o->steps = atoi(optarg);
        else if (option == 'm')
            o->every = atoi(optarg);
        else if (option == 'b' && strcmp(optarg, "cells") == 0)
            o->split = SPLIT_CELLS;
        else if (option == 'b' && strcmp(optarg, "rows") == 0)
            o->split = SPLIT_ROWS;
        else if (option == 'o')
            o->picture = optarg;
        else
            return usage();
    }
    if (optind < argc || o->n <= ranks || o->n > 30000 || o->steps < 1 ||
        o->every < 1)
        return usage();
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    int err = 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pdump_region_begin("solve");
    if (read_options(argc, argv, &options) == 0) {
        pdump_metadata("split", options.split == SPLIT_ROWS ? "rows" : "cells");
        err = solve(&options);
    }
    pdump_region_end("solve");
    MPI_Finalize(); /* writes one file for all ranks */
    return err;
}
