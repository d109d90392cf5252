/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of Python functions, in the table "lines": by sys.monitoring from
 * Python 3.12 on, by PyEval_SetTrace() before.
 *
 * The functions are those that code_object.h has a name for; they are regions,
 * too. The time of a line is from its event to the next one of the same frame,
 * be that another line or the end of the frame (a yield is one), with all that
 * is called in between.
 */
#ifndef PDUMP_LINES_H
#define PDUMP_LINES_H

#include "cpython.h"

/* As pdump_profile_start(), _stop() and _hook(), but by PyEval_SetTrace(). */
void pdump_lines_start(void *hook);
void pdump_lines_stop(int is_ours);
pdump_py_fastcall pdump_lines_hook;

/* The callbacks for sys.monitoring, to be registered by lines.py. */
pdump_py_fastcall pdump_lines_on_start;
pdump_py_fastcall pdump_lines_on_resume;
pdump_py_fastcall pdump_lines_on_throw;
pdump_py_fastcall pdump_lines_on_return;
pdump_py_fastcall pdump_lines_on_yield;
pdump_py_fastcall pdump_lines_on_unwind;
pdump_py_fastcall pdump_lines_on_line;

#endif
