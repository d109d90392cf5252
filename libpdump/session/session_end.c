/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends a session: stops recording, then writes the records, leaves them to
 * others, or removes them.
 */
#include "probe/program_region.h"
#include "record/gate.h"
#include "record/thread.h"
#include "session/api_profile.h"
#include "session/rss_sampler.h"
#include "session/session_load.h"
#include "session/session_output.h"
#include "session/session_private.h"
#include "session/session_write.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "stacks/stack_clock.h"
#include "store/store_event_file.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

static struct pdump_session_state *const state = &pdump_session_state;

struct ending {
    enum {
        USUAL,
        HOSTED,  /* of pdump run: only the records of other processes count */
        DROPPED, /* without a dump */
    } mode;
    enum pdump_phase next;
    /* HOSTED only: as in session.h */
    const char *name;
    void (*look)(const struct pdump_dump *dump, void *data);
    void *data;
};

/* What happens to the records of a session that has ended. */
enum fate {
    WRITTEN,
    WAITING, /* until the ranks write together, in MPI_Finalize() */
    LEFT,    /* in the store, for the first process of the run */
    REMOVED,
};

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

/* Takes the last dump if it will be written.  A loss is reported later. */
static enum fate take_records(struct pdump_session *s, const struct ending *e)
{
    switch (e->mode) {
    case DROPPED:
        return REMOVED;
    case HOSTED:
        pdump_session_output_take_last(s, false);
        return s->children.n > 0 ? WRITTEN : REMOVED;
    default:
        if (is_left_behind(s, e->next))
            return LEFT;
        pdump_session_output_take_last(s, true);
        return is_early(s, e->next) ? WAITING : WRITTEN;
    }
}

/* Returns the call that ends the session, or NULL. */
static const char *call_of(enum pdump_phase next)
{
    switch (next) {
    case PDUMP_PHASE_ENDED:
        return "finalize";
    case PDUMP_PHASE_JOB_ENDED:
        return "MPI_Finalize";
    default:
        return NULL;
    }
}

static enum fate session_stop(struct pdump_session *s, const struct ending *e)
{
    enum fate fate;

    pdump_rss_sampler_stop();
    pdump_timeline_writer_stop();
    pdump_stack_clock_stop();
    if (pdump_self.number == s->number) {
        /* MPI_Finalize() returns after the last dump, in which it has ended. */
        if (e->next == PDUMP_PHASE_JOB_ENDED)
            pdump_recorder_end_calls(&pdump_self);
        pdump_profile_finish(&pdump_self, call_of(e->next));
        pdump_program_finish(&pdump_self);
    }
    pdump_session_set(NULL, e->next);
    fate = take_records(s, e);
    pdump_log_keep_in(NULL);
    if (pdump_self.number == s->number)
        pdump_thread_leave();
    pdump_sources_close(&s->sources);
    return fate;
}

static int records_end(struct pdump_session *s, const struct ending *e)
{
    switch (session_stop(s, e)) {
    case WRITTEN:
        if (e->look)
            e->look(s->last, e->data);
        return pdump_session_write(s, e->name);
    case WAITING:
        pdump_session_write_later(s);
        return PDUMP_OK;
    case REMOVED:
        pdump_store_event_file_remove(s->beside, (char *)s->head);
        pdump_store_remove(s->store);
        break;
    case LEFT:
        break;
    }
    pdump_session_let_go(s);
    return PDUMP_OK;
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
        pdump_session_write_tell_loss(s);
    if (s)
        pdump_session_let_go(s);
}

/* The thread for signals may need the turn, so it is stopped first.  Then waits
 * while another thread writes a dump of the session. */
static int take_turn(void)
{
    int err = pdump_signals_stop();

    if (err >= 0)
        err = pdump_turn_take(&state->turn);
    if (err < 0 || !state->current)
        return err;
    err = pdump_turn_take(&state->current->lock);
    if (err >= 0)
        pdump_turn_end(&state->current->lock);
    else
        pdump_turn_end(&state->turn);
    return err;
}

static int session_end(const struct ending *e)
{
    struct pdump_write_guard hold;
    int err;

    pdump_write_guard_hold(&hold);
    if (e->mode == USUAL) {
        pdump_program_before_end();
        load_for_end(e->next);
    }
    err = take_turn();
    if (err >= 0) {
        err = state->current ? records_end(state->current, e)
                             : pdump_fail(PDUMP_ESTATE, "no session is active");
        pdump_turn_end(&state->turn);
    } else {
        tell_unended(e->next);
    }
    pdump_write_guard_release(&hold);
    return err;
}

int pdump_session_end_because(enum pdump_phase next)
{
    return session_end(&(struct ending){ .next = next });
}

int pdump_session_end(void)
{
    return pdump_session_end_because(PDUMP_PHASE_ENDED);
}

int pdump_session_drop(enum pdump_phase next)
{
    return session_end(&(struct ending){ .mode = DROPPED, .next = next });
}

int pdump_session_end_hosted(const char *name,
                             void (*look)(const struct pdump_dump *dump,
                                          void *data),
                             void *data)
{
    return session_end(&(struct ending){ .mode = HOSTED,
                                         .next = PDUMP_PHASE_EXITING,
                                         .name = name,
                                         .look = look,
                                         .data = data });
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
