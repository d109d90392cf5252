/* SPDX-License-Identifier: BSD-3-Clause */
/* Records calls of Python functions by sys.monitoring, from Python 3.12 on. */
#ifndef PDUMP_CALLS_BY_MONITORING_H
#define PDUMP_CALLS_BY_MONITORING_H

#include "cpython.h"

/* Sets sys.monitoring.DISABLE, which callbacks return for hidden code.
 * Kept. */
void pdump_monitor_use(void *disable);

/* Returns the result of a callback: DISABLE for hidden code, else None. */
void *pdump_monitor_never_if_hidden(void *code);

/* The callbacks, which instrumenter.py registers. */
pdump_py_fastcall pdump_monitor_start;  /* PY_START */
pdump_py_fastcall pdump_monitor_resume; /* PY_RESUME */
pdump_py_fastcall pdump_monitor_throw;  /* PY_THROW */
pdump_py_fastcall pdump_monitor_return; /* PY_RETURN */
pdump_py_fastcall pdump_monitor_yield;  /* PY_YIELD */
pdump_py_fastcall pdump_monitor_unwind; /* PY_UNWIND */
pdump_py_fastcall pdump_monitor_c_call; /* CALL */
pdump_py_fastcall pdump_monitor_c_end;  /* C_RETURN, C_RAISE */

#endif
