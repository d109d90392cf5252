/* SPDX-License-Identifier: BSD-3-Clause */
/* The session of this process: who holds it, its phase, and its job. */
#include "session/session.h"
#include "job/job.h"
#include "record/gate.h"
#include "session/rss_sampler.h"
#include "session/session_private.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"

#include <stdlib.h>
#include <string.h>

struct pdump_session_state pdump_session_state = {
    .turn = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
};

enum pdump_phase pdump_session_phase(void)
{
    return pdump_process_is_sealed() || pdump_process_is_known()
               ? atomic_load_explicit(&pdump_session_state.phase,
                                      memory_order_relaxed)
               : PDUMP_PHASE_CHILD;
}

void pdump_session_set(struct pdump_session *s, enum pdump_phase phase)
{
    pthread_mutex_lock(&pdump_session_state.lock);
    pdump_session_state.current = s;
    pthread_mutex_unlock(&pdump_session_state.lock);
    pdump_session_state.phase = phase;
    pdump_gate_set(s ? s->number : PDUMP_GATE_NONE);
}

struct pdump_session *pdump_session_hold(void)
{
    struct pdump_session *s;

    if (!pdump_process_is_known())
        return NULL;
    pthread_mutex_lock(&pdump_session_state.lock);
    s = pdump_session_state.current;
    if (s)
        pdump_session_hold_again(s);
    pthread_mutex_unlock(&pdump_session_state.lock);
    return s;
}

void pdump_session_hold_again(struct pdump_session *s)
{
    atomic_fetch_add(&s->holders, 1);
}

void pdump_session_let_go(struct pdump_session *s)
{
    if (pdump_process_is_sealed() || atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    pdump_fd_reserve_close(&s->reserve);
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

const struct pdump_recording *pdump_session_recording(
    const struct pdump_session *s)
{
    return &s->recording;
}

unsigned pdump_session_number(const struct pdump_session *s)
{
    return s->number;
}

void pdump_session_keep_forker(struct pdump_session *s,
                               const struct pdump_recorder *r)
{
    s->forker = *r;
}

static struct pdump_session *session_of(const struct pdump_recording *recording)
{
    return (struct pdump_session *)((char *)recording -
                                    offsetof(struct pdump_session, recording));
}

/* Warns on the launcher's first process only: MPI says that each is rank 0, and
 * may have set variables that say so, too. */
static void check_launcher(const struct pdump_comm *comm)
{
    int rank = 0, n = pdump_job_guess_size(&rank);

    if (n <= 1 || comm->size() != 1)
        return;
    pdump_log_set_rank(rank);
    pdump_warn("launcher",
               "the launcher started %d processes, but MPI says that each of "
               "them is alone, and each writes its own file: use the mpirun of "
               "the MPI that the program was built with",
               n);
}

void pdump_session_look(const struct pdump_recording *recording)
{
    struct pdump_session *s = session_of(recording);
    const struct pdump_comm *comm;
    struct pdump_error_kept kept;

    if (s->comm != &pdump_comm_solo || strcmp(s->settings.ranks, "own") == 0)
        return;
    pdump_error_keep(&kept);
    comm = pdump_job_find(&s->settings, pdump_session_at_job_end);
    pdump_error_settle(&kept, PDUMP_OK);
    if (!comm)
        return;
    check_launcher(comm);
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

bool pdump_session_stop_looking(void)
{
    bool was_looking;

    if (pdump_turn_take(&pdump_session_state.turn) < 0)
        return false;
    was_looking = pdump_rss_sampler_is_running();
    pdump_rss_sampler_stop();
    pdump_turn_end(&pdump_session_state.turn);
    return was_looking;
}
