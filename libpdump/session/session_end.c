/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends a session: stops recording, then writes the records, leaves them to
 * others, or removes them.
 */
#include "probe/program_region.h"
#include "record/gate.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "session/session_load.h"
#include "session/session_output.h"
#include "session/session_private.h"
#include "session/session_write.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "store/store_event_file.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

static struct pdump_session_state *const state = &pdump_session_state;

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
    pdump_session_set(NULL, next);
    is_left = is_left_behind(s, next);
    if (!is_left)
        pdump_session_output_take_last(s); /* a loss is reported later */
    close_recording(s);
    return !is_left;
}

/* Call this before taking the turn.  On exit, the modules have already been
 * loaded. */
static void load_for_end(enum pdump_phase next)
{
    struct pdump_session *s = pdump_session_hold();

    if (!s)
        return;
    pdump_session_look(&s->recording);
    if (next != PDUMP_PHASE_EXITING)
        pdump_session_load_for_end(s);
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
        err = pdump_turn_take(&state->turn);
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

int pdump_session_end_because(enum pdump_phase next)
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
    s = state->current;
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
    pdump_turn_end(&state->turn);
out:
    pdump_write_guard_release(&hold);
    return err;
}

int pdump_session_end(void)
{
    return pdump_session_end_because(PDUMP_PHASE_ENDED);
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
        pdump_session_end_because(PDUMP_PHASE_EXITING);
    }
    state->phase = PDUMP_PHASE_SEALED;
    pdump_process_seal(true);
    pdump_gate_set(PDUMP_GATE_IDLE);
}

void pdump_session_unseal(void)
{
    pdump_process_seal(false);
    state->phase = PDUMP_PHASE_NEVER;
    pdump_gate_set(PDUMP_GATE_NONE);
}

int pdump_session_drop(void)
{
    struct pdump_session *s;
    int err = pdump_signals_stop();

    if (err >= 0)
        err = pdump_turn_take(&state->turn);
    if (err < 0)
        return err;
    s = state->current;
    if (s) {
        pdump_rss_sampler_stop();
        pdump_timeline_writer_stop();
        pdump_session_set(NULL, PDUMP_PHASE_NEVER);
        close_recording(s);
        pdump_store_event_file_remove(s->beside, (char *)s->head);
        pdump_store_remove(s->store);
        pdump_last_drop(s);
    }
    pdump_turn_end(&state->turn);
    return s ? PDUMP_OK : pdump_fail(PDUMP_ESTATE, "no session is active");
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
    s = state->current;
    if (!s) {
        pdump_turn_end(&state->turn);
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    }
    pdump_rss_sampler_stop();
    pdump_timeline_writer_stop();
    pdump_session_set(NULL, PDUMP_PHASE_ENDED);
    pdump_session_output_take_hosted(s);
    close_recording(s);
    if (s->children.n > 0) {
        look(s->last, data);
        err = pdump_last_write(s, name);
    } else {
        pdump_store_remove(s->store);
        pdump_last_drop(s);
    }
    pdump_turn_end(&state->turn);
    return err;
}
