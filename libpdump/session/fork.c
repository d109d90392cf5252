/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles fork(): the parent continues, the child starts empty. */
#include "job/job.h"
#include "record/gate.h"
#include "record/symbols.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "session/session.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "source/source.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"

/* The gate of the forking thread before fork().  Its gate is shut during the
 * fork: in the child, where the store is gone, other fork handlers may run
 * before that of libpdump. */
static __thread unsigned gate;

static void start(void)
{
    pdump_gate_set(PDUMP_GATE_NONE);
}

/* Waits at most a second for all locks together: a fork is more important than
 * figures. */
static void before_fork(void)
{
    struct timespec until = pdump_turn_in(1);

    gate = pdump_self.gate;
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_job_before_fork(until);
    pdump_session_before_fork(until);
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
    pdump_session_in_parent();
    pdump_job_in_parent();
    pdump_self.gate = gate;
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
    pdump_thread_forget();
    pdump_session_in_child(parent, may_follow);
}

const struct pdump_process_handlers pdump_process_handlers = {
    .start = start,
    .before_fork = before_fork,
    .in_parent = in_parent,
    .in_child = in_child,
};
