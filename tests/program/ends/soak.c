/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * soak VISITS SECONDS: eight threads record until there are so many visits and
 * so much time has passed, with a fork every second.  Memory stays as it is
 * after the first second.  Prints the number of visits.
 */
#include "program/behaviour/kit.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    N_THREADS = 8,
    PER_LOOK = 1000, /* visits */
    CHILD_VISITS = 100,
    GROWTH_MAX = 512, /* KiB: the C library's own, for threads and files */
    LONGEST = 3000,
};

static _Atomic long n_visits;
static _Atomic int is_over;

static long resident_kib(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long size, pages = 0;

    if (f) {
        if (fscanf(f, "%ld %ld", &size, &pages) != 2)
            pages = 0;
        fclose(f);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Bytes of this process's store. */
static long store_size(void)
{
    const char *folder = getenv("PDUMP_STORE");
    DIR *dir = opendir(folder ? folder : "");
    char tail[32], path[4096];
    struct dirent *entry;
    struct stat status;
    long size = -1;

    snprintf(tail, sizeof(tail), "-%ld.store", (long)getpid());
    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (strstr(path, tail) && stat(path, &status) == 0)
            size = (long)status.st_size;
    }
    if (dir)
        closedir(dir);
    return size;
}

static void *record(void *unused)
{
    while (!is_over) {
        for (int i = 0; i < PER_LOOK; i += 2) {
            pdump_region_begin("outer");
            visit("inner");
            pdump_counter_add("rounds", 1);
            pdump_region_end("outer");
        }
        n_visits += PER_LOOK;
    }
    return unused;
}

/* Half of them end without a word. */
static void have_child(int i)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        for (int n = 0; n < CHILD_VISITS; n++)
            visit("child");
        _exit(i % 2 && pdump_finalize() < 0);
    }
    YES(waitpid(child, &status, 0) == child);
    IS(status, 0);
}

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? atol(argv[1]) : 0, memory = 0, store = 0;
    int n_seconds = argc > 2 ? atoi(argv[2]) : 0, seconds = 0;
    pthread_t threads[N_THREADS];

    alarm(LONGEST);
    OK(pdump_init());
    for (int i = 0; i < N_THREADS; i++)
        YES(pthread_create(&threads[i], NULL, record, NULL) == 0);
    while (seconds < n_seconds || n_visits < wanted) {
        sleep(1);
        have_child(seconds++);
        if (seconds > 1)
            continue;
        memory = resident_kib();
        store = store_size();
        YES(memory > 0 && store > 0);
    }
    fprintf(stderr, "# %d s: %ld KiB, then %ld; store %ld bytes, then %ld\n",
            seconds, memory, resident_kib(), store, store_size());
    IS(store_size(), store);
    YES(IS_SANITIZED || resident_kib() - memory <= GROWTH_MAX);
    is_over = 1;
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%ld %d\n", n_visits, seconds);
    return n_failed > 0;
}
