/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals, on request: noted, or a reason to write a dump. */
#include "signals.h"
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct watched {
    const char *name;
    int number;
    bool is_flush; /* write a dump and go on */
    bool is_on;
    struct sigaction before;
} watched[] = {
    { .name = "TERM", .number = SIGTERM },
    { .name = "INT", .number = SIGINT },
    { .name = "HUP", .number = SIGHUP },
    { .name = "QUIT", .number = SIGQUIT },
    { .name = "USR1", .number = SIGUSR1, .is_flush = true },
    { .name = "USR2", .number = SIGUSR2, .is_flush = true },
};

enum { N_WATCHED = sizeof(watched) / sizeof(watched[0]) };

static _Atomic uint32_t *note;
static int (*flush)(void);
static sem_t wanted;
static pthread_t flusher;
static bool has_flusher;
static _Atomic bool is_stopping;

static void *flush_when_wanted(void *unused)
{
    for (;;) {
        while (sem_wait(&wanted) != 0 && errno == EINTR)
            ;
        if (is_stopping)
            return unused;
        flush();
    }
}

static struct watched *find(int number)
{
    for (int i = 0; i < N_WATCHED; i++)
        if (watched[i].number == number)
            return &watched[i];
    return NULL;
}

/* What would have happened without us. */
static void pass_on(struct watched *w, siginfo_t *info, void *context)
{
    if (w->before.sa_flags & SA_SIGINFO) {
        w->before.sa_sigaction(w->number, info, context);
    } else if (w->before.sa_handler == SIG_DFL) {
        sigaction(w->number, &w->before, NULL);
        raise(w->number); /* comes when the handler has returned */
    } else if (w->before.sa_handler != SIG_IGN) {
        w->before.sa_handler(w->number);
    }
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    struct watched *w = find(number);
    int error = errno;

    if (w && w->is_flush) {
        sem_post(&wanted);
        /* Its default is to end the process, which is not what was meant. */
        if (w->before.sa_flags & SA_SIGINFO || w->before.sa_handler != SIG_DFL)
            pass_on(w, info, context);
    } else if (w) {
        atomic_store(note, (uint32_t)number);
        pass_on(w, info, context);
    }
    errno = error;
}

static bool start_flusher(void)
{
    sigset_t all, before;
    bool is_good;

    if (has_flusher)
        return true;
    is_stopping = false;
    if (sem_init(&wanted, 0, 0) != 0)
        return false;
    /* The program's signals are not for this thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_good = pthread_create(&flusher, NULL, flush_when_wanted, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    has_flusher = is_good;
    return is_good;
}

static void start_one(const char *name)
{
    struct sigaction action = { .sa_sigaction = on_signal,
                                .sa_flags = SA_SIGINFO | SA_RESTART };
    int i = 0;

    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    while (i < N_WATCHED && strcmp(watched[i].name, name) != 0)
        i++;
    sigfillset(&action.sa_mask);
    if (i == N_WATCHED)
        pdump_warn("PDUMP_SIGNALS",
                   "PDUMP_SIGNALS: %.40s is not one of TERM, INT, HUP, QUIT, "
                   "USR1, USR2",
                   name);
    else if (watched[i].is_flush && !start_flusher())
        pdump_warn("PDUMP_SIGNALS", "PDUMP_SIGNALS: no thread for SIG%s", name);
    else if (!watched[i].is_on &&
             sigaction(watched[i].number, &action, &watched[i].before) == 0)
        watched[i].is_on = true;
}

void pdump_signals_start(const char *list, _Atomic uint32_t *where,
                         int (*call)(void))
{
    char *copy = strdup(list), *rest = copy, *name;

    note = where;
    flush = call;
    while (copy && (name = strtok_r(rest, ", \t", &rest)))
        start_one(name);
    free(copy);
}

void pdump_signals_stop(void)
{
    for (int i = 0; i < N_WATCHED; i++) {
        struct sigaction now;

        /* Somebody may have put a handler over ours; it stays. */
        if (watched[i].is_on && sigaction(watched[i].number, NULL, &now) == 0 &&
            now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal)
            sigaction(watched[i].number, &watched[i].before, NULL);
        watched[i].is_on = false;
    }
    if (!has_flusher)
        return;
    is_stopping = true;
    sem_post(&wanted);
    pthread_join(flusher, NULL);
    sem_destroy(&wanted);
    has_flusher = false;
}

void pdump_signals_forked(void)
{
    has_flusher = false;
}
