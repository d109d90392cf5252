/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: each has its recorder, is attached on first use and detached at its
 * end. */
#include "record/thread.h"
#include "record/gate.h"
#include "record/session_link.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

#include <stdlib.h>

__thread struct pdump_recorder pdump_self = { .gate = PDUMP_GATE_UNKNOWN };

/* The session that the recorder belongs to. */
static __thread struct pdump_session *session;

/* The key for the end of threads, plus 1; 0 if there is none yet.  Does not use
 * pthread_once(), which a forked child could find unfinished forever. */
static _Atomic unsigned long key;

/* Close the recorder, but stay inside: the caller opens the gate, or not. */
static void thread_detach(struct pdump_recorder *r)
{
    r->gate = PDUMP_GATE_INSIDE;
    if (!session || pdump_session_phase() == PDUMP_PHASE_SEALED)
        return;
    pdump_recorder_close(r);
    pdump_session_let_go(session);
    session = NULL;
}

static void at_thread_end(void *unused)
{
    (void)unused;
    if (pdump_process_is_own())
        pdump_thread_leave();
}

static void watch_end(struct pdump_recorder *r)
{
    unsigned long none = 0;
    pthread_key_t made;

    if (!key && pthread_key_create(&made, at_thread_end) == 0 &&
        !atomic_compare_exchange_strong(&key, &none, made + 1ul))
        pthread_key_delete(made);
    if (key)
        pthread_setspecific((pthread_key_t)(key - 1), r);
}

void pdump_thread_leave(void)
{
    thread_detach(&pdump_self);
    pdump_self.gate = PDUMP_GATE_UNKNOWN;
}

struct pdump_session *pdump_thread_hold(void)
{
    pdump_session_hold_again(session);
    return session;
}

void pdump_thread_forget(void)
{
    /* Its memory is not freed: the allocator's lock may be held by a thread
     * that does not exist in this process.  The parent's counters are not
     * closed either. */
    if (session)
        pdump_session_keep_forker(session, &pdump_self);
    pdump_self = (struct pdump_recorder){ .gate = PDUMP_GATE_UNKNOWN };
    session = NULL;
}

/* Returns the result of a call if there is no session to attach to. */
static int explain_closed_gate(struct pdump_recorder *r)
{
    r->gate = PDUMP_GATE_UNKNOWN;
    switch (pdump_session_phase()) {
    case PDUMP_PHASE_DISABLED:
    case PDUMP_PHASE_CHILD:
    case PDUMP_PHASE_JOB_ENDED:
        return PDUMP_NOTHING;
    case PDUMP_PHASE_EXITING:
        return pdump_fail(PDUMP_ESTATE, "the process is exiting");
    case PDUMP_PHASE_FAILED:
        return pdump_fail(PDUMP_ESOURCE,
                          "libpdump could not start, nothing is recorded");
    default:
        return pdump_recorder_misuse("after finalize",
                                     "libpdump was finalized; what follows is "
                                     "not recorded");
    }
}

static int thread_attach_held(struct pdump_recorder *r)
{
    struct pdump_session *s;
    int err;

    thread_detach(r);
    if (pdump_session_phase() == PDUMP_PHASE_NEVER) {
        err = pdump_session_start_first();
        if (err < 0 && pdump_session_phase() != PDUMP_PHASE_ACTIVE) {
            pdump_log_speak(); /* the dump of the other ranks lacks this one */
            pdump_warn("start", "nothing is recorded: %s", pdump_last_error());
            r->gate = PDUMP_GATE_UNKNOWN;
            return err;
        }
    }
    s = pdump_session_hold();
    if (!s)
        return explain_closed_gate(r);
    watch_end(r);
    err = pdump_recorder_open(r, pdump_session_recording(s));
    if (err < 0) {
        pdump_session_let_go(s);
        r->gate = PDUMP_GATE_UNKNOWN;
        pdump_warn("thread memory", "a thread is not recorded: %s",
                   pdump_last_error());
        return err;
    }
    session = s;
    r->number = pdump_session_number(s);
    r->known_by = r->number;
    return PDUMP_OK;
}

static int thread_attach(struct pdump_recorder *r)
{
    struct pdump_error_kept kept;
    struct pdump_write_guard hold;
    int err;

    pdump_error_keep(&kept);
    pdump_write_guard_hold(&hold);
    err = thread_attach_held(r);
    pdump_write_guard_release(&hold);
    return pdump_error_settle(&kept, err);
}

int pdump_thread_ready(struct pdump_recorder *r)
{
    int err;

    if (!pdump_process_is_known())
        return PDUMP_NOTHING;
    if (r->gate == PDUMP_GATE_INSIDE) {
        if (r->record)
            r->record->reentered++;
        return pdump_fail(PDUMP_ESTATE,
                          "called from a signal handler inside libpdump");
    }
    if (pdump_session_phase() == PDUMP_PHASE_SEALED)
        return PDUMP_NOTHING;
    if (r->number != pdump_gate_number()) {
        err = thread_attach(r);
        if (err)
            return err;
    }
    r->gate = PDUMP_GATE_INSIDE;
    atomic_signal_fence(memory_order_seq_cst);
    return r->off || r->is_step_off || pdump_gate_is_off() ? PDUMP_SKIP
                                                           : PDUMP_READY;
}

int pdump_thread_go(struct pdump_recorder *r)
{
    int ready = pdump_thread_ready(r);

    if (ready == PDUMP_READY)
        return 1;
    if (ready == PDUMP_SKIP)
        pdump_thread_done(r);
    return ready < 0 ? ready : PDUMP_OK;
}
