/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: ranks of an MPI job. */
#include "record/gate.h"
#include "record/thread.h"
#include "session/session.h"
#include "session/session_load.h"

#include <stdio.h>

int pdump_flush_comm(const void *comm, const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned gate = r->gate;
    struct pdump_error_kept kept;
    int err;

    if (pdump_session_is_idle())
        return PDUMP_OK;
    if (gate == PDUMP_GATE_INSIDE)
        return pdump_fail(PDUMP_ESTATE,
                          "called from a signal handler inside libpdump");
    pdump_error_keep(&kept);
    r->gate = PDUMP_GATE_INSIDE;
    err = pdump_error_settle(&kept, pdump_session_flush_group(comm, name));
    r->gate = gate;
    return err;
}

int pdump_flush_comm_f(int comm, const char *name, size_t len)
{
    const struct pdump_comm *job =
        pdump_session_is_idle() ? NULL : pdump_session_job();
    char text[256];

    if (pdump_session_is_idle())
        return PDUMP_OK;
    if (!job)
        return pdump_fail(PDUMP_ESTATE, "this process is in no MPI job");
    snprintf(text, sizeof(text), "%.*s", (int)(len < 200 ? len : 200), name);
    return pdump_flush_comm(job->from_fortran(comm), len ? text : NULL);
}

/* Pausing twice is the same as pausing once, as with MPI_Pcontrol(). */
static _Atomic int is_paused;

static int next_step(void)
{
    struct pdump_recorder *r = pdump_thread_self();
    int err = r->is_in_step ? pdump_end_step() : PDUMP_OK;

    if (err >= 0)
        err = pdump_start_step();
    if (err >= 0)
        r->is_in_pcontrol = r->is_in_step;
    return err;
}

int pdump_pcontrol(int level)
{
    switch (level) {
    case 0:
        return atomic_exchange(&is_paused, 1) ? PDUMP_OK
                                              : pdump_disable_recording_all();
    case 1:
        return atomic_exchange(&is_paused, 0) ? pdump_enable_recording_all()
                                              : PDUMP_OK;
    case 2:
        return next_step();
    default:
        return PDUMP_OK;
    }
}
