/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks while threads are anywhere in the library, with its locks held. */
#include "program/behaviour/kit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 300, N_FORKS = 200, N_KINDS = 6, N_OF_CHILD = 4 };

static atomic_int is_over;

static void visit_new(int n)
{
    char name[32];

    snprintf(name, sizeof(name), "region %d", n % 1000);
    visit(name);
}

static void note(int n)
{
    char value[32];

    snprintf(value, sizeof(value), "%d", n);
    pdump_metadata("progress", value);
}

static void ask(int n)
{
    (void)n;
    visits_of("fork");
}

/* A misuse, which is a warning. */
static void err(int n)
{
    (void)n;
    pdump_region_end("not begun");
}

static void *in_a_thread(void *unused)
{
    visit("thread");
    return unused;
}

static void start_a_thread(int n)
{
    pthread_t thread;

    (void)n;
    if (pthread_create(&thread, NULL, in_a_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

/* Holds a lock of the C library, which a child inherits. */
static void tell_time(int n)
{
    time_t seconds = n;
    struct tm tm;

    gmtime_r(&seconds, &tm);
}

struct kind {
    void (*call)(int n);
};

static struct kind kinds[N_KINDS] = {
    { visit_new }, { note },           { ask },
    { err },       { start_a_thread }, { tell_time },
};

static void *hammer(void *kind)
{
    for (int n = 0; !is_over; n++)
        ((struct kind *)kind)->call(n);
    return NULL;
}

/* What the threads do in the library can be done in the child, too. */
static void be_child(void)
{
    visit("child");
    for (int i = 0; i < N_OF_CHILD; i++)
        kinds[i].call(0);
    exit(51);
}

int main(void)
{
    pthread_t threads[N_KINDS];

    alarm(LONGEST);
    OK(pdump_init());
    for (int i = 0; i < N_KINDS; i++)
        YES(pthread_create(&threads[i], NULL, hammer, &kinds[i]) == 0);
    for (int i = 0; i < N_FORKS; i++) {
        int status = 0;
        pid_t child;

        OK(pdump_region_begin("fork"));
        child = fork();
        if (child == 0)
            be_child();
        YES(waitpid(child, &status, 0) == child);
        IS(status, 51 << 8);
        OK(pdump_region_end("fork"));
    }
    is_over = 1;
    for (int i = 0; i < N_KINDS; i++)
        pthread_join(threads[i], NULL);
    IS(visits_of("fork"), N_FORKS);
    OK(pdump_finalize());
    return n_failed > 0;
}
