/* SPDX-License-Identifier: BSD-3-Clause */
/* A clock that can be made fast, for ranks that wait in vain: a minute lasts a
 * second then.  So the deadline can be long, and no rank comes too late because
 * the machine is busy. */
#ifndef PDUMP_TESTS_MPI_FAST_CLOCK_H
#define PDUMP_TESTS_MPI_FAST_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FASTER = 60 };

static _Atomic int speed = 1;
static _Atomic int64_t skipped; /* ns by which the clock was put forward */
static _Atomic int64_t last;    /* of the real clock */

/* In place of the C library's, also for libpdump and its modules. */
int clock_gettime(clockid_t id, struct timespec *out)
{
    static const int64_t second = 1000000000;
    int err = (int)syscall(SYS_clock_gettime, id, out);
    int64_t ns, before;

    if (err || id != CLOCK_MONOTONIC)
        return err;
    ns = out->tv_sec * second + out->tv_nsec;
    before = atomic_exchange(&last, ns);
    if (speed > 1 && ns > before)
        skipped += (ns - before) * (speed - 1);
    ns += skipped;
    out->tv_sec = ns / second;
    out->tv_nsec = ns % second;
    return 0;
}

#endif
