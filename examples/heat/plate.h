/* SPDX-License-Identifier: BSD-3-Clause */
/* The plate: a triangle, of which each rank has some rows.
 *
 * It is the half x < y of a square of n x n cells.  Row y has the cells 1 to
 * y - 1; the cells 0 and y are its edge, as are the rows 0 and n, and are cold.
 */
#ifndef PLATE_H
#define PLATE_H

enum split {
    SPLIT_ROWS, /* every rank has as many rows as the others */
    SPLIT_CELLS /* every rank has as many cells */
};

struct plate {
    int n;             /* cells on a side */
    int first, rows;   /* this rank's rows: first, first + 1, ... */
    double *old, *now; /* rows + 2 rows of n + 1 values: halo, rows, halo */
};

/* The first row of a rank; that of rank `ranks` is n. */
int plate_first(int n, int rank, int ranks, enum split split);

/* 0, or -1 without memory. */
int plate_make(struct plate *plate, int n, int rank, int ranks,
               enum split split);
void plate_free(struct plate *plate);

/* Get the rows above and below from their ranks. */
void plate_exchange(struct plate *plate, int rank, int ranks);

/* Write the plate as a picture (PGM, hot is white); for all ranks to call.
 * 0, or -1 on rank 0 if it cannot be written. */
int plate_picture(const struct plate *plate, int rank, int ranks,
                  const char *path);

#endif
