/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time and memory of one dump.
 *   scale REGIONS COUNTERS   in a folder to write to
 * Prints "RANKS REGIONS MS GROWTH SIZE": milliseconds on rank 0, in which the
 * snapshots of all ranks and the writing are, KiB that rank 0's memory grew by,
 * and bytes of the file.
 */
#include "../work.h"
#include "memory.h"
#include "rank.h"

#include <mpi.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int fail(void)
{
    fprintf(stderr, "scale: %s\n", pdump_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

int main(int argc, char **argv)
{
    int regions = argc > 1 ? atoi(argv[1]) : 1000;
    int counters = argc > 2 ? atoi(argv[2]) : 7;
    struct stat st = { 0 };
    int rank, size, err;
    char path[64];
    int64_t start;
    long before;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* What happens once in a run: modules are loaded, the ranks meet, MPI gets
     * buffers. */
    if (pdump_init() < 0 || pdump_flush_comm(NULL, "empty") < 0)
        return fail();
    rank_warm_up((size_t)regions * (size_t)(counters + 1) * 40);
    if (rank_record(rank, regions, counters) < 0)
        return fail();
    rank_meet();
    memory_forget();
    before = memory_peak();
    start = work_now();
    err = pdump_flush_comm(NULL, "full");
    start = work_now() - start;
    if (err < 0)
        return fail();
    snprintf(path, sizeof(path), "full.%d.h5", size);
    if (rank == 0 && stat(path, &st) == 0)
        printf("%d %d %.1f %ld %lld\n", size, regions, (double)start / 1e6,
               memory_peak() - before, (long long)st.st_size);
    MPI_Finalize();
    return 0;
}
