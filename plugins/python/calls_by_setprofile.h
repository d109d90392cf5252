/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of Python functions by PyEval_SetProfile(): up to Python 3.11, and
 * later on request.
 */
#ifndef PDUMP_CALLS_BY_SETPROFILE_H
#define PDUMP_CALLS_BY_SETPROFILE_H

#include "cpython.h"

/* Start on all threads there are.  `hook` is the callable below, which
 * sys.getprofile() then shows: who puts it back by sys.setprofile() has us
 * back.
 */
void pdump_profile_start(void *hook, int wants_c_calls);

/* Stop.  If somebody else has taken our place he is left there, and we in the
 * other threads, doing nothing. */
void pdump_profile_stop(int is_ours);

/* hook(frame, event, arg): for threading.setprofile(); at its first call on a
 * thread the C function below takes its place. */
pdump_py_fastcall pdump_profile_hook;

/* A frame begins or goes on; it ends or waits.  For lines.c, too. */
void pdump_profile_called(void *frame);
void pdump_profile_returned(void *frame);

/* How many events there were, ever: tells whether we are still called. */
extern unsigned long pdump_profile_n_events;

#endif
