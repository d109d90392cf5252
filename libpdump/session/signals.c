/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles signals, on request: notes them, or writes a dump. */
#include "session/signals.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/own_signals.h"
#include "system/private_thread.h"
#include "system/process_state.h"
#include "system/sem_wait.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct watched {
    const char *name;
    int number;
    bool is_flush; /* write a dump and continue */
    bool is_on;    /* libpdump's handler is installed, or may still be called */
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

/* Receives the number of the signal while there is no session. */
static _Atomic uint32_t nowhere;

static _Atomic uint32_t *_Atomic note = &nowhere;
static int (*flush)(void);
static sem_t wanted;
static pthread_t flusher;
static _Atomic bool has_flusher;
static _Atomic bool is_stopping;

/* Two threads may end the session at the same time. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* What is read for this check is not recorded. */
static bool is_alone(void)
{
    unsigned gate = pdump_self.gate;
    bool is_so;

    pdump_self.gate = PDUMP_GATE_INSIDE;
    is_so = pdump_rss_sampler_is_alone();
    pdump_self.gate = gate;
    return is_so;
}

static void *flush_when_wanted(void *unused)
{
    /* When all other threads have ended, this one ends too, and so does the
     * process. */
    while (!is_alone()) {
        bool is_wanted = pdump_sem_wait(&wanted);

        if (is_stopping)
            break;
        if (is_wanted)
            flush();
    }
    return unused;
}

static struct watched *watched_find(int number)
{
    for (int i = 0; i < N_WATCHED; i++)
        if (watched[i].number == number)
            return &watched[i];
    return NULL;
}

static bool has_handler(const struct sigaction *action)
{
    return action->sa_flags & SA_SIGINFO ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Does what would have happened without libpdump. */
static void pass_on(struct watched *w, siginfo_t *info, void *context)
{
    if (w->before.sa_flags & SA_SIGINFO) {
        w->before.sa_sigaction(w->number, info, context);
    } else if (w->before.sa_handler == SIG_DFL) {
        sigaction(w->number, &w->before, NULL);
        raise(w->number); /* is delivered after the handler has returned */
    } else if (w->before.sa_handler != SIG_IGN) {
        w->before.sa_handler(w->number);
    }
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    struct watched *w = watched_find(number);
    int error = errno;

    if (w && w->is_flush) {
        if (has_flusher)
            sem_post(&wanted);
        /* The default action would end the process, which the user did not ask
         * for. */
        if (has_handler(&w->before))
            pass_on(w, info, context);
    } else if (w) {
        /* A child does not have the memory that `note` points to. */
        if (pdump_process_is_own())
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
    /* This thread must not receive the program's signals. */
    sigfillset(&all);
    pdump_own_signals_mask(SIG_SETMASK, &all, &before);
    is_good = pdump_private_thread_start(&flusher, NULL, flush_when_wanted,
                                         NULL) == 0;
    pdump_own_signals_mask(SIG_SETMASK, &before, NULL);
    has_flusher = is_good;
    return is_good;
}

/* Installs the handler, with the flags and mask of the program's own. */
static void handler_install(struct watched *w)
{
    const int kept = SA_RESTART | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND;
    struct sigaction action = { .sa_sigaction = on_signal };

    if (w->is_on || sigaction(w->number, NULL, &w->before) != 0)
        return;
    if (has_handler(&w->before)) {
        action.sa_flags = SA_SIGINFO | (w->before.sa_flags & kept);
        action.sa_mask = w->before.sa_mask;
    } else {
        /* An ignored signal does not end the process, so there is nothing to
         * note. */
        if (w->before.sa_handler == SIG_IGN && !w->is_flush)
            return;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigfillset(&action.sa_mask);
    }
    w->is_on = sigaction(w->number, &action, NULL) == 0;
}

static void signal_start(const char *name)
{
    int i = 0;

    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    while (i < N_WATCHED && strcmp(watched[i].name, name) != 0)
        i++;
    if (i == N_WATCHED)
        pdump_warn("PDUMP_SIGNALS",
                   "PDUMP_SIGNALS: %.40s is not one of TERM, INT, HUP, QUIT, "
                   "USR1, USR2",
                   name);
    else if (watched[i].is_flush && !start_flusher())
        pdump_warn("PDUMP_SIGNALS", "PDUMP_SIGNALS: no thread for SIG%s", name);
    else
        handler_install(&watched[i]);
}

/* If the program has installed a handler over that of libpdump, it stays, and
 * may still call it. */
static void handler_uninstall(struct watched *w)
{
    struct sigaction now;

    if (!w->is_on || sigaction(w->number, NULL, &now) != 0)
        return;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal)
        w->is_on = sigaction(w->number, &w->before, NULL) != 0;
    else if (!has_handler(&now))
        w->is_on = false;
}

static void handlers_uninstall(void)
{
    for (int i = 0; i < N_WATCHED; i++)
        handler_uninstall(&watched[i]);
    note = &nowhere;
}

void pdump_signals_start(const char *list, _Atomic uint32_t *where,
                         int (*call)(void))
{
    char *copy = strdup(list), *rest = copy, *name;

    if (pdump_turn_take(&turn) < 0) {
        pdump_warn("PDUMP_SIGNALS", "PDUMP_SIGNALS: %s", pdump_last_error());
        free(copy);
        return;
    }
    note = where;
    flush = call;
    while (copy && (name = strtok_r(rest, ", \t", &rest)))
        signal_start(name);
    pdump_turn_end(&turn);
    free(copy);
}

/* Returns false if the dump is not written within the limit; then the thread
 * continues. */
static bool stop_flusher(void)
{
    struct timespec until = pdump_turn_in(pdump_turn_limit);

    has_flusher = false;
    is_stopping = true;
    sem_post(&wanted);
    /* At the end of the process, this may be the calling thread. */
    if (!pthread_equal(flusher, pthread_self()) &&
        pthread_timedjoin_np(flusher, NULL, &until) != 0) {
        is_stopping = false;
        has_flusher = true;
        return false;
    }
    sem_destroy(&wanted);
    return true;
}

int pdump_signals_stop(void)
{
    int err = pdump_turn_take(&turn);

    if (err < 0)
        return err;
    if (has_flusher && !stop_flusher())
        err = pdump_fail(PDUMP_ESTATE,
                         "the dump that a signal asked for has not been "
                         "written for %d seconds",
                         pdump_turn_limit);
    else
        handlers_uninstall();
    pdump_turn_end(&turn);
    return err;
}

bool pdump_signals_has_thread(void)
{
    return has_flusher;
}

void pdump_signals_forked(void)
{
    pthread_mutex_init(&turn, NULL);
    has_flusher = false;
    handlers_uninstall();
}
