/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the clock and measures its rate. */
#include "source/clock.h"
#include "system/log.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum {
    MOMENT_TRIES = 9,
    LATER_NS = 1000000,
};

bool pdump_clock_is_cycles;

/* Returns the name of a cycle counter with a constant rate, or NULL. */
static const char *steady_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned int eax, ebx, ecx, edx;

    if (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8)))
        return "tsc";
    return NULL;
#elif defined(__aarch64__)
    return "cntvct";
#else
    return NULL;
#endif
}

const char *pdump_clock_open(const struct pdump_settings *set)
{
    const char *counter = steady_counter();
    bool is_forced = strcmp(set->clock, "tsc") == 0;

    if (is_forced && !counter)
        pdump_warn("PDUMP_CLOCK",
                   "PDUMP_CLOCK=tsc: this machine has no steady cycle "
                   "counter; using the system clock");
    else if (!is_forced && strcmp(set->clock, "auto") != 0)
        counter = NULL;
    /* Write only if it changes: threads of an earlier session may be reading
     * it. */
    if (pdump_clock_is_cycles != (counter != NULL))
        pdump_clock_is_cycles = counter != NULL;
    return counter ? counter : "monotonic";
}

/* Takes the try with the shortest delay: an interruption between the two clock
 * reads would distort every duration of the session. */
struct pdump_moment pdump_clock_moment(void)
{
    struct pdump_moment best = { 0, 0 };
    int64_t narrowest = INT64_MAX;

    if (!pdump_clock_is_cycles) {
        best.ns = best.ticks = pdump_clock_system();
        return best;
    }
    for (int i = 0; i < MOMENT_TRIES; i++) {
        int64_t before = pdump_clock_cycles();
        int64_t ns = pdump_clock_system();
        int64_t width = pdump_clock_cycles() - before;

        if (width >= 0 && width < narrowest) {
            narrowest = width;
            best.ns = ns;
            best.ticks = before + width / 2;
        }
    }
    return best;
}

struct pdump_moment pdump_clock_later(struct pdump_moment start)
{
    int64_t left;

    while ((left = start.ns + LATER_NS - pdump_clock_system()) > 0) {
        struct timespec ts = { 0, (long)(left < LATER_NS ? left : LATER_NS) };

        nanosleep(&ts, NULL);
    }
    return pdump_clock_moment();
}

/* Returns how far the time from `from` to `to` deviates from what the rate
 * between `since` and `from` predicts. */
static double clock_deviation(struct pdump_moment since,
                              struct pdump_moment from, struct pdump_moment to)
{
    double rate = pdump_clock_scale(since, from);

    return fabs((double)(to.ticks - from.ticks) * rate -
                (double)(to.ns - from.ns));
}

struct pdump_moment pdump_clock_settle(struct pdump_moment since,
                                       struct pdump_moment start)
{
    struct pdump_moment now = pdump_clock_moment();

    if (since.ns <= 0 || since.ticks <= 0 || since.ticks >= start.ticks ||
        since.ns > start.ns - LATER_NS || now.ticks <= start.ticks ||
        clock_deviation(since, start, now) >
            (double)(now.ns - start.ns) / 1000 + 200)
        return pdump_clock_later(start);
    return (struct pdump_moment){
        .ticks = start.ticks + (start.ticks - since.ticks),
        .ns = start.ns + (start.ns - since.ns),
    };
}

/* Uses nothing but the moments, which may come from another process. */
double pdump_clock_scale(struct pdump_moment from, struct pdump_moment to)
{
    if (to.ticks <= from.ticks || to.ns <= from.ns)
        return 1.0;
    /* Unsigned, because a damaged store may contain any values. */
    return (double)((uint64_t)to.ns - (uint64_t)from.ns) /
           (double)((uint64_t)to.ticks - (uint64_t)from.ticks);
}
