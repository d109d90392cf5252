/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that fork, and whose children end before or after them. */
#include "program/behaviour/kit.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 300, N_BOMB = 1000, AT_ONCE = 20, N_RACERS = 50 };

extern char **environ;

static int code_of(pid_t child)
{
    int status = 0;

    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void leave(void)
{
    exit(n_failed ? 1 : 0);
}

/* Three generations, of which the second may have nothing to tell. */
static void generations(int is_silent)
{
    pid_t child;

    visit("parent");
    child = fork();
    if (child == 0) {
        if (!is_silent)
            visit("child");
        child = fork();
        if (child == 0) {
            visit("grandchild");
            printf("grandchild %d of %d\n", (int)getpid(), (int)getppid());
            leave();
        }
        IS(code_of(child), 0);
        leave();
    }
    IS(code_of(child), 0);
    visit("parent");
}

static void three(void)
{
    generations(0);
}

static void silent_middle(void)
{
    generations(1);
}

static void killed(void)
{
    pid_t child;

    visit("parent");
    child = fork();
    if (child == 0) {
        pdump_region_begin("open");
        for (int i = 0; i < 10; i++)
            visit("child");
        kill(getpid(), SIGKILL);
        pause();
    }
    IS(code_of(child), 128 + SIGKILL);
}

/* Both ends of "the parent is gone": reading ends when it closes the other. */
static void outlives(void)
{
    int ends[2];
    char byte;

    YES(pipe(ends) == 0);
    visit("parent");
    if (fork() == 0) {
        close(ends[1]);
        visit("child");
        IS(read(ends[0], &byte, 1), 0);
        visit("child");
        leave();
    }
}

/* Children that end just when their parent collects what they left. */
static void race(void)
{
    int ends[2];
    char byte;

    YES(pipe(ends) == 0);
    visit("parent");
    for (int i = 0; i < N_RACERS; i++)
        if (fork() == 0) {
            close(ends[1]);
            visit("child");
            IS(read(ends[0], &byte, 1), 0);
            leave();
        }
    close(ends[1]);
}

static void sessions(void)
{
    pid_t child;

    visit("parent");
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++) {
            OK(pdump_init());
            visit("child");
            OK(pdump_finalize());
        }
        _exit(n_failed ? 1 : 0);
    }
    IS(code_of(child), 0);
}

/* The child of a process whose own session is over. */
static void late(void)
{
    pid_t child;

    visit("parent");
    OK(pdump_finalize());
    child = fork();
    if (child == 0) {
        OK(pdump_init());
        visit("child");
        leave();
    }
    IS(code_of(child), 0);
}

/* Kilobytes in memory. */
static long resident(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long pages = -1;

    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        pages = -1;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* 1000 children, 20 at a time. */
static void bomb(int is_recording)
{
    long before = 0;
    int status;

    visit("parent");
    for (int n = 0; n < N_BOMB; n += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++)
            if (fork() == 0) {
                if (is_recording)
                    visit("child");
                leave();
            }
        for (int i = 0; i < AT_ONCE; i++)
            YES(waitpid(-1, &status, 0) > 0 && status == 0);
        if (n == N_BOMB / 10)
            before = resident();
        if (!is_recording)
            IS(n_entries(getenv("PDUMP_STORE")), 1);
    }
    if (!IS_SANITIZED)
        YES(resident() - before < 1024);
}

static void silent_bomb(void)
{
    bomb(0);
}

static void recording_bomb(void)
{
    bomb(1);
}

/* A shell whose exit code is how many files it was given. */
static char shell[] = "/bin/sh", option[] = "-c",
            count[] = "set -- /proc/$$/fd/*; exit $#";
static char *const counting[] = { shell, option, count, NULL };

static int by_fork(void)
{
    pid_t child = fork();

    if (child == 0) {
        execv(shell, counting);
        _exit(127);
    }
    return code_of(child);
}

static int by_vfork(void)
{
    pid_t child = vfork();

    if (child == 0) {
        execv(shell, counting);
        _exit(127);
    }
    return code_of(child);
}

static int by_spawn(void)
{
    pid_t child = -1;

    YES(posix_spawn(&child, shell, NULL, NULL, counting, environ) == 0);
    return code_of(child);
}

/* A followed child gives nothing to its programs either. */
static int by_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        pdump_region_begin("child");
        execv(shell, counting);
        _exit(127);
    }
    return code_of(child);
}

static void descriptors(void)
{
    int n = by_spawn();

    YES(n >= 3 && n < 100);
    OK(pdump_region_begin("parent"));
    IS(by_fork(), n);
    IS(by_vfork(), n);
    IS(by_spawn(), n);
    IS(by_child(), n);
    IS(WEXITSTATUS(system(count)), n);
    OK(pdump_region_end("parent"));
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "three", three },
        { "silent_middle", silent_middle },
        { "killed", killed },
        { "outlives", outlives },
        { "race", race },
        { "sessions", sessions },
        { "late", late },
        { "silent_bomb", silent_bomb },
        { "recording_bomb", recording_bomb },
        { "descriptors", descriptors },
        { NULL, NULL },
    };

    alarm(LONGEST);
    return run_behaviour(argc, argv, table);
}
