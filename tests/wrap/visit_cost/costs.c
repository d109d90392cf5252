/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what visits cost: of a region, a function or an I/O call. */
#include "rounds.h"

#include <pdump.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int fd;
static off_t (*real_lseek)(int, off_t, int);

static PLAIN void nothing(int n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("");
}

static PLAIN void regions(int n)
{
    for (int i = 0; i < n; i++) {
        pdump_region_begin("region");
        pdump_region_end("region");
    }
}

static __attribute__((noinline)) int function(int x)
{
    __asm__ volatile("");
    return x;
}

static PLAIN int function_bare(int x)
{
    __asm__ volatile("");
    return x;
}

static PLAIN void functions(int n)
{
    for (int i = 0; i < n; i++)
        function(i);
}

static PLAIN void functions_bare(int n)
{
    for (int i = 0; i < n; i++)
        function_bare(i);
}

static PLAIN void seeks(int n)
{
    for (int i = 0; i < n; i++)
        lseek(fd, 0, SEEK_CUR);
}

static PLAIN void seeks_bare(int n)
{
    for (int i = 0; i < n; i++)
        real_lseek(fd, 0, SEEK_CUR);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    void *found = dlsym(dlopen("libc.so.6", RTLD_NOW), "lseek");

    memcpy(&real_lseek, &found, sizeof(real_lseek));
    fd = open("/dev/zero", O_RDONLY);
    if (fd < 0 || !real_lseek)
        return 1;
    if (strcmp(kind, "function") == 0)
        print_cost(functions, functions_bare);
    else if (strcmp(kind, "io_call") == 0)
        print_cost(seeks, seeks_bare);
    else
        print_cost(regions, nothing);
    return 0;
}
