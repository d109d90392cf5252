/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What we write must not end the program: not beyond a limit on the size of
 * files (ulimit -f), nor to a pipe that nobody reads.  Both are signals that
 * are meant for who writes; we take them as errors.  Nor may a thread that is
 * cancelled end there: it would hold our locks for ever.
 */
#ifndef PDUMP_WRITE_GUARD_H
#define PDUMP_WRITE_GUARD_H

#include <signal.h>

struct pdump_write_guard {
    sigset_t before;
    int cancel;
};

/* What this thread writes between these two fails with EFBIG or EPIPE, and
 * nothing else happens.  They nest, and leave errno alone. */
void pdump_write_guard_hold(struct pdump_write_guard *hold);
void pdump_write_guard_release(const struct pdump_write_guard *hold);

#endif
