/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of compiled code: what -finstrument-functions calls, for
 * libpdump-cyg.so.
 *
 * A function's frame knows its address and where the stack was.  So its end
 * finds it whatever has happened in between: functions that were left by
 * longjmp() end with it; one that was entered before recording began, or while
 * it was off, is not there, and nothing happens.  Regions of the program that
 * are begun in one function and ended in another are left alone
 * (frame_reorder.h).
 */
#ifndef PDUMP_FUNCTION_PROBE_H
#define PDUMP_FUNCTION_PROBE_H

#include "base/error.h"

#include <stdbool.h>

/* `stack` is the stack pointer of the function.  At its end that is the same,
 * or, if it has jumped to the hook as the last thing it does, that of its
 * caller: `is_tail`. */
PDUMP_SHARED void pdump_function_probe_enter(const void *function,
                                             const void *stack);
PDUMP_SHARED void pdump_function_probe_exit(const void *function,
                                            const void *stack, bool is_tail);

/* After dlclose(). */
PDUMP_SHARED void pdump_function_probe_unload(void);

#endif
