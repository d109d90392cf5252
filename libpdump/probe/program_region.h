/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The region of a whole program, for libpdump-run.so: an outermost region of
 * group "program", which the program has not begun itself.
 *
 * The program cannot notice it: pdump_region_end() does not end it, it has no
 * parameters, and pdump_set() still works while it is the only region.
 */
#ifndef PDUMP_PROGRAM_REGION_H
#define PDUMP_PROGRAM_REGION_H

#include "record/recorder.h"

/* Enter the program's region on the calling thread, if no region is open there;
 * starts the session if there was none.  PDUMP_ESTATE after the end of the
 * session. */
PDUMP_SHARED int pdump_program_begin(const char *name);

/* Leave the region, if it is the innermost one of the calling thread.
 * `is_gone` is true if the process ends now, or becomes another program.  Takes
 * no lock and allocates nothing. */
PDUMP_SHARED int pdump_program_end(bool is_gone);

/* Called before _exit(): nothing more will be recorded. */
PDUMP_SHARED void pdump_program_close(void);

/* Mark the store of a process that was forked only to become another program,
 * so that the dump leaves it out, if it contains nothing but the program's
 * region.  Returns false if it contains more, or if that cannot be determined.
 * pdump_program_keep() removes the mark. */
PDUMP_SHARED bool pdump_program_void(void);
PDUMP_SHARED void pdump_program_keep(void);

/* Stop the memory sampler, because the program is about to make a call that
 * needs a process with one thread.  Returns false if it was not running. */
PDUMP_SHARED bool pdump_program_stop_looking(void);

/* Called before the program restricts its system calls, and after the kernel
 * has refused that.  In between nothing is recorded, and libpdump makes no
 * system call. */
PDUMP_SHARED void pdump_program_seal(void);
PDUMP_SHARED void pdump_program_unseal(void);
PDUMP_SHARED bool pdump_program_is_sealed(void);

/* Called before the process changes its rights or its view of the file system:
 * keeps files open that libpdump has to write to until the end. */
PDUMP_SHARED void pdump_program_keep_open(void);

/* Drop the session with all that it has recorded: no file is written,
 * and no other session starts by itself. */
PDUMP_SHARED int pdump_program_drop(void);

/* The first sets a function to be called before the session ends, on the thread
 * that ends it; the second calls it. */
PDUMP_SHARED void pdump_program_at_end(void (*function)(void));
void pdump_program_before_end(void);

/* Leave the region at the end of the session, on the thread of `r`. */
void pdump_program_finish(struct pdump_recorder *r);

/* The first returns true if the session contains nothing but the program's
 * region, so that nothing is lost if it is started again with other settings.
 * The second does that. */
bool pdump_program_is_alone(void);
int pdump_program_restart(void);

/* As pdump_program_restart(), if the settings in the environment have changed.
 */
int pdump_program_refresh(void);

#endif
