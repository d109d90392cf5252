/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that belong to a run but were not forked from it: those that
 * Python's multiprocessing spawns, and those that `pdump run` starts.  For the
 * Python module, libpdump-run.so and the pdump command.
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

/* Write what such a process has to know, in one line.  PDUMP_ESTATE if there is
 * no session, or none that children may join (PDUMP_FOLLOW=0, no store). */
PDUMP_SHARED int pdump_run_join_tell(char *out, size_t len);

/* Join that run; call this before the first session.  Like a forked child, the
 * process leaves its store to the first process of the run. */
PDUMP_SHARED int pdump_run_join_by(const char *text);

/* Returns true if the first process of that run still collects the stores of
 * others. */
PDUMP_SHARED bool pdump_run_join_is_open(const char *text);

/*
 * End a session that only collects what other processes of the run have
 * recorded: their records become the dump.  look() gets the dump, borrowed,
 * before it is written; without records nothing is written, and look() is not
 * called.  `name` is the name of the file without ending; NULL: PDUMP_FILENAME.
 */
PDUMP_SHARED int pdump_run_join_end(const char *name,
                                    void (*look)(const struct pdump_dump *dump,
                                                 void *data),
                                    void *data);

/* Note that a process has just died: store the time in its store `name`, in the
 * folder of the stores of the run, if it belongs to this run. */
PDUMP_SHARED void pdump_run_join_note_end(const char *name);

/* For the run's first process: returns how many other processes of the run are
 * still running and recording. */
PDUMP_SHARED int pdump_run_join_n_running(void);

/* Returns the path of this process's store, or NULL if it has no session or no
 * file.  Valid during the session. */
PDUMP_SHARED const char *pdump_run_join_store(void);

/* The first returns the last file that this process has written, "" before,
 * static; the second sets it. */
PDUMP_SHARED const char *pdump_run_join_written(void);
void pdump_run_join_wrote(const char *path);

#endif
