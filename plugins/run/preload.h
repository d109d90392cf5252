/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LD_PRELOAD.  The environment of a process has what all its children need:
 * libpdump-run.so, and what else `pdump run` was asked for.  What depends on
 * the child comes when it is executed: libpdump-run-mpi.so in a rank of an MPI
 * job; and the wrappers of MPI calls when the child itself sees which MPI it
 * has (wrappers.h).
 */
#ifndef PDUMP_RUN_PRELOAD_H
#define PDUMP_RUN_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

#define PRELOAD "LD_PRELOAD="
#define PRELOAD_RUN "libpdump-run.so"
#define PRELOAD_RANK "libpdump-run-mpi.so"
#define PRELOAD_MPI "libpdump-pmpi.so"
#define PRELOAD_HEAP "libpdump-mem.so"

/* Bytes that preload_make() may need. */
size_t preload_room(const char *value);

/* Write "LD_PRELOAD=VALUE" to `out`, with libpdump-run.so added at the end and,
 * for a rank, the libraries that ranks need at the front.  Other libraries keep
 * their order, except `runtime` ("": none), which has to be first: two colons
 * after it tell preload_hide() that it is not the user's.  If our folder is not
 * accessible, none of our libraries is added. */
void preload_make(const char *value, const char *runtime, bool is_rank,
                  char *out, size_t len);

/* Returns the length of the runtime at the front of `value`, including the
 * colons, or 0. */
size_t preload_runtime(const char *value);

/* Is our library `name` in `value`? */
bool preload_has(const char *value, const char *name);

/* Take what is for this process alone from its environment. */
void preload_hide(void);

#endif
