/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the session that threads and probes need.
 *
 * session/ is a higher layer: it knows the recorder and the dump, and writes
 * files.  Lower layers know only the functions declared here.
 */
#ifndef PDUMP_SESSION_LINK_H
#define PDUMP_SESSION_LINK_H

#include "record/recorder.h"

struct pdump_session;

/* The phase of the process. */
enum pdump_phase {
    PDUMP_PHASE_NEVER, /* no session yet: the first region starts one */
    PDUMP_PHASE_ACTIVE,
    PDUMP_PHASE_ENDED,     /* no session until pdump_init() */
    PDUMP_PHASE_JOB_ENDED, /* by MPI_Finalize(); no more is measured */
    PDUMP_PHASE_EXITING,   /* the process ends; threads may not know yet */
    PDUMP_PHASE_FAILED,    /* the first region's start failed */
    PDUMP_PHASE_DISABLED,  /* PDUMP_DISABLE=1 */
    PDUMP_PHASE_CHILD,     /* a child that is not followed */
    PDUMP_PHASE_SEALED,    /* no more system calls may be made */
};

enum pdump_phase pdump_session_phase(void);

/* Returns true if the calling thread is making a dump. */
bool pdump_session_is_dumping(void);

/* Called if later sessions belong to a `pdump run`, which has many processes,
 * most of them short-lived: by default they use counters that need no
 * descriptor. */
void pdump_session_be_quick(void);

/* Start a session on first use, if there never was one. */
int pdump_session_start_first(void);

/* End the session before the program restricts its system calls: from then on
 * libpdump makes none, and does not free what it holds.  The second function
 * reverses this. */
void pdump_session_seal(void);
void pdump_session_unseal(void);

/* End the session without a dump.  PDUMP_PHASE_NEVER: as if it had never
 * started, the next region starts a new one. */
int pdump_session_drop(enum pdump_phase next);

/* Stops the memory sampler.  Returns false if it was not running. */
bool pdump_session_stop_looking(void);

/* The first returns the active session and holds it, or NULL; the second
 * releases it. */
struct pdump_session *pdump_session_hold(void);
void pdump_session_let_go(struct pdump_session *session);
/* Hold a session once more that the caller holds already. */
void pdump_session_hold_again(struct pdump_session *session);

/* Returns what a thread needs to record into the session; valid while the
 * session is held. */
const struct pdump_recording *pdump_session_recording(
    const struct pdump_session *session);

/* Returns the number of the session, as in gate.h. */
unsigned pdump_session_number(const struct pdump_session *session);

/* In the child of a fork(): keep the recorder of the thread that forked, whose
 * memory cannot be freed here. */
void pdump_session_keep_forker(struct pdump_session *session,
                               const struct pdump_recorder *r);

#endif
