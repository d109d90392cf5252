/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP worker threads, which never end. */
#include "openmp_workers.h"
#include "run.h"

#include "probe/program_region.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 500, TRY_NS = 100 * 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct team_member *members;
static __thread struct team_member *self;

bool team_is_runtime(const char *library)
{
    return strncmp(library, "libgomp", 7) == 0 ||
           strncmp(library, "libomp", 6) == 0 ||
           strncmp(library, "libiomp", 7) == 0;
}

void team_join(struct team_member *member)
{
    member->tid = (pid_t)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    member->next = members;
    members = member;
    pthread_mutex_unlock(&lock);
    self = member;
}

void team_quit(struct team_member *member)
{
    pthread_mutex_lock(&lock);
    for (struct team_member **at = &members; *at; at = &(*at)->next)
        if (*at == member) {
            *at = member->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    self = NULL;
}

void team_forget(void)
{
    pthread_mutex_init(&lock, NULL);
    members = NULL;
}

static void on_signal(int number)
{
    int why = errno;

    (void)number;
    if (self) {
        pdump_program_end(false);
        atomic_store(&self->has_left, true);
    }
    errno = why;
}

/* Returns a signal that the program does not use, or 0.  The handler stays
 * installed, because a late signal must not kill the process. */
static int take_signal(void)
{
    static int taken;
    struct sigaction action = { .sa_handler = on_signal,
                                .sa_flags = SA_RESTART | SA_ONSTACK };
    struct sigaction old;

    sigemptyset(&action.sa_mask);
    for (int n = SIGRTMAX; n > SIGRTMIN && !taken; n--)
        if (sigaction(n, NULL, &old) == 0 && old.sa_handler == SIG_DFL &&
            sigaction(n, &action, NULL) == 0)
            taken = n;
    return taken;
}

static bool are_waited_for(void)
{
    for (struct team_member *m = members; m; m = m->next)
        if (!atomic_load(&m->has_left))
            return true;
    return false;
}

void team_leave(void)
{
    const struct timespec pause = { .tv_nsec = TRY_NS };
    int number;

    if (!run_is_ours())
        return;
    pthread_mutex_lock(&lock);
    number = members ? take_signal() : 0;
    for (struct team_member *m = members; m && number; m = m->next) {
        atomic_store(&m->has_left, m == self);
        if (m != self &&
            syscall(SYS_tgkill, (long)run.pid, (long)m->tid, number) != 0)
            atomic_store(&m->has_left, true);
    }
    for (int i = 0; number && i < TRIES && are_waited_for(); i++)
        nanosleep(&pause, NULL);
    pthread_mutex_unlock(&lock);
}
