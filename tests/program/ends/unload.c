/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads LIBRARY, records, unloads it and goes on: threads end, forks happen. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 3, N_VISITS = 1000, LONGEST = 300 };

typedef int call(const char *name);

static call *begin, *end;
static pthread_barrier_t step;

static void record(void)
{
    for (int i = 0; i < N_VISITS; i++) {
        begin("work");
        end("work");
    }
}

/* Ends after the library was unloaded. */
static void *worker(void *unused)
{
    record();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    return unused;
}

static int find(void *library)
{
    void *b = library ? dlsym(library, "pdump_region_begin") : NULL;
    void *e = library ? dlsym(library, "pdump_region_end") : NULL;

    memcpy(&begin, &b, sizeof(begin));
    memcpy(&end, &e, sizeof(end));
    if (!b || !e)
        fprintf(stderr, "%s\n", dlerror());
    return b && e;
}

static int fork_and_wait(void)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    pthread_t threads[N_THREADS];

    alarm(LONGEST);
    if (!find(library))
        return 99;
    pthread_barrier_init(&step, NULL, N_THREADS + 1);
    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
            return 98;
    record();
    pthread_barrier_wait(&step);
    if (dlclose(library) != 0)
        return 97;
    pthread_barrier_wait(&step);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("still here");
    fflush(stdout); /* or the child may write it again */
    return fork_and_wait() ? 0 : 96;
}
