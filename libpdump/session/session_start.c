/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a session: on request, or when the first region begins. */
#include "job/job.h"
#include "record/gate.h"
#include "session/rss_sampler.h"
#include "session/session_load.h"
#include "session/session_private.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "stacks/stack_clock.h"
#include "store/store_metadata.h"
#include "system/env.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

enum { STACKS_SHARE = 4 /* of the store, at most one part of so many */ };

static struct pdump_session_state *const state = &pdump_session_state;
static unsigned last_number = PDUMP_GATE_FIRST - 1;
static atomic_bool is_quick;

void pdump_session_be_quick(void)
{
    is_quick = true;
}

/* A program is measured without stacks if they cannot be taken. */
static void stacks_start(struct pdump_session *s)
{
    int64_t share = s->settings.memory_max * 1024 * 1024 / STACKS_SHARE;
    char text[80];

    if (s->settings.stacks == 0)
        return;
    if (pdump_stack_clock_start(&s->recording, s->settings.stacks, share) < 0) {
        pdump_warn("PDUMP_STACKS", "no stacks are taken: %s",
                   pdump_last_error());
        return;
    }
    s->recording.watch = &pdump_stack_clock_watch;
    snprintf(text, sizeof(text), "CPU timer, %" PRId64 " a second",
             s->settings.stacks);
    pdump_store_metadata_add(s->store, "stacks_clock", text);
}

/* Makes an opened session the current one. */
static void session_activate(struct pdump_session *s)
{
    state->origin = s->origin;
    pthread_mutex_init(&s->lock, NULL);
    s->holders = 1;
    s->number = ++last_number;
    pdump_session_watch_exit();
    stacks_start(s);
    pdump_signals_start(s->settings.signals, &s->head->signal,
                        pdump_session_flush);
    pdump_session_set(s, PDUMP_PHASE_ACTIVE);
    pdump_rss_sampler_start(s);
    pdump_timeline_writer_start(s);
}

/* `is_asked`: the program called pdump_init(), so it can handle an error. */
static int session_make(bool is_asked)
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
        state->phase = PDUMP_PHASE_DISABLED;
        pdump_gate_set(PDUMP_GATE_IDLE);
        return PDUMP_OK;
    }
    if (!pdump_env_is_privileged())
        pdump_settings_check_names(environ);
    s->settings.is_quick = is_quick;
    s->settings.is_lenient = !is_asked || is_quick;
    s->origin = state->origin;
    err = pdump_session_open(s);
    if (err < 0) {
        pdump_settings_free(&s->settings);
        free(s);
        if (!is_asked) /* do not try again at every region */
            state->phase = PDUMP_PHASE_FAILED;
        return err;
    }
    session_activate(s);
    return PDUMP_OK;
}

/* A program that calls pdump_init() in a job does so on every rank.  So this is
 * the moment to compare clocks, if there will be a timeline. */
static void clocks_align(void)
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
    err = pdump_turn_take(&state->turn);
    if (err < 0) {
        pdump_warn("turn", "no session is started: %s", pdump_last_error());
        return err;
    }
    if (!state->current)
        err = session_make(true);
    pdump_turn_end(&state->turn);
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
        clocks_align();
    pdump_write_guard_release(&hold);
    return err;
}

int pdump_session_start_first(void)
{
    int err = PDUMP_OK;

    if (pdump_session_phase() != PDUMP_PHASE_NEVER)
        return err;
    pdump_session_load_counters(is_quick);
    if (!pdump_turn_take_until(&state->turn, pdump_turn_in(1)))
        return pdump_fail(PDUMP_ESTATE,
                          "another thread has been starting it for a second");
    if (state->phase == PDUMP_PHASE_NEVER)
        err = session_make(false);
    pdump_turn_end(&state->turn);
    pdump_session_job();
    return err;
}

int pdump_session_join(const struct pdump_origin *from)
{
    int err = pdump_turn_take(&state->turn);

    if (err < 0)
        return err;
    if (state->phase == PDUMP_PHASE_NEVER)
        state->origin = *from;
    pdump_turn_end(&state->turn);
    return PDUMP_OK;
}
