/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long work that may be interrupted.
 *
 * It is done by a child, and this process waits for it: whatever ends the child
 * (Ctrl-C, a kill, a crash), its unfinished files are removed afterwards by
 * somebody who is still there.  Meanwhile a line on the terminal tells how far
 * it is, at no cost for the work.
 */
#ifndef PDUMP_GUARD_H
#define PDUMP_GUARD_H

#include "command.h"

/* Call work(data), which returns an exit code and writes to `dir` by
 * pdump_output_file_write(); both are borrowed.  Returns twice, in the child
 * and here, with that code: the caller has to end without doing anything more.
 * If a signal ends the work, it ends this process, too. */
int guard_run(const struct command *self, const char *dir, int (*work)(void *),
              void *data);

/* Of the work: what it does now ("reading", static), and how far that is;
 * `total` 0 if nobody knows.  Nothing happens outside of guard_run(). */
void guard_tell(const char *what, int done, int total);

/* Called by the work when the result is complete and is about to be renamed:
 * from now on signals are held back, and the work succeeds.  After
 * guard_go_on() signals can end the work again, including those that arrived
 * meanwhile. */
void guard_commit(void);
void guard_go_on(void);

#endif
