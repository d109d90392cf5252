/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The region of a whole program, for libpdump-run.so: an outermost region of
 * group "program" that nobody in the program has begun.
 *
 * To the program it is not there: it cannot be ended by pdump_region_end(),
 * has no parameters, and pdump_set() still works while it is all there is.
 */
#ifndef PDUMP_PROGRAM_REGION_H
#define PDUMP_PROGRAM_REGION_H

#include "record/recorder.h"

/* Enter it on the calling thread, if nothing is open there; starts the session
 * if there was none.  PDUMP_ESTATE after the session's end. */
PDUMP_SHARED int pdump_program_begin(const char *name);

/* Leave it, if it is the innermost region of the calling thread.  `is_gone`:
 * the process ends now, or becomes another program.  Takes no lock, allocates
 * nothing. */
PDUMP_SHARED int pdump_program_end(bool is_gone);

/* Nothing comes after it: _exit(). */
PDUMP_SHARED void pdump_program_close(void);

/* A process that was forked only to become another program need not be in the
 * dump: mark its store so if there is nothing in it but the program's region.
 * False: there is, or it cannot be told.  pdump_program_keep() takes it back.
 */
PDUMP_SHARED bool pdump_program_void(void);
PDUMP_SHARED void pdump_program_keep(void);

/* Memory over time ends here: the program is about to do what only a process
 * with one thread can.  False: there was none. */
PDUMP_SHARED bool pdump_program_stop_looking(void);

/* Called before the program restricts its system calls, and after the kernel
 * has refused that.  In between nothing is recorded, and libpdump makes no
 * system call. */
PDUMP_SHARED void pdump_program_seal(void);
PDUMP_SHARED void pdump_program_unseal(void);
PDUMP_SHARED bool pdump_program_is_sealed(void);

/* Called before the process changes its rights or its view of the file system:
 * files that libpdump has to write to until the end are kept open. */
PDUMP_SHARED void pdump_program_keep_open(void);

/* To be called before the session ends, on the thread that ends it; and do so.
 */
PDUMP_SHARED void pdump_program_at_end(void (*function)(void));
void pdump_program_before_end(void);

/* Leave it at the end of the session, whose thread is `r`. */
void pdump_program_finish(struct pdump_recorder *r);

/* Is it all that the session has, so that nothing is lost if the session is
 * started again with other settings?  And do that. */
bool pdump_program_is_alone(void);
int pdump_program_restart(void);

/* As pdump_program_restart(), if the environment has other settings now. */
int pdump_program_refresh(void);

#endif
