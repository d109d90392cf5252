/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cutter STORE: reads the store cut and damaged in thousands of ways.
 *
 * Every variant is told on stdout before it is tried, so that the last line
 * says where it went wrong if this process dies.  The file is spoilt.
 */
#include "program/behaviour/kit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FINE = 64 * 1024, /* up to here every few bytes are cut */
    FINE_STEP = 61,
    COARSE_STEP = 4099,
    PAGE = 4096,
    N_FLIPS = 2000,
    LONGEST = 300, /* seconds per variant */
};

static const char *path;
static int fd;
static long size;
static long used; /* behind it there are only zeroes */
static char *whole;

/* The same sequence everywhere. */
static unsigned long next_random(void)
{
    static unsigned long long state = 20261116;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned long)(state >> 33);
}

static long long all_visits(const struct pdump_dump *dump)
{
    struct pdump_row row = { .size = sizeof(row) };
    long long n = 0;

    for (int64_t i = 0; pdump_dump_row(dump, i, &row) == PDUMP_OK; i++)
        n += row.visits;
    return n;
}

/* The number of visits in it, or an error that names the file. */
static long long look(const char *what, long at)
{
    struct pdump_dump *dump;
    long long n;
    int err;

    printf("%s %ld\n", what, at);
    fflush(stdout);
    alarm(LONGEST);
    err = pdump_load(path, &dump);
    if (err < 0) {
        YES(has_error(path));
        return err;
    }
    n = all_visits(dump);
    pdump_dump_free(dump);
    return n;
}

static void put(const char *bytes, long at, long n)
{
    YES(pwrite(fd, bytes, (size_t)n, at) == n);
}

/* From the back to the front: what is cut off stays off. */
static void cut_everywhere(long long n_visits)
{
    long long before = n_visits;
    long at = size - 1;

    while (at >= 0) {
        long long n;

        YES(ftruncate(fd, at) == 0);
        n = look("cut", at);
        /* Less than all may be left, but nothing comes from nowhere. */
        YES(n <= before);
        if (n >= 0)
            before = n;
        at -= at > FINE ? COARSE_STEP : at > FINE_STEP ? FINE_STEP : 1;
    }
    put(whole, 0, size);
}

static void clear_pages(void)
{
    static const char zeroes[PAGE];

    for (long at = 0; at < used; at += PAGE) {
        put(zeroes, at, PAGE);
        look("page", at);
        put(whole + at, at, PAGE);
    }
}

/* One byte of any value, or a word that looks like a ref. */
static void flip(void)
{
    for (int i = 0; i < N_FLIPS; i++) {
        long at = (long)(next_random() % (unsigned long)used);
        uint32_t ref = (uint32_t)(next_random() % (unsigned long)(used / 8));
        char byte = (char)next_random();

        if (i % 2) {
            put(&byte, at, 1);
            look("byte", at);
        } else {
            at = at / 4 * 4;
            put((const char *)&ref, at, sizeof(ref));
            look("word", at);
        }
        put(whole + at / 4 * 4, at / 4 * 4, sizeof(ref));
    }
}

static int take_in(void)
{
    struct stat status;

    fd = open(path, O_RDWR);
    if (fd < 0 || fstat(fd, &status) != 0)
        return 0;
    size = status.st_size;
    whole = malloc((size_t)size);
    if (!whole || pread(fd, whole, (size_t)size, 0) != size)
        return 0;
    for (used = size; used > PAGE && !whole[used - 1];)
        used--;
    return 1;
}

int main(int argc, char **argv)
{
    long long n;

    path = argc > 1 ? argv[1] : "";
    if (!take_in()) {
        perror(path);
        return 99;
    }
    n = look("whole", size);
    YES(n > 0);
    cut_everywhere(n);
    IS(look("whole", size), n);
    clear_pages();
    flip();
    IS(look("whole", size), n);
    free(whole);
    return n_failed > 0;
}
