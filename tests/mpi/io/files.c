/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file of its own on each rank, and one with MPI on all together. */
#include <mpi.h>
#include <stdio.h>

static int write_own(int rank)
{
    char name[32];
    FILE *f;

    snprintf(name, sizeof(name), "own-%d", rank);
    f = fopen(name, "w");
    return f && fputs("hello\n", f) >= 0 && fclose(f) == 0;
}

static int write_shared(int rank)
{
    MPI_File file;

    if (MPI_File_open(MPI_COMM_WORLD, "shared",
                      MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file) != MPI_SUCCESS)
        return 0;
    MPI_File_write_at(file, 4 * rank, "four", 4, MPI_CHAR, MPI_STATUS_IGNORE);
    return MPI_File_close(&file) == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, is_good;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_good = write_own(rank) && write_shared(rank);
    MPI_Finalize();
    return !is_good;
}
