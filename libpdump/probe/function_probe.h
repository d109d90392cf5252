/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of compiled code: the hooks of -finstrument-functions, for
 * libpdump-cyg.so.
 *
 * A function's frame contains its address and stack pointer, so its end is
 * matched whatever has happened in between.  Functions that were left by
 * longjmp() end with it.  A function that was entered before recording began,
 * or while it was off, has no frame, and its end is ignored.  Regions of the
 * program that begin in one function and end in another stay as they are
 * (frame_reorder.h).
 */
#ifndef PDUMP_FUNCTION_PROBE_H
#define PDUMP_FUNCTION_PROBE_H

#include "base/error.h"

#include <stdbool.h>

/* `stack` is the stack pointer of the function.  At its end the pointer is the
 * same; or it is that of the caller, if the function has jumped to the hook as
 * its last instruction: then `is_tail` is true. */
PDUMP_SHARED void pdump_function_probe_enter(const void *function,
                                             const void *stack);
PDUMP_SHARED void pdump_function_probe_exit(const void *function,
                                            const void *stack, bool is_tail);

/* Called after dlclose(). */
PDUMP_SHARED void pdump_function_probe_unload(void);

#endif
