/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of these benchmarks have in common. */
#include "rank.h"

#include <mpi.h>
#include <pdump.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { VISITS = 2 };

/* Between 1000 and 10 million, more often small than large. */
static int64_t some_number(uint64_t seed)
{
    seed *= UINT64_C(0x9e3779b97f4a7c15);
    seed ^= seed >> 29;
    seed *= UINT64_C(0xff51afd7ed558ccd);
    seed ^= seed >> 32;
    return 1000 +
           (int64_t)((seed & 0xffff) * (seed >> 16 & 0xffff) >> 8) % 9999999;
}

static int visit(const char *name, uint64_t seed, int counters)
{
    int err = pdump_region_begin(name);

    for (int i = 0; err >= 0 && i < counters; i++) {
        char counter[32];

        snprintf(counter, sizeof(counter), "counter_%d", i);
        err = pdump_counter_add(counter, some_number(seed * 64 + (uint64_t)i));
    }
    return err < 0 ? err : pdump_region_end(name);
}

int rank_record(int rank, int regions, int counters)
{
    int err = pdump_init();

    for (int v = 0; err >= 0 && v < VISITS; v++)
        for (int i = 0; err >= 0 && i < regions; i++) {
            char name[32];

            snprintf(name, sizeof(name), "region_%06d", i);
            err = visit(name, ((uint64_t)rank << 40) + (uint64_t)(v << 24) + i,
                        counters);
        }
    if (err < 0)
        fprintf(stderr, "rank %d: %s\n", rank, pdump_last_error());
    return err < 0 ? -1 : 0;
}

/* Not from malloc(), which would keep the memory for those who ask next. */
void rank_warm_up(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int rank, size;

    if (memory == MAP_FAILED)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < size; i++) {
        if (rank == 0)
            MPI_Recv(memory, (int)bytes, MPI_BYTE, i, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        else if (rank == i)
            MPI_Send(memory, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    munmap(memory, bytes);
}

void rank_meet(void)
{
    const struct timespec pause = { .tv_nsec = 500000 };
    MPI_Request request;
    int is_done = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (is_done)
            return;
        nanosleep(&pause, NULL);
    }
}

int64_t rank_cpu(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}
