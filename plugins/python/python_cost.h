/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of visits in Python: _visit_cost.py measures it, libpdump keeps it.
 * All of these are methods of the module.
 */
#ifndef PDUMP_PYTHON_COST_H
#define PDUMP_PYTHON_COST_H

#include "cpython.h"

#include <stdbool.h>

/* cost_begin(): what this thread records from here to cost_end() is thrown
 * away.  Returns 0 if that is not possible; then do not call cost_end(). */
void *pdump_cost_begin(void *self, void *unused);

/* cost_end(): returns the shortest visit in ps; 0 if there was none. */
void *pdump_cost_end(void *self, void *unused);

/* cost_keep(is_function, cost of a visit, part inside of it), in ps. */
void *pdump_cost_keep(void *self, void *const *args, intptr_t n_args);

/* cost_ask(callable): it is called once, before the first `with` block of a
 * region that is in no other region on its thread.  It may start the session.
 */
void *pdump_cost_ask(void *self, void *callable);

/* Calls it, the first time.  Returns false if it has raised an exception, which
 * a signal handler of the program may have done. */
bool pdump_cost_first_block(void);

/* cost_is_known(is_function) */
void *pdump_cost_is_known(void *self, void *is_function);

#endif
