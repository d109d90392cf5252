/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out who makes a call: the program, libpdump, or a child of vfork(). */
#ifndef PDUMP_IO_CALL_OWNER_H
#define PDUMP_IO_CALL_OWNER_H

#include "io_filter.h"

#include <stdatomic.h>

/* The filter of PDUMP_IO. */
extern struct pdump_io_filter pdump_io_filter;

/* Number of processes that run in our memory, as children of vfork() do until
 * they call exec().  Never 0 if they cannot be counted, or if a child can only
 * be recognised by its pid. */
extern _Atomic int pdump_io_vforks;

/* Returns true if calls of this process can be recorded: false before the
 * constructors have run, and in a child of vfork(), which must not change its
 * parent's memory. */
bool pdump_io_process_is_ours(void);

/* Returns true if another component starts the session and has not done so
 * yet. */
bool pdump_io_process_is_early(void);

/* Returns true if the return address lies in libpdump or libpdump-run.so. */
bool pdump_io_process_is_own_call(const void *caller);

/* Returns true if this thread has no record yet and runs a handler of a fatal
 * signal.  Then it may have been inside malloc(), which creating a record
 * needs. */
bool pdump_io_process_is_dying(void);

/* Notes that this thread has a record now. */
void pdump_io_process_is_known(void);

#endif
