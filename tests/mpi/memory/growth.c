/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much the memory of rank 0 grows while a dump of all ranks is written.
 *   growth REGIONS COUNTERS BYTES
 * Prints "growth KIB" of the highest resident memory.  Modules are loaded, and
 * messages of so many bytes are exchanged, before.
 */
#include <pdump.h>

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, pdump_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

/* The most memory that this process has had, in KiB, since forget_peak(). */
static long peak(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;

    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

static void forget_peak(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY);

    if (fd < 0 || write(fd, "5", 1) != 1)
        fprintf(stderr, "the peak of before cannot be forgotten\n");
    if (fd >= 0)
        close(fd);
}

/* MPI keeps buffers for each rank that has ever sent something.  Not from
 * malloc(), which would keep the memory for those who ask next. */
static void warm_up(size_t bytes, int rank, int size)
{
    size_t all = bytes * (size_t)(rank == 0 ? size + 1 : 1);
    char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return;
    MPI_Gather(memory, (int)bytes, MPI_BYTE, memory + bytes, (int)bytes,
               MPI_BYTE, 0, MPI_COMM_WORLD);
    munmap(memory, all);
}

static void record(int regions, int counters)
{
    for (int i = 0; i < regions; i++) {
        char name[32];

        snprintf(name, sizeof(name), "region_%d", i);
        pdump_region_begin(name);
        for (int c = 0; c < counters; c++) {
            snprintf(name, sizeof(name), "counter_%d", c);
            pdump_counter_add(name, 1000003L * (i + 7) * (c + 3) % 999983);
        }
        pdump_region_end(NULL);
    }
}

int main(int argc, char **argv)
{
    int regions = argc > 1 ? atoi(argv[1]) : 1000;
    int counters = argc > 2 ? atoi(argv[2]) : 1;
    size_t bytes = argc > 3 ? (size_t)atol(argv[3]) : 1;
    int rank, size;
    long before;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (pdump_init() < 0 || pdump_flush_comm(NULL, "empty") < 0)
        return fail("the first dump");
    warm_up(bytes, rank, size);
    record(regions, counters);
    forget_peak();
    before = peak();
    if (pdump_flush_comm(NULL, "full") < 0)
        return fail("the second dump");
    if (rank == 0)
        printf("growth %ld\n", peak() - before);
    MPI_Finalize();
    return 0;
}
