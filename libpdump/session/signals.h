/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles signals, on request (PDUMP_SIGNALS): notes them, or writes a dump. */
#ifndef PDUMP_SIGNALS_H
#define PDUMP_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Installs handlers for the signals of `list` ("TERM,INT,USR1"; unknown names
 * cause a warning).  TERM, INT, HUP and QUIT are noted in *note.  For USR1 and
 * USR2, a separate thread calls flush().  After that, the previous action of
 * the signal is taken. */
void pdump_signals_start(const char *list, _Atomic uint32_t *note,
                         int (*flush)(void));

/* Restores the previous actions.  PDUMP_ESTATE, and nothing has changed, if a
 * dump that a signal asked for is not written within the limit of lock.h. */
int pdump_signals_stop(void);

/* Returns true if there is a thread for USR1 and USR2. */
bool pdump_signals_has_thread(void);

/* In the child of a fork(): restores the previous actions; the thread does not
 * exist there. */
void pdump_signals_forked(void);

#endif
