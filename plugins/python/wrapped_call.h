/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are wrapped by Python code: regions with details per call site.
 * Used by pdump.mpi. */
#ifndef PDUMP_PY_WRAPPED_CALL_H
#define PDUMP_PY_WRAPPED_CALL_H

#include "cpython.h"

/* callee(name): returns a number for call_begin(). */
void *pdump_calls_callee(void *self, void *name);

/* place(text): returns a number for call_end(). */
void *pdump_calls_place(void *self, void *text);

/* stack(callee): returns a number for the callee and the call stack of the
 * calling function.  Equal stacks have equal numbers, as long as their code
 * objects exist. */
void *pdump_calls_stack(void *self, void *callee);

/* call_begin(callee): returns whether the call is recorded.  Only then
 * call_end() must follow. */
void *pdump_calls_begin(void *self, void *callee);

/* call_end(place, bytes sent, bytes received, requests completed, their ns in
 * flight): ends the innermost call. */
pdump_py_fastcall pdump_calls_end;

#endif
