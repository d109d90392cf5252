/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles fork(): the parent continues, the child starts empty. */
#include "job/job.h"
#include "record/gate.h"
#include "record/symbols.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "session/session_private.h"
#include "session/session_write.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "source/source.h"
#include "stacks/stack_clock.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"

#include <stdio.h>

static struct pdump_session_state *const state = &pdump_session_state;

/* Sessions that a child of fork() has inherited from its parent: they are
 * neither freed nor lost.  Volatile, because only leak checkers read it. */
static struct pdump_session *volatile inherited;

/* Held by the thread that forks. */
static bool is_turn_held;
static struct pdump_session *output_held;

/* The gate of the forking thread before fork().  Its gate is shut during the
 * fork: in the child, where the store is gone, other fork handlers may run
 * before that of libpdump. */
static __thread unsigned gate;

static void gate_start(void)
{
    pdump_gate_set(PDUMP_GATE_NONE);
}

/* A child would inherit a half-written file and, when it exits, write the
 * contents of its buffers again: waits for the dump, but not forever. */
static void lock_session(struct timespec until)
{
    struct pdump_session *s;

    is_turn_held = pdump_turn_take_until(&state->turn, until);
    s = pdump_session_hold();
    if (s && !pdump_turn_take_until(&s->lock, until)) {
        pdump_session_let_go(s);
        s = NULL;
    }
    pthread_mutex_lock(&state->lock);
    output_held = s;
}

static void unlock_session(void)
{
    struct pdump_session *s = output_held;

    pthread_mutex_unlock(&state->lock);
    if (s) {
        pdump_turn_end(&s->lock);
        pdump_session_let_go(s);
    }
    if (is_turn_held)
        pdump_turn_end(&state->turn);
}

/* Waits at most a second for all locks together: a fork is more important than
 * figures. */
static void before_fork(void)
{
    struct timespec until = pdump_turn_in(1);

    pdump_stack_clock_before_fork();
    gate = pdump_self.gate;
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_job_before_fork(until);
    lock_session(until);
    pdump_rss_sampler_before_fork(until);
    pdump_sources_before_fork(until);
    pdump_symbols_lock(until);
    pdump_log_lock();
}

static void in_parent(void)
{
    pdump_log_unlock();
    pdump_symbols_unlock();
    pdump_sources_in_parent();
    pdump_rss_sampler_in_parent();
    unlock_session();
    pdump_job_in_parent();
    pdump_self.gate = gate;
    pdump_stack_clock_in_parent();
}

/* Keeps what the child needs to know about its parent, then lets go of the
 * session. */
static void session_inherit(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);

    if (!*state->origin.root && path) {
        snprintf(state->origin.root, sizeof(state->origin.root), "%s", path);
        state->origin.root_pid = state->origin.parent;
    }
    pdump_store_forget(s->store);
    pdump_fd_reserve_close(&s->reserve);
    s->older = inherited;
    inherited = s;
}

/* The child is followed if `may_follow` is true and PDUMP_FOLLOW asks for
 * it. */
static void leave_session(pid_t parent, bool may_follow)
{
    enum pdump_phase next = state->phase;

    if (*state->origin.run)
        state->origin.parent = parent;
    pdump_job_forget();
    pdump_session_write_forget(session_inherit);
    if (state->current) {
        next = state->current->settings.follow ? PDUMP_PHASE_NEVER
                                               : PDUMP_PHASE_CHILD;
        session_inherit(state->current);
        state->current = NULL;
    }
    if (next == PDUMP_PHASE_NEVER && !may_follow)
        next = PDUMP_PHASE_CHILD;
    state->phase = next;
    pdump_gate_set(next == PDUMP_PHASE_CHILD || next == PDUMP_PHASE_DISABLED
                       ? PDUMP_GATE_IDLE
                       : PDUMP_GATE_NONE);
    pdump_lock_renew(&state->turn);
    pdump_lock_renew(&state->lock);
}

static void in_child(pid_t parent, bool may_follow)
{
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_log_in_child();
    pdump_symbols_in_child();
    pdump_signals_forked();
    pdump_rss_sampler_forked();
    pdump_timeline_writer_forked();
    pdump_sources_forked();
    pdump_stack_clock_forked();
    pdump_thread_forget();
    leave_session(parent, may_follow);
}

const struct pdump_process_handlers pdump_process_handlers = {
    .start = gate_start,
    .before_fork = before_fork,
    .in_parent = in_parent,
    .in_child = in_child,
};
