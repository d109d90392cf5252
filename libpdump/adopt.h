/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that belong to a run but were not forked from it: those that
 * multiprocessing starts anew.  For the Python module.
 */
#ifndef PDUMP_ADOPT_H
#define PDUMP_ADOPT_H

#include "error.h"

#include <stddef.h>

/* What such a process has to know, in one line.  PDUMP_ESTATE if there is no
 * session, or none that children may join (PDUMP_FOLLOW=0, no store). */
PDUMP_SHARED int pdump_adopt_tell(char *out, size_t len);

/* Join that run: to be called before the first session.  As a forked child, the
 * process leaves its store to the first process of the run. */
PDUMP_SHARED int pdump_adopt_by(const char *text);

#endif
