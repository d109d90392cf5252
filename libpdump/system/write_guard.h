/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps writes by libpdump from ending the program.
 *
 * A write beyond the limit on file sizes (ulimit -f) raises SIGXFSZ, a write to
 * a pipe without a reader SIGPIPE.  Both are blocked, and the write fails with
 * an error instead.  Cancellation of the thread is disabled as well: a
 * cancelled thread would hold libpdump's locks forever.
 */
#ifndef PDUMP_WRITE_GUARD_H
#define PDUMP_WRITE_GUARD_H

#include <signal.h>

struct pdump_write_guard {
    sigset_t before;
    int cancel;
};

/* Between these two calls, writes of this thread fail with EFBIG or EPIPE,
 * without a signal.  The calls nest and preserve errno. */
void pdump_write_guard_hold(struct pdump_write_guard *hold);
void pdump_write_guard_release(const struct pdump_write_guard *hold);

#endif
