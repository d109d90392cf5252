/* SPDX-License-Identifier: BSD-3-Clause */
#include "plate.h"

#include <mpi.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>

/* Cells of the rows before `row`. */
static double cells_before(int row)
{
    return 0.5 * (row - 1.0) * (row - 2.0);
}

int plate_first(int n, int rank, int ranks, enum split split)
{
    double wanted = cells_before(n) * rank / ranks;
    int row = 1 + rank; /* no rank before is without a row */

    if (split == SPLIT_ROWS)
        return 1 + (int)((n - 1L) * rank / ranks);
    while (row < n - (ranks - rank) && cells_before(row) < wanted)
        row++;
    return row;
}

int plate_make(struct plate *plate, int n, int rank, int ranks,
               enum split split)
{
    size_t width = (size_t)n + 1;

    plate->n = n;
    plate->first = plate_first(n, rank, ranks, split);
    plate->rows = plate_first(n, rank + 1, ranks, split) - plate->first;
    plate->old = calloc(width * (plate->rows + 2), sizeof(double));
    plate->now = calloc(width * (plate->rows + 2), sizeof(double));
    if (plate->old && plate->now)
        return 0;
    plate_free(plate);
    return -1;
}

void plate_free(struct plate *plate)
{
    free(plate->old);
    free(plate->now);
    plate->old = plate->now = NULL;
}

void plate_exchange(struct plate *plate, int rank, int ranks)
{
    int width = plate->n + 1, rows = plate->rows;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    double *top = plate->old, *bottom = top + (size_t)width * (rows + 1);

    pdump_region_begin("exchange");
    MPI_Sendrecv(top + width, width, MPI_DOUBLE, above, 0, bottom, width,
                 MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(bottom - width, width, MPI_DOUBLE, below, 1, top, width,
                 MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pdump_region_end("exchange");
}

/* This rank's rows as bytes, 255 for `hottest`; NULL without memory. */
static unsigned char *shades(const struct plate *plate, double hottest)
{
    size_t width = (size_t)plate->n + 1, cells = width * plate->rows;
    unsigned char *out = malloc(cells);

    for (size_t i = 0; out && i < cells; i++)
        out[i] = (unsigned char)(255 * plate->old[width + i] / hottest);
    return out;
}

static double hottest(const struct plate *plate)
{
    size_t width = (size_t)plate->n + 1;
    double mine = 1e-300, all; /* a cold plate is black */

    for (size_t i = width; i < width * (plate->rows + 1); i++)
        if (plate->old[i] > mine)
            mine = plate->old[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static int write_rows(const unsigned char *rows, int width, int height,
                      const char *path)
{
    FILE *f = fopen(path, "wb");
    size_t n = (size_t)width * height;
    int is_bad;

    if (!f)
        return -1;
    fprintf(f, "P5 %d %d 255\n", width, height);
    is_bad = fwrite(rows, 1, n, f) != n;
    return fclose(f) != 0 || is_bad ? -1 : 0;
}

/* All rows on rank 0, which gets their number; NULL on the others. */
static unsigned char *gather(const struct plate *plate, int rank, int ranks,
                             unsigned char *mine, int *height)
{
    int width = plate->n + 1, bytes = width * plate->rows;
    int *counts = calloc((size_t)ranks * 2, sizeof(int)), *at = counts + ranks;
    unsigned char *all = NULL;

    if (!counts)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; i < ranks; i++)
        at[i] = at[i - 1] + counts[i - 1];
    *height = (at[ranks - 1] + counts[ranks - 1]) / width;
    if (rank == 0 && !(all = malloc((size_t)*height * width)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gatherv(mine, bytes, MPI_BYTE, all, counts, at, MPI_BYTE, 0,
                MPI_COMM_WORLD);
    free(counts);
    return all;
}

int plate_picture(const struct plate *plate, int rank, int ranks,
                  const char *path)
{
    unsigned char *mine, *all;
    int height, err = 0;

    pdump_region_begin("picture");
    mine = shades(plate, hottest(plate));
    if (!mine)
        MPI_Abort(MPI_COMM_WORLD, 1);
    all = gather(plate, rank, ranks, mine, &height);
    if (rank == 0)
        err = write_rows(all, plate->n + 1, height, path);
    free(all);
    free(mine);
    pdump_region_end("picture");
    return err;
}
