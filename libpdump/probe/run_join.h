/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that belong to a run but were not forked from it: those that
 * multiprocessing starts anew, and those that `pdump run` starts.  For the
 * Python module, libpdump-run.so and the command.
 */
#ifndef PDUMP_RUN_JOIN_H
#define PDUMP_RUN_JOIN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pdump_dump;

/* Start the session of `pdump run`, which records nothing itself.  By default
 * it has the same counters as the processes of the run. */
PDUMP_SHARED int pdump_run_join_start(void);

/* What such a process has to know, in one line.  PDUMP_ESTATE if there is no
 * session, or none that children may join (PDUMP_FOLLOW=0, no store). */
PDUMP_SHARED int pdump_run_join_tell(char *out, size_t len);

/* Join that run: to be called before the first session.  As a forked child, the
 * process leaves its store to the first process of the run. */
PDUMP_SHARED int pdump_run_join_by(const char *text);

/* Does the first process of that run still collect what others leave? */
PDUMP_SHARED bool pdump_run_join_is_open(const char *text);

/*
 * The end of a process that was the first of a run only to collect what others
 * leave: their records become the dump.  look() sees it, borrowed, before it is
 * written; without records nothing is written, and look() is not called. `name`
 * is that of the file, without ending; NULL: PDUMP_FILENAME.
 */
PDUMP_SHARED int pdump_run_join_end(const char *name,
                                    void (*look)(const struct pdump_dump *dump,
                                                 void *data),
                                    void *data);

/* In the folder of the stores of the run: a process died just now.  Note the
 * time in what it left there as `name`, if it is of this run. */
PDUMP_SHARED void pdump_run_join_note_end(const char *name);

/* For the run's first process: returns how many other processes of the run are
 * still running and recording. */
PDUMP_SHARED int pdump_run_join_n_running(void);

/* The store of the run's first process, if that is this one, else NULL.
 * Valid during the session. */
PDUMP_SHARED const char *pdump_run_join_store(void);

/* The last file that this process has written, "" before.  Static. */
PDUMP_SHARED const char *pdump_run_join_written(void);
void pdump_run_join_wrote(const char *path);

#endif
