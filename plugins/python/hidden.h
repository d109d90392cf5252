/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Python functions of libpdump that run inside the program.
 *
 * The program's sys.settrace(), sys.setprofile() and sys.monitoring see no
 * events of them, because tracing is suspended on the thread while they run.
 * This needs CPython 3.11 or newer; in older versions they are called without
 * that.
 *
 * All of these are methods of the module.  They return C functions, because a
 * call of a Python function would already be seen.
 */
#ifndef PDUMP_HIDDEN_H
#define PDUMP_HIDDEN_H

#include "cpython.h"

/* hidden(function): returns a function that calls it unseen. */
pdump_py_function pdump_hidden;

/* then(function, hook): returns a function that calls function(...), seen, then
 * hook(result, args), unseen, and returns the result. */
pdump_py_function pdump_hidden_then;

/* first(hook, function): returns a function that calls hook(...), unseen, then
 * function(), seen, with the arguments that the hook has returned. */
pdump_py_function pdump_hidden_first;

/* execute(function, ...): calls it, seen.  After it returns, tracing is
 * suspended on this thread until come_back(), because the frames below are
 * libpdump's. */
pdump_py_function pdump_hidden_execute;
pdump_py_function pdump_hidden_come_back;

#endif
