/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads and probes ask of the session that they record into.
 *
 * The session is above them: it knows the recorder, and the dump, and writes
 * files.  They know no more of it than is declared here.
 */
#ifndef PDUMP_SESSION_LINK_H
#define PDUMP_SESSION_LINK_H

#include "record/recorder.h"

struct pdump_session;

/* What the process is doing. */
enum pdump_phase {
    PDUMP_PHASE_NEVER, /* no session yet: the first region starts one */
    PDUMP_PHASE_ACTIVE,
    PDUMP_PHASE_ENDED,     /* until pdump_init() */
    PDUMP_PHASE_JOB_ENDED, /* by MPI_Finalize(); so is the measurement */
    PDUMP_PHASE_EXITING,   /* so is the process; threads may not know it yet */
    PDUMP_PHASE_FAILED,    /* could not start; until pdump_init() */
    PDUMP_PHASE_DISABLED,  /* PDUMP_DISABLE=1 */
    PDUMP_PHASE_CHILD,     /* of this process, not followed */
    PDUMP_PHASE_SEALED,    /* no more system calls may be made */
};

enum pdump_phase pdump_session_phase(void);

/* Returns true if the calling thread makes a dump. */
bool pdump_session_is_dumping(void);

/* Later sessions belong to a `pdump run`, which has many processes, most of
 * them short-lived: by default they use the counters that need not be opened.
 */
void pdump_session_be_quick(void);

/* Start a session if there never was one: on first use. */
int pdump_session_start_first(void);

/* End it before the program restricts its system calls: from then on libpdump
 * makes none, and does not free what it holds.  The second reverses this. */
void pdump_session_seal(void);
void pdump_session_unseal(void);

/* End it without a dump, as if it had not been; the next region starts one. */
int pdump_session_drop(void);

/* Stops the memory sampler.  Returns false if it was not running. */
bool pdump_session_stop_looking(void);

/* The active session, held, or NULL. */
struct pdump_session *pdump_session_hold(void);
void pdump_session_let_go(struct pdump_session *session);
/* The same for one that the caller holds already. */
void pdump_session_hold_again(struct pdump_session *session);

/* What a thread that records into the session needs; valid while it is held. */
const struct pdump_recording *pdump_session_recording(
    const struct pdump_session *session);

/* The number of the session, as in gate.h. */
unsigned pdump_session_number(const struct pdump_session *session);

/* In the child of a fork(): keep the recorder of the thread that forked, whose
 * memory cannot be freed here. */
void pdump_session_keep_forker(struct pdump_session *session,
                               const struct pdump_recorder *r);

#endif
