/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files session*.c and fork.c share: see session.h. */
#ifndef PDUMP_SESSION_PRIVATE_H
#define PDUMP_SESSION_PRIVATE_H

#include "session/session.h"

#include <pthread.h>

/*
 * The session of this process.
 *
 * Sessions start and end one at a time.  The thread that has the turn may take
 * long, allocate memory, and call MPI.  Only calls that start or end a session
 * wait for the turn, and none of them waits forever: see lock.h.
 */
struct pdump_session_state {
    pthread_mutex_t turn;
    pthread_mutex_t lock;
    struct pdump_session *current; /* under the lock */
    _Atomic enum pdump_phase phase;
    /* The run that this process belongs to; known before its session starts. */
    struct pdump_origin origin;
};

extern struct pdump_session_state pdump_session_state;

/* Makes a session the current one, or none if it is NULL, and opens or shuts
 * the gate.  The caller has the turn. */
void pdump_session_set(struct pdump_session *s, enum pdump_phase phase);

/* Ends the session; `next` says why.  Writes the dump unless others do that:
 * the ranks of the job together, or the first process of the run. */
int pdump_session_end_because(enum pdump_phase next);

/* Call this when the first session starts: the last one ends with the
 * process. */
void pdump_session_watch_exit(void);

/* Called in MPI_Finalize(), the last moment at which the ranks can
 * communicate. */
void pdump_session_at_job_end(void);

#endif
