/* SPDX-License-Identifier: BSD-3-Clause */
/* signalled CASE [SIGNAL]: signals meet a program that records. */
#include "program/behaviour/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_VISITS = 10, LONGEST = 300, MOMENT = 10000 /* us */ };

static int number = SIGTERM;
static volatile sig_atomic_t n_handled, n_seen_pid;

static void record(void)
{
    for (int i = 0; i < N_VISITS; i++)
        visit("work");
}

static void on_signal(int which)
{
    n_handled += which == number;
}

static void on_siginfo(int which, siginfo_t *info, void *context)
{
    n_handled += which == number && context;
    n_seen_pid += info->si_pid == getpid();
}

static void install(int flags)
{
    struct sigaction action = { .sa_flags = flags };

    if (flags & SA_SIGINFO)
        action.sa_sigaction = on_siginfo;
    else
        action.sa_handler = on_signal;
    YES(sigaction(number, &action, NULL) == 0);
}

static void by_default(void)
{
    record();
    raise(number);
}

static void handler_before(void)
{
    install(0);
    record();
    raise(number);
    raise(number);
    IS(n_handled, 2);
}

static void handler_after(void)
{
    record();
    install(0);
    raise(number);
    IS(n_handled, 1);
}

static void with_siginfo(void)
{
    install(SA_SIGINFO);
    record();
    kill(getpid(), number);
    IS(n_handled, 1);
    IS(n_seen_pid, 1);
}

/* Once: the second one ends the process. */
static void only_once(void)
{
    install((int)SA_RESETHAND);
    record();
    raise(number);
    IS(n_handled, 1);
    raise(number);
}

static _Atomic bool is_about_to_wait;

/* Does the main thread sleep?  Its id is that of the process. */
static bool is_asleep(void)
{
    char path[64], line[512] = "";
    const char *state;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
    f = fopen(path, "r");
    if (!f)
        return true;
    if (!fgets(line, sizeof(line), f))
        line[0] = '\0';
    fclose(f);
    state = strrchr(line, ')');
    return state && strncmp(state, ") S", 3) == 0;
}

/* On a slow machine a moment is not enough to be in the call. */
static void *raise_soon(void *main_thread)
{
    do
        usleep(MOMENT);
    while (!is_about_to_wait || !is_asleep());
    pthread_kill(*(pthread_t *)main_thread, number);
    usleep(MOMENT);
    return NULL;
}

/* A system call that waits while the signal comes: what it returns. */
static int wait_with(int flags)
{
    pthread_t self = pthread_self(), other;
    int ends[2], result;
    char byte;

    if (flags >= 0)
        install(flags);
    else
        signal(number, SIG_IGN);
    record();
    YES(pipe2(ends, O_CLOEXEC | (flags < 0 ? O_NONBLOCK : 0)) == 0);
    YES(pthread_create(&other, NULL, raise_soon, &self) == 0);
    errno = 0;
    is_about_to_wait = true;
    if (flags < 0)
        result = usleep(5 * MOMENT) == 0 ? 0 : errno;
    else
        result = read(ends[0], &byte, 1) < 0 ? errno : 0;
    pthread_join(other, NULL);
    return result;
}

static void interrupted(void)
{
    IS(wait_with(0), EINTR);
    IS(n_handled, 1);
}

static void ignored(void)
{
    struct sigaction now;

    IS(wait_with(-1), 0);
    /* Programs started from here inherit it. */
    YES(sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
}

/* The signal has not the least effect on a forked child that is not followed
 * but the one that it has anyway. */
static void in_child(void)
{
    int status;
    pid_t child;

    record();
    child = fork();
    if (child == 0) {
        raise(number);
        _exit(0);
    }
    YES(waitpid(child, &status, 0) == child);
    YES(WIFSIGNALED(status));
    IS(WTERMSIG(status), number);
    record();
}

/* Whoever put a handler over ours calls ours, also after the session. */
static struct sigaction below;

static void on_top(int which, siginfo_t *info, void *context)
{
    n_handled++;
    if (below.sa_flags & SA_SIGINFO)
        below.sa_sigaction(which, info, context);
}

static void chained(void)
{
    struct sigaction action = { .sa_sigaction = on_top,
                                .sa_flags = SA_SIGINFO };

    install(0);
    record();
    YES(sigaction(number, &action, &below) == 0);
    YES(below.sa_flags & SA_SIGINFO);
    raise(number);
    IS(n_handled, 2);
    OK(pdump_finalize());
    raise(number);
    IS(n_handled, 4);
}

static void dump_now(void)
{
    record();
    for (int i = 0; i < 3; i++)
        raise(number);
    for (int i = 0; i < 1000 && access("perf_dump.meta.csv", F_OK) != 0; i++)
        usleep(MOMENT);
    YES(access("perf_dump.csv", F_OK) == 0);
    record();
}

/* What the kernel says about our handlers, mask and threads. */
static void print_state(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];

    while (f && fgets(line, sizeof(line), f))
        if (strncmp(line, "SigBlk", 6) == 0 ||
            strncmp(line, "SigIgn", 6) == 0 ||
            strncmp(line, "SigCgt", 6) == 0 || strncmp(line, "Threads", 7) == 0)
            fputs(line, stdout);
    if (f)
        fclose(f);
}

static void untouched(void)
{
    print_state();
    puts("--");
    record();
    print_state();
}

static const struct behaviour cases[] = {
    { "default", by_default },  { "before", handler_before },
    { "after", handler_after }, { "siginfo", with_siginfo },
    { "once", only_once },      { "interrupted", interrupted },
    { "ignored", ignored },     { "child", in_child },
    { "chained", chained },     { "dump_now", dump_now },
    { "untouched", untouched }, { NULL, NULL },
};

int main(int argc, char **argv)
{
    alarm(LONGEST);
    if (argc > 2)
        number = atoi(argv[2]);
    return run_behaviour(argc, argv, cases);
}
