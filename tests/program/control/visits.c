/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions for control.sh: short and many, with counters that are known. */
#include "program/behaviour/kit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { VISITS = 1000 };

/* Everything that there is in numbers, and one region that lasts. */
static void tiny(void)
{
    OK(pdump_region_begin("all"));
    for (int i = 0; i < VISITS; i++) {
        OK(pdump_start_step());
        OK(pdump_region_begin("tiny"));
        OK(pdump_region_end("tiny"));
        OK(pdump_end_step());
    }
    OK(pdump_region_begin("long"));
    usleep(20000);
    OK(pdump_region_end("long"));
    OK(pdump_region_end("all"));
}

static void writes(void)
{
    int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

    YES(fd >= 0);
    OK(pdump_region_begin("all"));
    for (int i = 0; i < VISITS; i++)
        YES(write(fd, "x", 1) == 1);
    OK(pdump_region_end("all"));
    close(fd);
}

/* A page fault in every visit, and no more. */
static void faults(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, VISITS * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    YES(pages != MAP_FAILED);
    madvise(pages, VISITS * page, MADV_NOHUGEPAGE);
    OK(pdump_region_begin("all"));
    for (int i = 0; i < VISITS; i++) {
        OK(pdump_region_begin("fault"));
        pages[(size_t)i * page] = 1;
        OK(pdump_region_end("fault"));
    }
    OK(pdump_region_end("all"));
}

/* One region in which nothing happens but other regions. */
static void nested(void)
{
    OK(pdump_region_begin("outer"));
    for (int i = 0; i < 100 * VISITS; i++) {
        OK(pdump_region_begin("inner"));
        OK(pdump_region_end("inner"));
    }
    OK(pdump_region_end("outer"));
}

/* Two dumps of one run, and where it was started is not where it ends. */
static void flushed(void)
{
    visit("first");
    OK(pdump_flush());
    visit("second");
    YES(chdir("/") == 0);
}

int main(int argc, char **argv)
{
    YES(argc == 2);
    if (strcmp(argv[1], "tiny") == 0)
        tiny();
    else if (strcmp(argv[1], "writes") == 0)
        writes();
    else if (strcmp(argv[1], "faults") == 0)
        faults();
    else if (strcmp(argv[1], "nested") == 0)
        nested();
    else if (strcmp(argv[1], "flushed") == 0)
        flushed();
    else
        return 2;
    return 0;
}
