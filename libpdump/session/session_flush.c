/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes dumps of the active session, which continues. */
#include "record/symbols.h"
#include "record/thread.h"
#include "session/session_load.h"
#include "session/session_output.h"
#include "system/write_guard.h"

/* Above 0 while this thread makes a dump.  If a signal handler then calls
 * exit(), the dump at exit would wait for this one forever; so the store is
 * left instead. */
static __thread int n_dumping;

bool pdump_session_is_dumping(void)
{
    return n_dumping > 0;
}

void pdump_session_begin_dump(void)
{
    n_dumping++;
}

void pdump_session_end_dump(void)
{
    n_dumping--;
}

static int session_flush(const struct pdump_session_output_order *order)
{
    struct pdump_session *s = pdump_session_hold();
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    pdump_session_load_modules(s);
    pdump_session_begin_dump();
    err = pdump_session_output_write(s, order);
    pdump_session_end_dump();
    pdump_session_let_go(s);
    return err;
}

int pdump_session_flush(void)
{
    return session_flush(&(struct pdump_session_output_order){ .name = NULL });
}

int pdump_session_flush_group(const void *group, const char *name)
{
    if (!pdump_session_job())
        return pdump_fail(PDUMP_ESTATE, "this process is in no MPI job");
    return session_flush(&(struct pdump_session_output_order){
        .is_together = true, .group = group, .what = 1, .name = name });
}

int pdump_session_dump(bool has_events, struct pdump_dump **out)
{
    struct pdump_session *s = pdump_session_hold();
    unsigned gate = pdump_self.gate;
    struct pdump_error_kept kept;
    struct pdump_write_guard hold;
    int err;

    if (!s)
        return pdump_fail(PDUMP_ESTATE, "no session is active");
    pdump_error_keep(&kept);
    /* What libpdump itself reads here is not recorded. */
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_write_guard_hold(&hold);
    pdump_session_begin_dump();
    pdump_symbols_load();
    err = pdump_session_output_dump(s, has_events, out);
    pdump_session_end_dump();
    pdump_write_guard_release(&hold);
    pdump_self.gate = gate;
    pdump_session_let_go(s);
    return pdump_error_settle(&kept, err);
}
