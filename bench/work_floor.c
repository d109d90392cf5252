/* SPDX-License-Identifier: BSD-3-Clause */
/* The floors: what a recorder cannot do without. */
#include "work.h"

#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static volatile int64_t kept; /* what is stored here is not optimised away */

int64_t work_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

#if defined(__x86_64__) || defined(__i386__)
static inline int64_t cycles(void)
{
    return (int64_t)__builtin_ia32_rdtsc();
}

static bool has_steady_cycles(void)
{
    unsigned int eax, ebx, ecx, edx;

    return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx & 1u << 8;
}
#elif defined(__aarch64__)
static inline int64_t cycles(void)
{
    int64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static bool has_steady_cycles(void)
{
    return true;
}
#else
static inline int64_t cycles(void)
{
    return work_now();
}

static bool has_steady_cycles(void)
{
    return false;
}
#endif

const char *work_clock_name(void)
{
    return has_steady_cycles() ? "tsc" : "monotonic";
}

static const char *start_nothing(void)
{
    return NULL;
}

static int64_t run_clock(long n)
{
    bool is_cycles = has_steady_cycles();
    int64_t start = work_now();

    if (is_cycles)
        for (long i = 0; i < n; i++) {
            int64_t before = cycles();

            kept = cycles() - before;
        }
    else
        for (long i = 0; i < n; i++) {
            int64_t before = work_now();

            kept = work_now() - before;
        }
    return work_now() - start;
}

static int64_t run_rusage(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++) {
        struct rusage before, after;

        getrusage(RUSAGE_THREAD, &before);
        getrusage(RUSAGE_THREAD, &after);
        kept = after.ru_minflt - before.ru_minflt;
    }
    return work_now() - start;
}

const struct work work_clock_reads = { start_nothing, run_clock, 0 };
const struct work work_rusage_reads = { start_nothing, run_rusage, 0 };
