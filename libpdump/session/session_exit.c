/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends the session when the process exits, or when its MPI job ends. */
#include "session/session_load.h"
#include "session/session_private.h"
#include "session/session_write.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/process_state.h"
#include "system/write_guard.h"

#include <stdlib.h>

static int write_waiting(bool is_together)
{
    struct pdump_write_guard hold;
    int err = pdump_turn_take(&pdump_session_state.turn);

    if (err < 0)
        return err;
    pdump_write_guard_hold(&hold);
    pdump_session_begin_dump();
    pdump_session_write_waiting(is_together);
    pdump_session_end_dump();
    pdump_write_guard_release(&hold);
    pdump_turn_end(&pdump_session_state.turn);
    return PDUMP_OK;
}

/* Runs after the program's own atexit() handlers, which may still have
 * regions. */
__attribute__((destructor)) static void at_exit(void)
{
    if (pdump_process_is_sealed() || !pdump_process_is_own() ||
        pdump_session_is_dumping())
        return;
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        pdump_session_end_because(PDUMP_PHASE_EXITING);
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        return; /* the turn could not be taken */
    if (write_waiting(false) < 0)
        pdump_warn("turn",
                   "the process exits: %s; the records are kept: see "
                   "pdump recover",
                   pdump_last_error());
}

/* Runs before the destructors: if a destructor loaded a module, libraries that
 * have already ended would start again. */
static void before_exit(void)
{
    struct pdump_session *s =
        pdump_process_is_own() ? pdump_session_hold() : NULL;

    if (!s)
        return;
    pdump_session_load_for_end(s);
    pdump_session_let_go(s);
}

void pdump_session_watch_exit(void)
{
    static bool is_watched;

    if (!is_watched)
        is_watched = at_quick_exit(at_exit) == 0 && atexit(before_exit) == 0;
}

void pdump_session_at_job_end(void)
{
    struct pdump_error_kept kept;

    if (pdump_session_is_dumping() || pdump_process_is_sealed())
        return;
    pdump_error_keep(&kept);
    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        pdump_session_end_because(PDUMP_PHASE_JOB_ENDED);
    write_waiting(true);
    pdump_error_settle(&kept, PDUMP_OK); /* failures are warnings */
}
