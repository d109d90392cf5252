/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment.  The user who starts a set-user-ID program, or one that gets
 * capabilities from its file, controls its variables, but must not control what
 * it loads, reads and writes.  The kernel marks such a process (AT_SECURE); in
 * it no variable is read.  All variables of libpdump are read here.
 */
#ifndef PDUMP_ENV_H
#define PDUMP_ENV_H

#include "base/error.h"

#include <stdbool.h>

/* Returns the value of a variable, borrowed, or NULL; always NULL in a
 * privileged process. */
PDUMP_SHARED const char *pdump_env(const char *name);

/* Returns true if the kernel has marked this process as privileged. */
PDUMP_SHARED bool pdump_env_is_privileged(void);

/* Returns the folder for temporary files: TMPDIR, else /tmp.  Borrowed. */
PDUMP_SHARED const char *pdump_env_temporary(void);

#endif
