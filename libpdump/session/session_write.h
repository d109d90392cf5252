/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the last dumps of sessions that have ended, and drops the sessions.
 *
 * The sessions of an MPI job wait for MPI_Finalize(), where it does no harm if
 * a rank does not come.  All functions are called under the turn of
 * session_private.h.
 */
#ifndef PDUMP_SESSION_WRITE_H
#define PDUMP_SESSION_WRITE_H

#include "session/session.h"

/* Writes the dump of this process alone, and drops the session.  `name` is that
 * of the file, or NULL for the usual one. */
int pdump_session_write(struct pdump_session *s, const char *name);

/* Appends the session to the list for pdump_session_write_waiting(). */
void pdump_session_write_later(struct pdump_session *s);

/* Writes and drops all waiting sessions, in order: together with the other
 * ranks, which may have more or fewer of them, or alone. */
void pdump_session_write_waiting(bool is_together);

/* In a forked child: removes all waiting sessions from the list, and calls
 * each() for them. */
void pdump_session_write_forget(void (*each)(struct pdump_session *s));

/* Warns that the dump could not be written, why, and what is left. */
void pdump_session_write_tell_loss(struct pdump_session *s);

#endif
