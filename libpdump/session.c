/* SPDX-License-Identifier: BSD-3-Clause */
/* The conductor: settings, sources, store and files of one measurement. */
#include "session.h"
#include "children.h"
#include "fork.h"
#include "gate.h"
#include "job.h"
#include "log.h"
#include "output.h"
#include "signals.h"
#include "store_file.h"
#include "thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_session *current; /* under the lock */
/* Ended, and not yet written: they wait for MPI_Finalize(), where it does no
 * harm if a rank does not come.  In their order; under the lock. */
static struct pdump_session *first_waiting;
static _Atomic enum pdump_phase phase;
static unsigned last_number = PDUMP_GATE_FIRST - 1;

/* What a child of fork() got from its parent: not ours to free, nor to lose.
 * Volatile, because only leak checkers read it. */
static struct pdump_session *volatile inherited;
static pid_t forking;       /* the process that forks */
static bool is_output_held; /* by the thread that forks */

/* Where this process comes from; known before its session starts. */
static struct pdump_origin origin;

enum pdump_phase pdump_session_phase(void)
{
    return atomic_load_explicit(&phase, memory_order_relaxed);
}

static const char *from_environment(const char *name)
{
    return getenv(name);
}

void pdump_session_let_go(struct pdump_session *s)
{
    if (atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    pdump_dump_free(s->last);
    pdump_regions_close(&s->regions);
    pdump_store_close(s->store);
    pdump_settings_free(&s->settings);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct pdump_session *pdump_session_hold(void)
{
    struct pdump_session *s;

    pthread_mutex_lock(&lock);
    s = current;
    if (s)
        atomic_fetch_add(&s->holders, 1);
    pthread_mutex_unlock(&lock);
    return s;
}

static int end(enum pdump_phase next);
static int write_waiting(bool is_together);

/* This thread makes a dump.  If a signal handler then calls exit(), the dump
 * at the end would wait for this one for ever; the store is left instead. */
static __thread int n_dumping;

/* After the program's own atexit() handlers, which may still have regions. */
__attribute__((destructor)) static void at_exit(void)
{
    if (n_dumping > 0)
        return;
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        end(PDUMP_PHASE_EXITING);
    write_waiting(false);
}

/* In MPI_Finalize(), the last moment at which the ranks can talk. */
static void at_job_end(void)
{
    if (n_dumping > 0)
        return;
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        end(PDUMP_PHASE_JOB_ENDED);
    write_waiting(true);
}

static struct pdump_session *session_of(const struct pdump_recording *recording)
{
    return (struct pdump_session *)((char *)recording -
                                    offsetof(struct pdump_session, recording));
}

void pdump_session_look(const struct pdump_recording *recording)
{
    struct pdump_session *s = session_of(recording);
    const struct pdump_comm *comm;

    if (s->comm != &pdump_comm_solo)
        return;
    comm = pdump_job_find(&s->settings, at_job_end);
    if (!comm)
        return;
    s->rank = s->head->rank = comm->rank();
    s->head->n_ranks = comm->size();
    pdump_log_set_rank(s->rank);
    s->comm = comm;
}

const struct pdump_comm *pdump_session_job(void)
{
    struct pdump_session *s = pdump_session_hold();
    const struct pdump_comm *comm = NULL;

    if (s) {
        pdump_session_look(&s->recording);
        comm = s->comm == &pdump_comm_solo ? NULL : s->comm;
        pdump_session_let_go(s);
    }
    return comm;
}

/* Before the destructors: whoever loads a module in one of them makes those
 * libraries start again that have ended already. */
static void before_exit(void)
{
    struct pdump_session *s = pdump_session_hold();

    if (!s)
        return;
    pdump_output_load(s);
    pdump_session_let_go(s);
}

static void watch_exit(void)
{
    static bool is_watched;

    if (!is_watched)
        is_watched = at_quick_exit(at_exit) == 0 && atexit(before_exit) == 0;
}

/* Under the lock. */
static int start(void)
{
    struct pdump_session *s = calloc(1, sizeof(*s));
    int err;

    if (!s)
        return pdump_no_memory();
    pdump_log_reset();
    pdump_log_set_rank(pdump_job_guess_rank());
    err = pdump_settings_load(&s->settings, from_environment);
    if (err < 0) {
        free(s);
        return err;
    }
    if (s->settings.is_disabled) {
        pdump_settings_free(&s->settings);
        free(s);
        phase = PDUMP_PHASE_DISABLED;
        pdump_gate_set(PDUMP_GATE_IDLE);
        return PDUMP_OK;
    }
    pdump_settings_check_names(environ);
    s->origin = origin;
    err = pdump_session_open(s);
    if (err < 0) {
        pdump_settings_free(&s->settings);
        free(s);
        phase = PDUMP_PHASE_FAILED;
        return err;
    }
    origin = s->origin;
    pthread_mutex_init(&s->lock, NULL);
    s->holders = 1;
    s->number = ++last_number;
    current = s;
    pdump_fork_watch();
    watch_exit();
    pdump_signals_start(s->settings.signals, &s->head->signal,
                        pdump_session_flush);
    pdump_session_look(&s->recording);
    phase = PDUMP_PHASE_ACTIVE;
    pdump_gate_set(s->number);
    return PDUMP_OK;
}

int pdump_session_start(void)
{
    int err = PDUMP_OK;

    pthread_mutex_lock(&lock);
    if (!current)
        err = start();
    else
        pdump_session_look(&current->recording);
    pthread_mutex_unlock(&lock);
    return err;
}

int pdump_session_start_first(void)
{
    int err = PDUMP_OK;

    pthread_mutex_lock(&lock);
    if (phase == PDUMP_PHASE_NEVER)
        err = start();
    pthread_mutex_unlock(&lock);
    return err;
}

static int flush(const struct pdump_output_order *order)
{
    struct pdump_session *s = pdump_session_hold();
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    n_dumping++;
    err = pdump_output_write(s, order);
    n_dumping--;
    pdump_session_let_go(s);
    return err;
}

int pdump_session_flush(void)
{
    return flush(&(struct pdump_output_order){ .name = NULL });
}

int pdump_session_flush_group(const void *group, const char *name)
{
    if (!pdump_session_job())
        return pdump_fail(PDUMP_ESTATE, "this process is in no MPI job");
    return flush(&(struct pdump_output_order){
        .is_together = true, .group = group, .what = 1, .name = name });
}

int pdump_session_dump(struct pdump_dump **out)
{
    struct pdump_session *s = pdump_session_hold();
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    n_dumping++;
    err = pdump_output_dump(s, out);
    n_dumping--;
    pdump_session_let_go(s);
    return err;
}

/* A child whose run goes on leaves its store to the first process. */
static bool is_left_behind(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);

    if (!s->origin.parent || !pdump_store_is_whole(s->store))
        return false;
    atomic_store(&s->head->is_ended, 1);
    return pdump_children_is_left_to(s->origin.root, pdump_store_fd(s->store),
                                     path);
}

/* The dump could not be written: what is left? */
static void tell_loss(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);
    bool is_whole = pdump_store_is_whole(s->store);
    char stores[PATH_MAX];

    if (!path) {
        pdump_warn("dump", "the measurement is lost: %s", pdump_last_error());
        return;
    }
    if (s->settings.follow)
        pdump_store_file_pattern(path, s->origin.run, stores, sizeof(stores));
    else
        snprintf(stores, sizeof(stores), "%s", path);
    pdump_warn("dump", "%s; the records%s are kept: pdump recover %s",
               pdump_last_error(),
               is_whole ? "" : " that the store had room for", stores);
}

