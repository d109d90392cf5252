/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the libraries that a session needs, before a turn is taken (lock.h). */
#ifndef PDUMP_SESSION_LOAD_H
#define PDUMP_SESSION_LOAD_H

#include "session/session.h"

/* Returns true if nothing is to be recorded.  The user who starts a privileged
 * program must not be able to make it record; only the program itself can
 * request that, with pdump_set(). */
bool pdump_session_is_off(bool is_disabled);

/* Returns true if the user has switched recording off (PDUMP_DISABLE). */
bool pdump_session_is_disabled(void);

/* Returns true in that case, in a child that is not followed, and after the
 * program has restricted its system calls.  Calls that write then do nothing.
 */
bool pdump_session_is_idle(void);

/* Call this before a session starts. */
void pdump_session_load_counters(bool is_quick);

/* Call this before a dump is written: loads the modules for output formats and
 * for the names of functions. */
void pdump_session_load_modules(struct pdump_session *session);

/* The same before the last dump, unless the first process of the run will
 * collect the store and write it. */
void pdump_session_load_for_end(struct pdump_session *session);

#endif
