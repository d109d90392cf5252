/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs long work that may be interrupted.
 *
 * A child does the work, and this process waits for it: whatever ends the child
 * (Ctrl-C, a kill, a crash), this process removes its unfinished files
 * afterwards.  Meanwhile a line on the terminal shows the progress, at no cost
 * for the work.
 */
#ifndef PDUMP_GUARD_H
#define PDUMP_GUARD_H

#include "command.h"

/* Calls work(data), which returns an exit code and writes to `dir` by
 * pdump_output_file_write(); both are borrowed.  Returns twice, in the child
 * and here, with that code: the caller must then end without doing anything
 * else.  If a signal ends the work, it ends this process, too. */
int guard_run(const struct command *self, const char *dir, int (*work)(void *),
              void *data);

/* Called by the work: sets the current step ("reading", static) and its
 * progress; `total` is 0 if unknown.  Does nothing outside of guard_run(). */
void guard_tell(const char *what, int done, int total);

/* Called by the work when the result is complete and is about to be renamed:
 * from now on signals are held back, and the work succeeds.  After
 * guard_go_on() signals can end the work again, including those that arrived
 * meanwhile. */
void guard_commit(void);
void guard_go_on(void);

#endif
