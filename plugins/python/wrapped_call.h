/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that Python code stands in front of: regions with details per place in
 * the program.  For pdump.mpi. */
#ifndef PDUMP_PY_WRAPPED_CALL_H
#define PDUMP_PY_WRAPPED_CALL_H

#include "cpython.h"

/* callee(name): a number for call_begin(). */
void *pdump_calls_callee(void *self, void *name);

/* place(text): a number for call_end(). */
void *pdump_calls_place(void *self, void *text);

/* stack(callee): a number for it and the call stack of the function that calls
 * this one.  Equal stacks have equal numbers, as long as their code lives. */
void *pdump_calls_stack(void *self, void *callee);

/* call_begin(callee): is it recorded?  Only then there is a call_end(). */
void *pdump_calls_begin(void *self, void *callee);

/* call_end(place, bytes sent, bytes received, requests completed, their ns in
 * flight): of the innermost call. */
pdump_py_fastcall pdump_calls_end;

#endif
