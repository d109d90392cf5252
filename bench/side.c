/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that work when asked, through two pipes each. */
#include "side.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BATCH_NS = 500000, /* shorter than a time slice, longer than a switch */
    BATCH_MAX = 1 << 24,
    WARM_UP = 8, /* 1/8 of a batch */
    TRIES = 3,
    SECONDS_MAX = 300, /* of a side that hangs */
};

/* What a side is asked.  It may not wait for the end of the pipe instead: the
 * sides started after it hold that open. */
static const char ask_work = 'w', ask_end = 'e';

/* What comes back: first whether the work could start, then costs. */
struct answer {
    double cost;
    char why[SIDE_WHY_SIZE]; /* empty: all is well */
};

static cpu_set_t allowed(void)
{
    static cpu_set_t cpus;
    static int is_known;

    if (!is_known && sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
        CPU_ZERO(&cpus);
    is_known = 1;
    return cpus;
}

int side_n_cpus(void)
{
    cpu_set_t cpus = allowed();

    return CPU_COUNT(&cpus);
}

/* The last ones: the first is where interrupts usually go. */
void side_pin(int which)
{
    cpu_set_t cpus = allowed(), one;

    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
        if (CPU_ISSET(cpu, &cpus) && which-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
}

static int64_t fastest(const struct work *work, long n)
{
    int64_t best = INT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        int64_t ns = work->run(n);

        if (ns < best)
            best = ns;
    }
    return best;
}

static double batch(const struct work *work, long n)
{
    if (work->n)
        return (double)work->run(work->n) / (double)work->n;
    work->run(n / WARM_UP);
    return (double)work->run(n) / (double)n;
}

/* The life of a side. */
static void serve(const struct work *work, int in, int out)
{
    struct answer answer = { 0 };
    const char *why;
    long n = WARM_UP;
    char ask = ask_work;

    alarm(SECONDS_MAX);
    allowed();
    side_pin(SIDE_CPU);
    why = work->start();
    if (why)
        snprintf(answer.why, sizeof(answer.why), "%s", why);
    else if (!work->n)
        while (n < BATCH_MAX && fastest(work, n) < BATCH_NS)
            n *= 2;
    while (write(out, &answer, sizeof(answer)) == sizeof(answer) && !why &&
           read(in, &ask, 1) == 1 && ask == ask_work)
        answer.cost = batch(work, n);
}

static int listen_to(const struct side *side, struct answer *answer)
{
    char *to = (char *)answer;
    size_t left = sizeof(*answer);

    while (left) {
        ssize_t n = read(side->from, to, left);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        to += n;
        left -= (size_t)n;
    }
    answer->why[SIDE_WHY_SIZE - 1] = '\0';
    return 0;
}

static int start_process(struct side *side, const struct work *work)
{
    int to[2], from[2];

    if (pipe(to) != 0)
        return -1;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    fflush(NULL); /* or the child writes it again */
    side->pid = fork();
    if (side->pid == 0) {
        close(to[1]);
        close(from[0]);
        serve(work, to[0], from[1]);
        exit(0);
    }
    close(to[0]);
    close(from[1]);
    side->to = to[1];
    side->from = from[0];
    if (side->pid > 0)
        return 0;
    close(side->to);
    close(side->from);
    return -1;
}

int side_open(struct side *side, const struct work *work,
              char why[SIDE_WHY_SIZE])
{
    struct answer answer;
    int err = 1;

    if (start_process(side, work) != 0) {
        snprintf(why, SIDE_WHY_SIZE, "no process: %s", strerror(errno));
        return -1;
    }
    if (listen_to(side, &answer) != 0) {
        snprintf(answer.why, sizeof(answer.why), "a process died at its start");
        err = -1;
    }
    if (!answer.why[0])
        return 0;
    snprintf(why, SIDE_WHY_SIZE, "%s", answer.why);
    side_close(side);
    return err;
}

double side_ask(struct side *side)
{
    struct answer answer;

    if (write(side->to, &ask_work, 1) != 1 || listen_to(side, &answer) != 0)
        return -1;
    return answer.cost;
}

int side_close(struct side *side)
{
    ssize_t n = write(side->to, &ask_end, 1); /* nobody there: as well */
    int status;

    (void)n;
    close(side->to);
    close(side->from);
    while (waitpid(side->pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
