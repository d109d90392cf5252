/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads the libraries that a session needs, before a turn is taken (lock.h).
 *
 * dlopen() waits for a dlopen() in another thread, whose constructors may call
 * pdump_init(), pdump_flush() or pdump_finalize() and so wait for the turn.
 */
#include "session/session_load.h"
#include "record/symbols.h"
#include "session/session_output.h"
#include "system/env.h"

#include <string.h>

bool pdump_session_is_off(bool is_disabled)
{
    return is_disabled ||
           (pdump_env_is_privileged() && !pdump_settings_are_chosen());
}

static bool will_be_off(void)
{
    const char *disable = pdump_settings_value("PDUMP_DISABLE", pdump_env);

    return pdump_session_is_off(strcmp(disable, "1") == 0);
}

bool pdump_session_is_disabled(void)
{
    enum pdump_phase phase = pdump_session_phase();

    return phase == PDUMP_PHASE_DISABLED ||
           (phase == PDUMP_PHASE_NEVER && will_be_off());
}

bool pdump_session_is_idle(void)
{
    enum pdump_phase phase = pdump_session_phase();

    return phase == PDUMP_PHASE_CHILD || phase == PDUMP_PHASE_SEALED ||
           pdump_session_is_disabled();
}

void pdump_session_load_counters(bool is_quick)
{
    if (will_be_off())
        return;
    pdump_sources_load(pdump_settings_value("PDUMP_EVENTS", pdump_env),
                       pdump_settings_value("PDUMP_CODES", pdump_env),
                       pdump_settings_value("PDUMP_DELIMITER", pdump_env),
                       is_quick);
}

/* In a job, rank 0 writes for all.  The others load modules only if they have
 * to write their own file. */
void pdump_session_load_modules(struct pdump_session *s)
{
    /* What modules allocate and read is not recorded. */
    pdump_session_begin_dump();
    if (s->comm == &pdump_comm_solo || s->rank <= 0)
        pdump_session_output_load(s);
    pdump_symbols_load();
    pdump_session_end_dump();
}

void pdump_session_load_for_end(struct pdump_session *s)
{
    bool is_collected = s->origin.parent && pdump_store_is_whole(s->store) &&
                        pdump_run_children_goes_on(s->origin.root);

    if (!is_collected)
        pdump_session_load_modules(s);
}
