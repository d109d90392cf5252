/* SPDX-License-Identifier: BSD-3-Clause */
/* The conductor: settings, sources, store and files of one measurement. */
#include "session/session.h"
#include "job/job.h"
#include "probe/program_region.h"
#include "record/gate.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "session/run_children.h"
#include "session/session_load.h"
#include "session/session_output.h"
#include "session/session_write.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "store/store_event_file.h"
#include "system/env.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/*
 * Sessions start and end one at a time.  The thread that has the turn may take
 * long, allocate memory, and call MPI.  Only calls that start or end a session
 * wait for the turn, and none of them waits forever: see lock.h.
 */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pdump_session *current; /* under the lock */
static _Atomic enum pdump_phase phase;
static unsigned last_number = PDUMP_GATE_FIRST - 1;

/* Sessions that a child of fork() has inherited from its parent: they are
 * neither freed nor lost.  Volatile, because only leak checkers read it. */
static struct pdump_session *volatile inherited;
static bool is_turn_held;                 /* by the thread that forks */
static struct pdump_session *output_held; /* the same */

/* The run that this process belongs to; known before its session starts. */
static struct pdump_origin origin;
static atomic_bool is_quick;

enum pdump_phase pdump_session_phase(void)
{
    return pdump_process_is_sealed() || pdump_process_is_known()
               ? atomic_load_explicit(&phase, memory_order_relaxed)
               : PDUMP_PHASE_CHILD;
}

