/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that record while they are loaded, and threads that load them:
 * `loading CASE LIBRARY...` */
#include "kit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PATIENCE = 300, ROUNDS = 60, N_MAX = 16 };

static int n_libraries;
static char **libraries;
static atomic_int is_over;

/* New names, so that libpdump has something to look for. */
static void *record(void *number)
{
    char name[40];

    for (int i = 0; !is_over; i++) {
        snprintf(name, sizeof(name), "%d-%d", *(int *)number, i % 20000);
        visit(name);
        if (write(STDOUT_FILENO, ".", 1) != 1)
            return NULL;
    }
    return NULL;
}

static void *load(void *path)
{
    for (int i = 0; i < ROUNDS && !n_failed; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

        YES(library != NULL);
        if (library)
            dlclose(library);
    }
    return NULL;
}

static void with_threads(void *(*other)(void *))
{
    enum { N = 2 };
    pthread_t recorder[N], loader[N_MAX];
    int number[N];

    alarm(PATIENCE);
    for (int i = 0; i < N && other; i++) {
        number[i] = i;
        pthread_create(&recorder[i], NULL, other, &number[i]);
    }
    for (int i = 0; i < n_libraries; i++)
        pthread_create(&loader[i], NULL, load, libraries[i]);
    for (int i = 0; i < n_libraries; i++)
        pthread_join(loader[i], NULL);
    is_over = 1;
    for (int i = 0; i < N && other; i++)
        pthread_join(recorder[i], NULL);
}

/* The first region of the process may be anybody's. */
static void recording(void)
{
    with_threads(record);
}

/* Sessions that end and start meanwhile. */
static void *restart(void *number)
{
    while (!is_over && *(int *)number == 0) {
        pdump_init();
        visit("restart");
        pdump_flush();
        pdump_finalize();
    }
    return NULL;
}

static void restarting(void)
{
    with_threads(restart);
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "recording", recording },
        { "restarting", restarting },
        { NULL, NULL },
    };

    libraries = argv + 2;
    n_libraries = argc - 2 < N_MAX ? argc - 2 : N_MAX;
    return run_behaviour(argc, argv, table);
}
