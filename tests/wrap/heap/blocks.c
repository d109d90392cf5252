/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocates known amounts in known regions.  `blocks WORD`: "kinds", every
 * function that allocates; "leak"; "peak"; "threads", with and without
 * regions; "fork"; "handlers" of fork(); "raw", a child without them; "off";
 * "rewind"; "keep", the same without; "behind"; "early", blocks from before the
 * session; "again", two sessions; "kill", ends by SIGKILL; "plain", knows
 * nothing of libpdump.
 */
#include <errno.h>
#include <malloc.h>
#include <pdump.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler is not to know what it can leave out, or what cannot work. */
static _Thread_local void *volatile kept, *volatile same;
static volatile size_t huge = SIZE_MAX / 2;

static void *keep(void *block)
{
    kept = block;
    return kept;
}

static void need(int is_true)
{
    if (!is_true)
        _exit(3);
}

static void kinds(void)
{
    void *block;

    pdump_region_begin("malloc");
    free(keep(malloc(100)));
    free(NULL);
    pdump_region_end("malloc");
    pdump_region_begin("calloc");
    block = keep(calloc(10, 20));
    need(((char *)block)[199] == 0);
    free(block);
    need(!keep(calloc(huge, 3)) && errno == ENOMEM);
    pdump_region_end("calloc");
    pdump_region_begin("realloc");
    block = keep(realloc(NULL, 10));
    same = keep(realloc(block, 1000));
    need(!keep(reallocarray(same, huge, 3)) && errno == ENOMEM);
    need(!keep(realloc(same, huge)));
    block = keep(reallocarray(same, 30, 100));
    free(block);
    pdump_region_end("realloc");
    pdump_region_begin("aligned");
    need(posix_memalign(&block, 64, 640) == 0 && (uintptr_t)block % 64 == 0);
    free(keep(block));
    need(posix_memalign(&block, 3, 640) == EINVAL);
    block = keep(aligned_alloc(256, 512));
    need((uintptr_t)block % 256 == 0);
    free(block);
    free(keep(memalign(32, 320)));
    free(keep(valloc(50)));
    free(keep(pvalloc(50)));
    pdump_region_end("aligned");
    pdump_region_begin("own");
    block = keep(malloc(24));
    need(malloc_usable_size(block) >= 24 && malloc_usable_size(block) < 48);
    errno = 7;
    free(block);
    need(errno == 7);
    pdump_region_end("own");
}

static void leak(void)
{
    void *block;

    pdump_region_begin("loses");
    for (int i = 0; i < 3; i++)
        keep(malloc(1000));
    pdump_region_end("loses");
    pdump_region_begin("makes");
    block = keep(malloc(500));
    pdump_region_end("makes");
    pdump_region_begin("frees");
    free(block);
    pdump_region_end("frees");
}

static void peak(void)
{
    void *large;

    pdump_region_begin("first");
    large = keep(malloc(100000));
    pdump_region_end("first");
    free(large);
    pdump_region_begin("lower");
    free(keep(malloc(50000)));
    pdump_region_end("lower");
    pdump_region_begin("second");
    free(keep(malloc(130000)));
    pdump_region_end("second");
}

enum { TURNS = 20000 };

static void *with_regions(void *word)
{
    pdump_region_begin(word);
    for (int i = 0; i < TURNS; i++)
        free(keep(malloc((size_t)(i % 100 + 1))));
    pdump_region_end(word);
    return malloc(10);
}

static void *without_regions(void *block)
{
    free(block);
    for (int i = 0; i < TURNS; i++)
        free(keep(malloc(8)));
    return NULL;
}