static int write_last(struct pdump_session *s,
                      const struct pdump_output_order *order)
{
    int err = s->last ? pdump_output_write(s, order) : PDUMP_ENOMEM;

    pdump_children_done(&s->children, err >= 0);
    if (err >= 0)
        pdump_store_remove(s->store);
    else
        tell_loss(s);
    return err;
}

/* Under the lock. */
static void let_wait(struct pdump_session *s)
{
    struct pdump_session **last = &first_waiting;

    while (*last)
        last = &(*last)->waiting;
    *last = s;
}

/* Does it have to wait for the other ranks? */
static bool is_early(const struct pdump_session *s, enum pdump_phase next)
{
    if (next == PDUMP_PHASE_JOB_ENDED)
        return true;
    return next == PDUMP_PHASE_ENDED && s->comm != &pdump_comm_solo &&
           s->comm->is_up();
}

/* Stop recording, under the lock.  True if there is something to write. */
static bool stop(struct pdump_session *s, enum pdump_phase next)
{
    bool is_left;

    pdump_session_look(&s->recording);
    current = NULL;
    phase = next;
    pdump_gate_set(PDUMP_GATE_NONE);
    is_left = is_left_behind(s);
    if (!is_left)
        pdump_output_take_last(s); /* without, write_last() tells the loss */
    pdump_log_keep_in(NULL);
    if (pdump_self.number == s->number)
        pdump_thread_leave();
    pdump_sources_close(&s->sources);
    return !is_left;
}

