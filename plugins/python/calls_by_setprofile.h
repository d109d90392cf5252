/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records calls of Python functions by PyEval_SetProfile(): up to Python 3.11,
 * and later on request.
 */
#ifndef PDUMP_CALLS_BY_SETPROFILE_H
#define PDUMP_CALLS_BY_SETPROFILE_H

#include "cpython.h"

/* Starts on all existing threads.  `hook` is the callable below, which
 * sys.getprofile() then returns: a program that restores it with
 * sys.setprofile() turns the recording on again. */
void pdump_profile_start(void *hook, int wants_c_calls);

/* Stops.  If another tool has replaced the hook (`is_ours` is 0), its hook
 * stays, and ours stays on the other threads and does nothing. */
void pdump_profile_stop(int is_ours);

/* hook(frame, event, arg): for threading.setprofile().  At its first call on a
 * thread it is replaced by a C function. */
pdump_py_fastcall pdump_profile_hook;

/* A frame begins or continues; a frame ends or is suspended.  Also called by
 * lines.c. */
void pdump_profile_called(void *frame);
void pdump_profile_returned(void *frame);

/* Number of all events so far: shows whether the hook is still called. */
extern unsigned long pdump_profile_n_events;

#endif
