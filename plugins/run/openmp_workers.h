/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The workers of OpenMP, who never end: when the session does, each is made to
 * leave the program's region, for only a thread itself can read its counters.
 *
 * It is done by a signal that nobody else uses.  Other threads do not get one:
 * their system calls might fail of it.  Runtimes of OpenMP are known to go on
 * waiting.
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

/* Is this library, by its base name, a runtime of OpenMP? */
bool team_is_runtime(const char *library);

/* The calling thread joins, with a record on its stack, and is gone. */
void team_join(struct team_member *member);
void team_quit(struct team_member *member);

/* All others are made to leave; those that do not in time are left alone. */
void team_leave(void);

/* In the child of a fork(), where they are not. */
void team_forget(void);

#endif
