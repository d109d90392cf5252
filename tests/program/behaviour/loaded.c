/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that records while it is loaded, in two threads; with
 * LOADED_CONTROLS=1 it also starts, writes and ends sessions. */
#include <pdump.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void visit(const char *who, int i)
{
    char name[40];

    snprintf(name, sizeof(name), "%s %d", who, i);
    pdump_region_begin(name);
    if (write(STDOUT_FILENO, ".", 1) == 1)
        pdump_region_end(name);
}

static void *record(void *n)
{
    for (int i = 0; i < 5; i++)
        visit("thread of a constructor", *(int *)n + i);
    return NULL;
}

static void control(void)
{
    pdump_init();
    visit("controlling constructor", 0);
    pdump_flush();
    pdump_finalize();
    pdump_init();
}

/* It waits for a thread, and has the loader's lock. */
__attribute__((constructor)) static void start(void)
{
    pthread_t thread;
    int n = (int)(getpid() % 7) * 100;

    if (getenv("LOADED_CONTROLS"))
        control();
    for (int i = 0; i < 5; i++)
        visit("constructor", n + i);
    if (pthread_create(&thread, NULL, record, &n) == 0)
        pthread_join(thread, NULL);
}
