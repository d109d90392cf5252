/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that know nothing of libpdump: ways to start others, and to end. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char *other[] = { "other", "plain", NULL };

static volatile double product = 1;

static void work(void)
{
    for (int i = 0; i < 200000; i++)
        product = product * 1.0000001;
}

static void nap(int ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

    while (nanosleep(&t, &t) != 0)
        ;
}

static int wait_for(pid_t pid)
{
    int status;

    return waitpid(pid, &status, 0) == pid && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : 99;
}

static int fork_exec(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        execvp("other", other);
        _exit(98);
    }
    return wait_for(pid);
}

static int vfork_exec(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        execlp("other", "other", "plain", (char *)NULL);
        _exit(98);
    }
    work();
    return wait_for(pid);
}

/* The child of vfork() that fails to execute changes nothing for its parent. */
static int vfork_fails(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        execl("/nowhere/other", "other", (char *)NULL);
        _exit(7);
    }
    work();
    return wait_for(pid) == 7 ? 0 : 1;
}

static int spawn(void)
{
    pid_t pid;

    return posix_spawnp(&pid, "other", NULL, NULL, other, environ) == 0
               ? wait_for(pid)
               : 97;
}

static int fork_work(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        work();
        exit(0);
    }
    return wait_for(pid);
}

static int fork_quick(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        work();
        _exit(0);
    }
    return wait_for(pid);
}

/* With an environment of its own. */
static int exec_bare(void)
{
    static char *bare[] = { "OWN=1", NULL };

    execvpe("other", other, bare);
    return 96;
}

static int exec_fails(void)
{
    work();
    execlp("there-is-no-such-program", "x", (char *)NULL);
    work();
    return 0;
}

static void *thread(void *data)
{
    work();
    return data;
}

static int threads(void)
{
    pthread_t ids[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
    return 0;
}

static int plain(void)
{
    work();
    return 0;
}

static int quick(void)
{
    work();
    _exit(5);
}

static int killed(void)
{
    nap(300);
    return raise(SIGKILL);
}

static int killed_child(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        nap(300);
        raise(SIGKILL);
    }
    waitpid(pid, NULL, 0);
    return 0;
}

static int terminated(void)
{
    return raise(SIGTERM);
}

/* Until a signal comes. */
static int sleeps(void)
{
    printf("ready\n");
    fflush(stdout);
    nap(60000);
    return 0;
}

/* Until the other end of standard input is closed, and a little longer. */
static int lags(void)
{
    char byte = 0;

    if (write(STDOUT_FILENO, &byte, 1) != 1)
        return 1;
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    nap(300);
    return 0;
}

/* Ends before its helper, which is up by then. */
static int helped(void)
{
    int in[2], out[2];
    char byte;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return 1;
    if (fork() == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execlp("other", "other", "lags", (char *)NULL);
        _exit(98);
    }
    close(out[1]);
    return read(out[0], &byte, 1) == 1 ? 0 : 1;
}

static int by_system(void)
{
    return system("other plain && true");
}

static const struct {
    const char *name;
    int (*run)(void);
} lives[] = {
    { "plain", plain },           { "quick", quick },
    { "helped", helped },         { "lags", lags },
    { "killed", killed },         { "killed_child", killed_child },
    { "terminated", terminated }, { "sleeps", sleeps },
    { "threads", threads },       { "system", by_system },
    { "spawn", spawn },           { "fork_exec", fork_exec },
    { "fork_work", fork_work },   { "fork_quick", fork_quick },
    { "vfork_exec", vfork_exec }, { "vfork_fails", vfork_fails },
    { "exec_bare", exec_bare },   { "exec_fails", exec_fails },
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++)
        if (argc == 2 && strcmp(argv[1], lives[i].name) == 0)
            return lives[i].run();
    return 95;
}
