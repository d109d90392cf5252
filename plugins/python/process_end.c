/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles the ends of a process: SIGTERM, and what runs after Python. */
#include "process_end.h"
#include "cpython.h"
#include "system/log.h"
#include "system/private_thread.h"

#include <pdump.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static sem_t wake;
static bool is_rank;
static volatile sig_atomic_t is_caught;  /* SIGTERM has arrived */
static volatile sig_atomic_t is_waiting; /* the waiting thread exists */
static pthread_t waiter;
static bool was_waiting; /* before the current fork */

/* pdump_flush() writes the dump, because pdump_finalize() might leave it to
 * MPI_Finalize(), which will not be called.  After that the store is not
 * needed, except in a job, where the file may be incomplete when the launcher
 * sends SIGKILL. */
static void *wait_for_term(void *unused)
{
    /* Launchers kill the other ranks as soon as one has died. */
    static const struct timespec patience = { .tv_nsec = 400000000 };

    while (sem_wait(&wake) != 0)
        ;
    if (!is_caught)
        return unused; /* woken by before_fork() */
    if (is_rank)
        pdump_warn("SIGTERM",
                   "SIGTERM: each rank writes a file of its own; the stores "
                   "stay for ranks that are killed before theirs is complete: "
                   "see pdump recover");
    pdump_flush();
    if (is_rank)
        nanosleep(&patience, NULL);
    else
        pdump_finalize();
    signal(SIGTERM, SIG_DFL);
    kill(getpid(), SIGTERM);
    return unused;
}

/* A signal handler may only wake the thread, or end the process. */
static void on_term(int number)
{
    if (is_caught)
        return;
    is_caught = 1;
    if (is_waiting) {
        sem_post(&wake);
    } else {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static bool is_ours(void)
{
    struct sigaction now;

    return sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == on_term;
}

/* Starts the thread with all signals blocked. */
static int start_thread(void *unused)
{
    sigset_t all, before;

    (void)unused;
    if (is_waiting || !is_ours())
        return 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_waiting =
        pdump_private_thread_start(&waiter, NULL, wait_for_term, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return 0;
}

/*
 * Python warns if a process with threads forks, but the program itself may have
 * none.  So our thread does not exist during a fork.
 */
static void before_fork(void)
{
    was_waiting = is_waiting && !is_caught;
    if (!was_waiting)
        return;
    is_waiting = 0;
    sem_post(&wake);
    pthread_join(waiter, NULL);
}

/* Python checks for threads after the fork, so the thread is started later. */
static void in_parent(void)
{
    if (was_waiting && pdump_py.Py_IsInitialized())
        pdump_py.Py_AddPendingCall(start_thread, NULL);
}

/* A child leaves its store to the parent. */
static void in_child(void)
{
    if (is_ours())
        signal(SIGTERM, SIG_DFL);
}

void pdump_ending_catch_term(int is_job)
{
    struct sigaction before,
        ours = { .sa_handler = on_term, .sa_flags = SA_RESTART };
    static bool is_caught_already;

    if (is_caught_already || sigaction(SIGTERM, NULL, &before) != 0 ||
        before.sa_handler != SIG_DFL || sem_init(&wake, 0, 0) != 0)
        return;
    is_caught_already = true;
    is_rank = is_job;
    sigaction(SIGTERM, &ours, NULL);
    pthread_atfork(before_fork, in_parent, in_child);
    start_thread(NULL);
}

static char **program;
static pid_t owner;

static void run_program(void)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;

    if (getpid() != owner || posix_spawn_file_actions_init(&actions) != 0)
        return;
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (posix_spawn(&pid, program[0], &actions, NULL, program, environ) == 0)
        waitpid(pid, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
}

int pdump_ending_run(char *const *argv)
{
    size_t n = 0;

    while (argv[n])
        n++;
    program = calloc(n + 1, sizeof(*program));
    if (!program)
        return -1;
    for (size_t i = 0; i < n; i++)
        program[i] = strdup(argv[i]);
    owner = getpid();
    return pdump_py.Py_AtExit(run_program);
}