static void threads(void)
{
    pthread_t id[4];
    void *block, *passed[2];

    pdump_region_begin("makes");
    for (int i = 0; i < 2; i++)
        passed[i] = keep(malloc(4096));
    pdump_region_end("makes");
    for (int i = 0; i < 2; i++) {
        need(pthread_create(&id[i], NULL, with_regions, "worker") == 0);
        need(pthread_create(&id[i + 2], NULL, without_regions, passed[i]) == 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(id[i], &block);
        free(block);
    }
}

static void forks(void)
{
    void *block = keep(malloc(700));
    pid_t child = fork();

    need(child >= 0);
    if (child == 0) {
        pdump_region_begin("child");
        free(block);
        keep(malloc(900));
        pdump_region_end("child");
        exit(0);
    }
    waitpid(child, NULL, 0);
    free(block);
}

static void *held;

static void give_back(void)
{
    free(held);
    held = NULL;
}

/* Handlers that are there before those of any library are called last. */
static void come_first(void)
{
    pthread_atfork(give_back, NULL, NULL);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const at_start)(void) = come_first;

static void handlers(void)
{
    pid_t child;

    held = keep(malloc(700));
    child = fork();
    need(child >= 0);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

/* A child that no handler knows of. */
static void raw(void)
{
    void *block = keep(malloc(700));
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    int status;

    need(child >= 0);
    if (child == 0) {
        free(block);
        free(keep(malloc(900)));
        _exit(0);
    }
    need(waitpid(child, &status, 0) == child && status == 0);
    free(block);
}

static void off(void)
{
    void *block = keep(malloc(600));

    pdump_disable_recording();
    free(block);
    keep(malloc(300));
    pdump_enable_recording();
}

extern void __libc_free(void *block);

/* glibc gives the same block again. */
static void behind(void)
{
    uintptr_t first;
    void *block = keep(malloc(800));

    first = (uintptr_t)block;
    __libc_free(block);
    block = keep(malloc(800));
    need((uintptr_t)block == first);
    free(block);
}

static void *try_it(size_t size, int is_discarded)
{
    void *block;

    pdump_rewind_begin("tries");
    block = keep(malloc(size));
    pdump_rewind_end("tries", is_discarded);
    return block;
}

/* What is rewound has never been. */
static void rewinds(void)
{
    void *block = try_it(400, 1);

    pdump_region_begin("frees");
    free(block);
    pdump_region_end("frees");
}

/* What is kept is as if it had never been in doubt; what is freed in one visit
 * is not what was allocated there. */
static void keeps(void)
{
    void *block = try_it(400, 0), *more = try_it(300, 0), *gone;

    try_it(200, 0);
    gone = try_it(100, 1);
    pdump_rewind_begin("outer");
    keep(malloc(50));
    free(try_it(40, 0));
    try_it(30, 0);
    free(block);
    free(gone);
    pdump_rewind_end("outer", 0);
    free(more);
    for (int i = 0; i < TURNS; i++)
        free(try_it(60, 1));
}

static void again(void *early)
{
    void *block;

    pdump_region_begin("one");
    block = keep(malloc(111));
    pdump_region_end("one");
    pdump_finalize();
    need(pdump_init() == 0);
    pdump_region_begin("two");
    free(block);
    free(early);
    keep(malloc(222));
    pdump_region_end("two");
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "kinds";
    void *early = keep(malloc(5000));

    if (strcmp(word, "plain") == 0) {
        keep(malloc(12345));
        free(early);
        return 0;
    }
    if (strcmp(word, "again") == 0) {
        again(early);
        return 0;
    }
    pdump_region_begin("main");
    if (strcmp(word, "leak") == 0)
        leak();
    else if (strcmp(word, "peak") == 0)
        peak();
    else if (strcmp(word, "threads") == 0)
        threads();
    else if (strcmp(word, "fork") == 0)
        forks();
    else if (strcmp(word, "handlers") == 0)
        handlers();
    else if (strcmp(word, "raw") == 0)
        raw();
    else if (strcmp(word, "off") == 0)
        off();
    else if (strcmp(word, "behind") == 0)
        behind();
    else if (strcmp(word, "rewind") == 0)
        rewinds();
    else if (strcmp(word, "keep") == 0)
        keeps();
    else if (strcmp(word, "early") == 0)
        free(keep(realloc(early, 6000)));
    else if (strcmp(word, "kill") == 0)
        kept = malloc(777), raise(SIGKILL);
    else
        kinds();
    pdump_region_end("main");
    return 0;
}
