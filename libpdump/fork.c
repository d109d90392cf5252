/* SPDX-License-Identifier: BSD-3-Clause */
/* fork(): the parent goes on, the child starts empty. */
#include "fork.h"
#include "events_writer.h"
#include "gate.h"
#include "log.h"
#include "memory.h"
#include "session.h"
#include "signals.h"
#include "source.h"
#include "symbols.h"
#include "thread.h"

#include <pthread.h>

/* The gate of the forking thread, shut during the fork: handlers of others may
 * run before ours in the child, where the store is gone. */
static __thread unsigned gate;

static void before(void)
{
    gate = pdump_self.gate;
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_session_before_fork();
    pdump_memory_before_fork();
    pdump_sources_before_fork();
    pdump_symbols_lock();
    pdump_log_lock();
}

static void in_parent(void)
{
    pdump_log_unlock();
    pdump_symbols_unlock();
    pdump_sources_in_parent();
    pdump_memory_in_parent();
    pdump_session_in_parent();
    pdump_self.gate = gate;
}

static void in_child(void)
{
    pdump_log_in_child();
    pdump_symbols_unlock();
    pdump_signals_forked();
    pdump_memory_forked();
    pdump_events_forked();
    pdump_sources_forked();
    pdump_thread_forget();
    pdump_session_in_child();
}

static void watch(void)
{
    pthread_atfork(before, in_parent, in_child);
}

/* Before the first lock of ours can be taken: a child that is forked while
 * another thread starts the session must not inherit a lock that is held. */
__attribute__((constructor)) void pdump_fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, watch);
}
