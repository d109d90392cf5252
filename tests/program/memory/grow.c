/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grows by known steps: region "small" has 16 MiB, "large" 64 MiB more; then
 * both are given back.  `grow WORD`: "plain"; "child": and a child that has 32
 * MiB; "kill": ends by SIGKILL while it has all; "exit": ends by
 * pthread_exit(); "blind": nobody can open a file meanwhile.  "growth",
 * "numbers", "quit" and "pass" are other programs: "quit" is one thread that
 * ends by SYS_exit with code 7; in "pass" another one goes on, and ends the
 * process with code 3.
 */
#include <locale.h>
#include <pdump.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t mib = 1024 * 1024;

/* Long enough for some looks, on a slow machine too. */
static void rest(int ms)
{
    struct timespec ts = { .tv_sec = ms / 1000,
                           .tv_nsec = ms % 1000 * 1000000L };

    nanosleep(&ts, NULL);
}

static void *take(size_t bytes)
{
    void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (got == MAP_FAILED)
        exit(3);
    memset(got, 1, bytes);
    return got;
}

static void with_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        take(32 * mib);
        rest(1000);
        _exit(0);
    }
    pdump_region_begin("child");
    waitpid(child, NULL, 0);
    pdump_region_end("child");
}

static void *take_in(const char *region, size_t bytes)
{
    void *got;

    pdump_region_begin(region);
    got = take(bytes);
    pdump_region_end(region);
    return got;
}

/*
 * keeps: 8 MiB more, twice; gives: both back; passes: nothing, though there
 * are 32 MiB more while it calls takes; last: the same, and it never ends.
 */
static int growth(void)
{
    void *first = take_in("keeps", 8 * mib),
         *second = take_in("keeps", 8 * mib);

    pdump_region_begin("gives");
    munmap(first, 8 * mib);
    munmap(second, 8 * mib);
    pdump_region_end("gives");
    pdump_region_begin("passes");
    munmap(take_in("takes", 32 * mib), 32 * mib);
    pdump_region_end("passes");
    pdump_region_begin("last");
    munmap(take_in("takes", 32 * mib), 32 * mib);
    return 0;
}

/* Files that may be open, for a while as if there were no /proc. */
static void limit_files(rlim_t n)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        exit(3);
    limit.rlim_cur = n < limit.rlim_max ? n : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        exit(3);
}

/* Whoever closes a descriptor and opens the next one gets the same number, as
 * long as he is alone. */
static int numbers(void)
{
    time_t end = time(NULL) + 2;
    int fd = dup(STDERR_FILENO);

    while (fd >= 0 && time(NULL) < end) {
        close(fd);
        if (dup(STDERR_FILENO) != fd)
            return 4;
    }
    return 0;
}

static void *go_on(void *unused)
{
    (void)unused;
    rest(300);
    exit(3);
}

static void quit(bool is_last)
{
    pthread_t thread;

    if (!is_last && pthread_create(&thread, NULL, go_on, NULL) != 0)
        exit(4);
    syscall(SYS_exit, 7);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "plain";
    bool is_blind = strcmp(word, "blind") == 0;
    void *small, *large;

    setlocale(LC_ALL, "");
    if (strcmp(word, "growth") == 0)
        return growth();
    pdump_region_begin("main");
    if (strcmp(word, "quit") == 0 || strcmp(word, "pass") == 0)
        quit(strcmp(word, "quit") == 0);
    if (strcmp(word, "numbers") == 0)
        return numbers();
    if (is_blind)
        limit_files(0);
    pdump_region_begin("small");
    small = take(16 * mib);
    rest(200);
    pdump_region_begin("large");
    large = take(64 * mib);
    rest(200);
    if (strcmp(word, "kill") == 0)
        raise(SIGKILL);
    munmap(large, 64 * mib);
    rest(50); /* who looked before it was gone shall find us still here */
    pdump_region_end("large");
    munmap(small, 16 * mib);
    pdump_region_end("small");
    if (strcmp(word, "child") == 0)
        with_child();
    rest(200);
    if (is_blind)
        limit_files(64);
    pdump_region_end("main");
    if (strcmp(word, "exit") == 0)
        pthread_exit(NULL);
    return 0;
}