static void drop(struct pdump_session *s)
{
    if (s->reserve >= 0)
        close(s->reserve);
    pdump_session_let_go(s);
}

static int end(enum pdump_phase next)
{
    const struct pdump_output_order alone = { .is_together = false };
    struct pdump_session *s;
    int err = PDUMP_OK;

    pdump_signals_stop(); /* its thread may want the lock */
    pthread_mutex_lock(&lock);
    s = current;
    if (!s) {
        pthread_mutex_unlock(&lock);
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    }
    if (!stop(s, next)) {
        drop(s);
    } else if (is_early(s, next)) {
        let_wait(s);
    } else {
        err = write_last(s, &alone);
        drop(s);
    }
    pthread_mutex_unlock(&lock);
    return err;
}

/* Below all errors: what ranks agree on is the least of their numbers. */
enum { NO_ERROR = -1000 };

/* How many dumps the rank that has most is to write, or a pdump_error. */
static int count_rounds(const struct pdump_session *s)
{
    int n = 0, err = s->comm->enter(NULL, s->settings.mpi_timeout);

    for (const struct pdump_session *w = s; w; w = w->waiting)
        n++;
    if (err < 0)
        return err;
    err = s->comm->agree(NO_ERROR - n);
    s->comm->leave();
    return err <= NO_ERROR ? NO_ERROR - err : err;
}

/* Write what waits: dump by dump, as the other ranks do.  Who has fewer than
 * they attends with nothing. */
static int write_rounds(int n_rounds)
{
    struct pdump_output_order order = { .is_together = n_rounds > 0,
                                        .is_told = n_rounds < 0 };
    int worst = PDUMP_OK;

    for (int round = 0; first_waiting; round++) {
        struct pdump_session *s = first_waiting;
        int err;

        order.what = 2 + (uint64_t)round;
        err = write_last(s, &order);
        worst = err < worst ? err : worst;
        while (!s->waiting && ++round < n_rounds) {
            order.what = 2 + (uint64_t)round;
            pdump_output_attend(s, &order);
        }
        first_waiting = s->waiting;
        drop(s);
    }
    return worst;
}

static int write_waiting(bool is_together)
{
    int n = 0, err = PDUMP_OK;

    pthread_mutex_lock(&lock);
    n_dumping++;
    if (first_waiting && is_together)
        n = count_rounds(first_waiting);
    if (n < 0)
        pdump_output_tell_alone();
    if (first_waiting)
        err = write_rounds(n);
    n_dumping--;
    pthread_mutex_unlock(&lock);
    return err;
}

int pdump_session_end(void)
{
    return end(PDUMP_PHASE_ENDED);
}

/* A child would inherit a half-written file and, when it exits, write what is
 * in its buffers once more: wait for the dump, but not for ever. */
void pdump_session_before_fork(void)
{
    struct timespec until;

    pthread_mutex_lock(&lock);
    forking = getpid();
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    is_output_held =
        current && pthread_mutex_timedlock(&current->lock, &until) == 0;
}

static void release_output(void)
{
    if (is_output_held)
        pthread_mutex_unlock(&current->lock);
}

void pdump_session_in_parent(void)
{
    release_output();
    pthread_mutex_unlock(&lock);
}

/* What the child needs to know of its parent, before it lets go of it. */
static void inherit(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);

    if (!*origin.root && path) {
        snprintf(origin.root, sizeof(origin.root), "%s", path);
        origin.root_pid = forking;
    }
    pdump_store_forget(s->store);
    if (s->reserve >= 0)
        close(s->reserve);
    s->older = inherited;
    inherited = s;
}

void pdump_session_in_child(void)
{
    if (*origin.run)
        origin.parent = forking;
    pdump_job_forget();
    release_output();
    for (; first_waiting; first_waiting = first_waiting->waiting)
        inherit(first_waiting);
    if (current) {
        phase =
            current->settings.follow ? PDUMP_PHASE_NEVER : PDUMP_PHASE_CHILD;
        inherit(current);
        current = NULL;
        pdump_gate_set(phase == PDUMP_PHASE_CHILD ? PDUMP_GATE_IDLE
                                                  : PDUMP_GATE_NONE);
    }
    pthread_mutex_unlock(&lock);
}
