/* SPDX-License-Identifier: BSD-3-Clause */
/* Children that are made at a bad moment. */
#include "kit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A child that hangs is killed by its own alarm. */
enum { PATIENCE = 300 };

/* The exit code of a child, or -1 if it died otherwise. */
static int code_of(pid_t child)
{
    int status = 0;

    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static long long now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static atomic_int is_going; /* the thread is about to start the session */

static void *start_session(void *unused)
{
    is_going = 1;
    visit("thread");
    return unused;
}

/* A process that has no session, and forks `delay` ns after another thread of
 * it has begun to start one. */
static void fork_in_start(long long delay)
{
    pthread_t thread;
    long long begin;
    pid_t child;

    alarm(2 * PATIENCE);
    pthread_create(&thread, NULL, start_session, NULL);
    while (!is_going)
        ;
    for (begin = now(); now() - begin < delay;)
        ;
    child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        visit("child");
        exit(51);
    }
    pthread_join(thread, NULL);
    _exit(code_of(child) == 51 ? 0 : 1);
}

/* How long a start takes here and now. */
static long long time_start(void)
{
    int pipe_ends[2];
    long long took = 0;
    pid_t child;

    YES(pipe(pipe_ends) == 0);
    child = fork();
    if (child == 0) {
        long long begin = now();

        visit("start");
        took = now() - begin;
        _exit(write(pipe_ends[1], &took, sizeof(took)) != sizeof(took));
    }
    IS(code_of(child), 0);
    YES(read(pipe_ends[0], &took, sizeof(took)) == sizeof(took));
    return took;
}

/* A fork at every moment of the start, and a little after it. */
static void starting(void)
{
    enum { MOMENTS = 150 };
    long long took = time_start() * 5 / 4;

    for (int i = 0; i < MOMENTS && !n_failed; i++) {
        pid_t child = fork();

        if (child == 0)
            fork_in_start(took * i / MOMENTS);
        IS(code_of(child), 0);
    }
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "starting", starting },
        { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
