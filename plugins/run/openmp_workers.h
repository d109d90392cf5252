/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenMP worker threads, which never end.  When the session ends, each of them
 * is made to leave the program's region, because only the thread itself can
 * read its counters.
 *
 * This is done by a signal that the program does not use.  Other threads do not
 * get the signal, because their system calls might fail; OpenMP runtimes are
 * known to continue waiting.
 */
#ifndef PDUMP_RUN_OPENMP_WORKERS_H
#define PDUMP_RUN_OPENMP_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct team_member {
    struct team_member *next;
    pid_t tid;
    _Atomic bool has_left;
};

/* Returns true if this library, by its base name, is an OpenMP runtime. */
bool team_is_runtime(const char *library);

/* Add and remove the calling thread.  Its record is on its stack. */
void team_join(struct team_member *member);
void team_quit(struct team_member *member);

/* Makes all other workers leave.  Does not wait for ever for those that do
 * not. */
void team_leave(void);

/* Called in the child after fork(), where the workers do not exist. */
void team_forget(void);

#endif
