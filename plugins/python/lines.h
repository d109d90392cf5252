/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records lines of Python functions in the table "lines": by sys.monitoring
 * from Python 3.12 on, by PyEval_SetTrace() before.
 *
 * The functions are those that code_object.h has a name for; they are regions,
 * too.  The time of a line is from its event to the next event of the same
 * frame: another line, or the end of the frame (or a yield).  It includes
 * everything that is called in between.
 */
#ifndef PDUMP_LINES_H
#define PDUMP_LINES_H

#include "cpython.h"

/* As pdump_profile_start(), _stop() and _hook(), but with PyEval_SetTrace(). */
void pdump_lines_start(void *hook);
void pdump_lines_stop(int is_ours);
pdump_py_fastcall pdump_lines_hook;

/* The callbacks for sys.monitoring, which lines.py registers. */
pdump_py_fastcall pdump_lines_on_start;
pdump_py_fastcall pdump_lines_on_resume;
pdump_py_fastcall pdump_lines_on_throw;
pdump_py_fastcall pdump_lines_on_return;
pdump_py_fastcall pdump_lines_on_yield;
pdump_py_fastcall pdump_lines_on_unwind;
pdump_py_fastcall pdump_lines_on_line;

#endif
