/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose call it is: the program's, libpdump's, or that of a child of vfork().
 */
#ifndef PDUMP_IO_CALL_OWNER_H
#define PDUMP_IO_CALL_OWNER_H

#include "io_filter.h"

#include <stdatomic.h>

/* From PDUMP_IO. */
extern struct pdump_io_filter pdump_io_filter;

/* Processes that run in our memory, as children of vfork() do until they become
 * another program; never 0 if that cannot be counted, or if only its pid
 * identifies a child. */
extern _Atomic int pdump_io_vforks;

/* Is there somebody to record for?  Not before the constructors, nor in a child
 * of vfork(), which must leave its parent's memory alone. */
bool pdump_io_process_is_ours(void);

/* Is the session somebody else's to start, who has not yet? */
bool pdump_io_process_is_early(void);

/* Does this return address lie in libpdump? */
bool pdump_io_process_is_own_call(const void *caller);

/* Is this thread new here, and in a handler of a signal that the program dies
 * of?  Then it may be in malloc(), which the beginning of a record needs. */
bool pdump_io_process_is_dying(void);

/* This thread has a record now. */
void pdump_io_process_is_known(void);

#endif