void pdump_session_let_go(struct pdump_session *s)
{
    if (pdump_process_is_sealed() || atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    pdump_dump_free(s->last);
    free(s->beside);
    pdump_function_table_close(&s->functions);
    pdump_throttle_close(&s->throttle);
    pdump_regions_close(&s->regions);
    pdump_filter_free(s->filter);
    pdump_store_close(s->store);
    pdump_settings_free(&s->settings);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void set_current(struct pdump_session *s)
{
    pthread_mutex_lock(&lock);
    current = s;
    pthread_mutex_unlock(&lock);
}

struct pdump_session *pdump_session_hold(void)
{
    struct pdump_session *s;

    if (!pdump_process_is_known())
        return NULL;
    pthread_mutex_lock(&lock);
    s = current;
    if (s)
        atomic_fetch_add(&s->holders, 1);
    pthread_mutex_unlock(&lock);
    return s;
}

static int end(enum pdump_phase next);
static int write_waiting(bool is_together);

/* Runs after the program's own atexit() handlers, which may still have
 * regions. */
__attribute__((destructor)) static void at_exit(void)
{
    if (pdump_process_is_sealed() || !pdump_process_is_own() ||
        pdump_session_is_dumping())
        return;
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        end(PDUMP_PHASE_EXITING);
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        return; /* the turn could not be taken */
    if (write_waiting(false) < 0)
        pdump_warn("turn",
                   "the process exits: %s; the records are kept: see "
                   "pdump recover",
                   pdump_last_error());
}

/* Called in MPI_Finalize(), the last moment at which the ranks can
 * communicate. */
static void at_job_end(void)
{
    if (pdump_session_is_dumping() || pdump_process_is_sealed())
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

    if (s->comm != &pdump_comm_solo || strcmp(s->settings.ranks, "own") == 0)
        return;
    comm = pdump_job_find(&s->settings, at_job_end);
    if (!comm)
        return;
    s->rank = comm->rank();
    s->head->rank = s->rank;
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

/* Returns true if the first process of the run will collect the store, should
 * the session end now. */
static bool is_collected(const struct pdump_session *s)
{
    return s->origin.parent && pdump_store_is_whole(s->store) &&
           pdump_run_children_goes_on(s->origin.root);
}

/* Runs before the destructors: if a destructor loaded a module, libraries that
 * have already ended would start again. */
static void before_exit(void)
{
    struct pdump_session *s =
        pdump_process_is_own() ? pdump_session_hold() : NULL;

    if (!s)
        return;
    if (!is_collected(s))
        pdump_session_load_modules(s);
    pdump_session_let_go(s);
}

static void watch_exit(void)
{
    static bool is_watched;

    if (!is_watched)
        is_watched = at_quick_exit(at_exit) == 0 && atexit(before_exit) == 0;
}

void pdump_session_be_quick(void)
{
    is_quick = true;
}

static int start(void)
{
    struct pdump_session *s = calloc(1, sizeof(*s));
    int err;

    if (!s)
        return pdump_no_memory();
    pdump_log_reset();
    pdump_log_set_rank(pdump_job_guess_rank());
    err = pdump_settings_load(&s->settings, pdump_env);
    if (err < 0) {
        free(s);
        return err;
    }
    if (pdump_session_is_off(s->settings.is_disabled)) {
        pdump_settings_free(&s->settings);
        free(s);
        phase = PDUMP_PHASE_DISABLED;
        pdump_gate_set(PDUMP_GATE_IDLE);
        return PDUMP_OK;
    }
    if (!pdump_env_is_privileged())
        pdump_settings_check_names(environ);
    s->settings.is_quick = is_quick;
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
    watch_exit();
    pdump_signals_start(s->settings.signals, &s->head->signal,
                        pdump_session_flush);
    set_current(s);
    phase = PDUMP_PHASE_ACTIVE;
    pdump_gate_set(s->number);
    pdump_rss_sampler_start(s);
    pdump_timeline_writer_start(s);
    return PDUMP_OK;
}

/* A program that calls pdump_init() in a job does so on every rank.  So this is
 * the moment to compare clocks, if there will be a timeline. */
static void align(void)
{
    struct pdump_session *s = pdump_session_hold();

    if (!s)
        return;
    if (s->settings.records_events && s->comm != &pdump_comm_solo &&
        pdump_turn_take(&s->lock) >= 0) {
        pdump_clock_sync_start(s->comm, s->settings.mpi_timeout, &s->align);
        pdump_turn_end(&s->lock);
    }
    pdump_session_let_go(s);
}

/* If a session is active, there is nothing to wait for. */
static int start_unless_active(void)
{
    int err;

    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        return PDUMP_OK;
    pdump_session_load_counters(is_quick);
    err = pdump_turn_take(&turn);
    if (err < 0) {
        pdump_warn("turn", "no session is started: %s", pdump_last_error());
        return err;
    }
    if (!current)
        err = start();
    pdump_turn_end(&turn);
    return err;
}

int pdump_session_start(void)
{
    struct pdump_write_guard hold;
    int err = PDUMP_OK;

    if (pdump_process_is_sealed())
        return err;
    if (!pdump_process_is_known())
        return pdump_fail(PDUMP_ESTATE, "this process is a child that cannot "
                                        "be recorded");
    pdump_write_guard_hold(&hold);
    err = start_unless_active();
    pdump_session_job();
    if (err >= 0)
        align();
    pdump_write_guard_release(&hold);
    return err;
}

int pdump_session_start_first(void)
{
    int err = PDUMP_OK;

    if (pdump_session_phase() != PDUMP_PHASE_NEVER)
        return err;
    pdump_session_load_counters(is_quick);
    if (!pdump_turn_take_until(&turn, pdump_turn_in(1)))
        return pdump_fail(PDUMP_ESTATE,
                          "another thread has been starting it for a second");
    if (phase == PDUMP_PHASE_NEVER)
        err = start();
    pdump_turn_end(&turn);
    pdump_session_job();
    return err;
}

/* A child whose run continues leaves its store to the first process; but the
 * ranks of a job write their file together as long as they can. */
static bool is_left_behind(struct pdump_session *s, enum pdump_phase next)
{
    if (!s->origin.parent || !pdump_store_is_whole(s->store) ||
        (s->comm != &pdump_comm_solo && next != PDUMP_PHASE_EXITING))
        return false;
    atomic_store(&s->head->ended, pdump_clock_system());
    atomic_store(&s->head->is_ended, 1);
    pdump_store_trim(s->store);
    return pdump_run_children_is_left_to(s->origin.root, s->store);
}

/* Returns true if the session has to wait for the other ranks. */
static bool is_early(const struct pdump_session *s, enum pdump_phase next)
{
    if (next == PDUMP_PHASE_JOB_ENDED)
        return true;
    return next == PDUMP_PHASE_ENDED && s->comm != &pdump_comm_solo &&
           s->comm->is_up();
}

static void close_recording(struct pdump_session *s)
{
    pdump_log_keep_in(NULL);
    if (pdump_self.number == s->number)
        pdump_thread_leave();
    pdump_sources_close(&s->sources);
}

/* Stops recording.  Returns true if there is something to write. */
static bool stop(struct pdump_session *s, enum pdump_phase next)
{
    bool is_left;

    pdump_rss_sampler_stop();
    pdump_timeline_writer_stop();
    if (pdump_self.number == s->number)
        pdump_program_finish(&pdump_self);
    set_current(NULL);
    phase = next;
    pdump_gate_set(PDUMP_GATE_NONE);
    is_left = is_left_behind(s, next);
    if (!is_left)
        pdump_session_output_take_last(s); /* a loss is reported later */
    close_recording(s);
    return !is_left;
}

/* Call this before taking the turn.  On exit, before_exit() has already loaded
 * the modules. */
static void load_for_end(enum pdump_phase next)
{
    struct pdump_session *s = pdump_session_hold();

    if (!s)
        return;
    pdump_session_look(&s->recording);
    if (next != PDUMP_PHASE_EXITING && !is_collected(s))
        pdump_session_load_modules(s);
    pdump_session_let_go(s);
}

/* The turn could not be taken: warns that the session continues. */
static void tell_unended(enum pdump_phase next)
{
    struct pdump_session *s = pdump_session_hold();

    pdump_log_speak();
    if (next != PDUMP_PHASE_EXITING)
        pdump_warn("turn", "the session is not ended: %s; it ends on exit",
                   pdump_last_error());
    else if (s)
        pdump_last_tell_loss(s);
    if (s)
        pdump_session_let_go(s);
}

/* The thread for signals may need the turn, so it is stopped first. */
static int take_turn_for_end(enum pdump_phase next)
{
    int err = pdump_signals_stop();

    if (err >= 0)
        err = pdump_turn_take(&turn);
    if (err < 0)
        tell_unended(next);
    return err;
}

/* Waits while another thread writes a dump of the session. */
static int wait_for_writer(struct pdump_session *s)
{
    int err = pdump_turn_take(&s->lock);

    if (err >= 0)
        pdump_turn_end(&s->lock);
    return err;
}

static int end(enum pdump_phase next)
{
    struct pdump_write_guard hold;
    struct pdump_session *s;
    int err;

    pdump_write_guard_hold(&hold);
    pdump_program_before_end();
    load_for_end(next);
    err = take_turn_for_end(next);
    if (err < 0)
        goto out;
    s = current;
    if (!s)
        err = pdump_fail(PDUMP_ESTATE, "no session is active");
    else if ((err = wait_for_writer(s)) < 0)
        tell_unended(next);
    else if (!stop(s, next))
        pdump_last_drop(s);
    else if (is_early(s, next))
        pdump_last_wait(s);
    else
        err = pdump_last_write(s, NULL);
    pdump_turn_end(&turn);
out:
    pdump_write_guard_release(&hold);
    return err;
}

static int write_waiting(bool is_together)
{
    struct pdump_write_guard hold;
    int err = pdump_turn_take(&turn);

    if (err < 0)
        return err;
    pdump_write_guard_hold(&hold);
    pdump_session_begin_dump();
    pdump_last_write_waiting(is_together);
    pdump_session_end_dump();
    pdump_write_guard_release(&hold);
    pdump_turn_end(&turn);
    return PDUMP_OK;
}

int pdump_session_end(void)
{
    return end(PDUMP_PHASE_ENDED);
}

/* The run collects the store, as at the end of the process. */
void pdump_session_seal(void)
{
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE) {
        pdump_log_set_quiet(true);
        pdump_warn("seccomp",
                   "recording stopped when the program restricted its system "
                   "calls (seccomp), because the kernel could kill it for a "
                   "call of libpdump; a filter that returns an error instead "
                   "(SECCOMP_RET_ERRNO) does not stop recording");
        end(PDUMP_PHASE_EXITING);
    }
    phase = PDUMP_PHASE_SEALED;
    pdump_process_seal(true);
    pdump_gate_set(PDUMP_GATE_IDLE);
}

void pdump_session_unseal(void)
{
    pdump_process_seal(false);
    phase = PDUMP_PHASE_NEVER;
    pdump_gate_set(PDUMP_GATE_NONE);
}

int pdump_session_drop(void)
{
    struct pdump_session *s;
    int err = pdump_signals_stop();

    if (err >= 0)
        err = pdump_turn_take(&turn);
    if (err < 0)
        return err;
    s = current;
    if (s) {
        pdump_rss_sampler_stop();
        pdump_timeline_writer_stop();
        set_current(NULL);
        phase = PDUMP_PHASE_NEVER;
        pdump_gate_set(PDUMP_GATE_NONE);
        close_recording(s);
        pdump_store_event_file_remove(s->beside, (char *)s->head);
        pdump_store_remove(s->store);
        pdump_last_drop(s);
    }
    pdump_turn_end(&turn);
    return s ? PDUMP_OK : pdump_fail(PDUMP_ESTATE, "no session is active");
}

bool pdump_session_stop_looking(void)
{
    bool was_looking;

    if (pdump_turn_take(&turn) < 0)
        return false;
    was_looking = pdump_rss_sampler_is_running();
    pdump_rss_sampler_stop();
    pdump_turn_end(&turn);
    return was_looking;
}

int pdump_session_end_hosted(const char *name,
                             void (*look)(const struct pdump_dump *dump,
                                          void *data),
                             void *data)
{
    struct pdump_session *s;
    int err = take_turn_for_end(PDUMP_PHASE_EXITING);

    if (err < 0)
        return err;
    s = current;
    if (!s) {
        pdump_turn_end(&turn);
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    }
    pdump_rss_sampler_stop();
    pdump_timeline_writer_stop();
    set_current(NULL);
    phase = PDUMP_PHASE_ENDED;
    pdump_gate_set(PDUMP_GATE_NONE);
    pdump_session_output_take_hosted(s);
    close_recording(s);
    if (s->children.n > 0) {
        look(s->last, data);
        err = pdump_last_write(s, name);
    } else {
        pdump_store_remove(s->store);
        pdump_last_drop(s);
    }
    pdump_turn_end(&turn);
    return err;
}

/* A child would inherit a half-written file and, when it exits, write the
 * contents of its buffers again: waits for the dump, but not forever. */
void pdump_session_before_fork(struct timespec until)
{
    struct pdump_session *s;

    is_turn_held = pdump_turn_take_until(&turn, until);
    s = pdump_session_hold();
    if (s && !pdump_turn_take_until(&s->lock, until)) {
        pdump_session_let_go(s);
        s = NULL;
    }
    pthread_mutex_lock(&lock);
    output_held = s;
}

void pdump_session_in_parent(void)
{
    struct pdump_session *s = output_held;

    pthread_mutex_unlock(&lock);
    if (s) {
        pdump_turn_end(&s->lock);
        pdump_session_let_go(s);
    }
    if (is_turn_held)
        pdump_turn_end(&turn);
}

int pdump_session_join(const struct pdump_origin *from)
{
    int err = pdump_turn_take(&turn);

    if (err < 0)
        return err;
    if (phase == PDUMP_PHASE_NEVER)
        origin = *from;
    pdump_turn_end(&turn);
    return PDUMP_OK;
}

/* Keeps what the child needs to know about its parent, then lets go of the
 * session. */
static void inherit(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);

    if (!*origin.root && path) {
        snprintf(origin.root, sizeof(origin.root), "%s", path);
        origin.root_pid = origin.parent;
    }
    pdump_store_forget(s->store);
    pdump_fd_reserve_close(&s->reserve);
    s->older = inherited;
    inherited = s;
}

void pdump_session_in_child(int64_t parent, bool may_follow)
{
    enum pdump_phase next = phase;

    if (*origin.run)
        origin.parent = parent;
    pdump_job_forget();
    pdump_last_forget(inherit);
    if (current) {
        next = current->settings.follow ? PDUMP_PHASE_NEVER : PDUMP_PHASE_CHILD;
        inherit(current);
        current = NULL;
    }
    if (next == PDUMP_PHASE_NEVER && !may_follow)
        next = PDUMP_PHASE_CHILD;
    phase = next;
    pdump_gate_set(next == PDUMP_PHASE_CHILD || next == PDUMP_PHASE_DISABLED
                       ? PDUMP_GATE_IDLE
                       : PDUMP_GATE_NONE);
    pdump_lock_renew(&turn);
    pdump_lock_renew(&lock);
}
