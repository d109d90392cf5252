/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Python functions of ours that run inside of the program.
 *
 * The program's sys.settrace(), sys.setprofile() and sys.monitoring see no
 * event of them: tracing is suspended on the thread meanwhile.  CPython can do
 * so from 3.11 on; before, they are called as they are.
 *
 * All of these are methods of the module.  What they return is a function in C,
 * because the call of a function in Python would be seen already.
 */
#ifndef PDUMP_HIDDEN_H
#define PDUMP_HIDDEN_H

#include "cpython.h"

/* hidden(function): calls it, unseen. */
pdump_py_function pdump_hidden;

/* then(function, hook): calls function(...), seen, then hook(result, args),
 * unseen.  Returns the result. */
pdump_py_function pdump_hidden_then;

/* first(hook, function): calls hook(...), unseen, then function(), seen, with
 * the arguments that the hook has returned. */
pdump_py_function pdump_hidden_first;

/* execute(function, ...): calls it, seen.  Nothing is seen after that on this
 * thread, until come_back(): the frames below are ours. */
pdump_py_function pdump_hidden_execute;
pdump_py_function pdump_hidden_come_back;

#endif
