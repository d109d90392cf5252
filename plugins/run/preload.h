/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edits LD_PRELOAD.  The environment of a process has the libraries that all
 * its children need: libpdump-run.so, and others that the options of `pdump
 * run` require.  Libraries that depend on the child are added later:
 * libpdump-run-mpi.so when a rank of an MPI job is executed, and the wrappers
 * of MPI calls when the child itself knows which MPI it has (wrappers.h).
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

/* Returns the bytes that preload_make() may need. */
size_t preload_room(const char *value);

/* Writes "LD_PRELOAD=VALUE" to `out`, with libpdump-run.so added at the end
 * and, for a rank, the libraries that ranks need at the front.  Other libraries
 * keep their order, except `runtime` ("": none), which has to be first: two
 * colons after it mark it for preload_hide() as not the user's.  If our folder
 * is not accessible, none of our libraries is added. */
void preload_make(const char *value, const char *runtime, bool is_rank,
                  char *out, size_t len);

/* Returns the length of the runtime at the front of `value`, including the
 * colons, or 0. */
size_t preload_runtime(const char *value);

/* Returns true if our library `name` is in `value`. */
bool preload_has(const char *value, const char *name);

/* Removes the libraries that are only for this process from its environment. */
void preload_hide(void);

#endif
