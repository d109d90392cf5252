/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals, on request (PDUMP_SIGNALS): noted, or a reason to write a dump. */
#ifndef PDUMP_SIGNALS_H
#define PDUMP_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Handle the signals of `list` ("TERM,INT,USR1"; unknown ones cost a warning):
 * TERM, INT, HUP and QUIT are noted in *note, USR1 and USR2 have flush() called
 * by a thread made for it; then what was there before is done. */
void pdump_signals_start(const char *list, _Atomic uint32_t *note,
                         int (*flush)(void));

/* Put back what was there before.  PDUMP_ESTATE, and nothing has changed, if a
 * dump that a signal asked for is not written within the limit of lock.h. */
int pdump_signals_stop(void);

/* Is there a thread for USR1 and USR2? */
bool pdump_signals_has_thread(void);

/* In the child of a fork(): the same; the thread is not there. */
void pdump_signals_forked(void);

#endif
