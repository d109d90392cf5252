/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions that have ended: their last dump is written, and they are dropped.
 *
 * Those of an MPI job wait for MPI_Finalize(), where it does no harm if a rank
 * does not come.  All of this under the lock of session.c.
 */
#ifndef PDUMP_SESSION_WRITE_H
#define PDUMP_SESSION_WRITE_H

#include "session/session.h"

/* Write what this process has, alone, and drop the session.  `name` is that of
 * the file, or NULL for the usual one. */
int pdump_last_write(struct pdump_session *s, const char *name);

/* Keep it for pdump_last_write_waiting(), behind those that wait. */
void pdump_last_wait(struct pdump_session *s);

/* Write and drop all that wait, in their order: together with the other ranks,
 * which may have another number of them, or alone. */
void pdump_last_write_waiting(bool is_together);

/* In a forked child: take each that waits out of the list. */
void pdump_last_forget(void (*each)(struct pdump_session *s));

/* The dump could not be written: say why, and what is left. */
void pdump_last_tell_loss(struct pdump_session *s);

/* Let go of a session that needs not be written. */
void pdump_last_drop(struct pdump_session *s);

#endif
