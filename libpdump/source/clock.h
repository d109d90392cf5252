/* SPDX-License-Identifier: BSD-3-Clause */
/* Time in ticks: of the cycle counter if its rate is constant, else of the
 * system clock.  Inline, because every region reads the clock twice. */
#ifndef PDUMP_CLOCK_H
#define PDUMP_CLOCK_H

#include "config/settings.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A moment, read from both clocks. */
struct pdump_moment {
    int64_t ticks;
    int64_t ns; /* CLOCK_MONOTONIC */
};

/* Choose the clock by PDUMP_CLOCK: auto, tsc or monotonic.  Returns the name of
 * the clock that is used, static. */
PDUMP_SHARED const char *pdump_clock_open(const struct pdump_settings *set);

/* Returns the present moment.  Of a few tries, takes the one with the shortest
 * delay between the two clocks. */
struct pdump_moment pdump_clock_moment(void);

/* Returns a moment at least 1 ms after `start`; waits for it if necessary. */
struct pdump_moment pdump_clock_later(struct pdump_moment start);

/*
 * Returns a moment after `start` that gives the clock rate, without waiting: it
 * is computed from `since`, a moment that another process of the run has taken
 * on this machine.  If `since` is not consistent with what the clock does now
 * (it is from another machine), or is {0, 0}, this is pdump_clock_later().
 */
struct pdump_moment pdump_clock_settle(struct pdump_moment since,
                                       struct pdump_moment start);

/* Returns the nanoseconds per tick between two moments. */
double pdump_clock_scale(struct pdump_moment from, struct pdump_moment to);

extern PDUMP_NEAR bool
    pdump_clock_is_cycles; /* set by pdump_clock_open() only */

static inline int64_t pdump_clock_cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    int64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

static inline int64_t pdump_clock_system(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static inline int64_t pdump_clock_now_by(bool is_cycles)
{
    if (__builtin_expect(is_cycles, 1))
        return pdump_clock_cycles();
    return pdump_clock_system();
}

static inline int64_t pdump_clock_now(void)
{
    return pdump_clock_now_by(pdump_clock_is_cycles);
}

#endif
