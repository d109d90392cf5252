/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a function as -finstrument-functions makes them: with the hooks of
 * libpdump-cyg.so, with hooks that only read the clock, and with none. */
#include "work.h"

#include <stddef.h>
#include <stdlib.h>

#define APART __attribute__((noinline))

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

static volatile int64_t kept;
static int64_t entered;

static inline int64_t now(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return (int64_t)__builtin_ia32_rdtsc();
#else
    return work_now();
#endif
}

static APART void bare_enter(void *function, void *site)
{
    (void)function, (void)site;
    entered = now();
}

static APART void bare_exit(void *function, void *site)
{
    (void)function, (void)site;
    kept = now() - entered;
}

static APART void plain(void)
{
    __asm__ volatile("" ::: "memory");
}

static APART void bare(void)
{
    bare_enter((void *)bare, __builtin_return_address(0));
    __asm__ volatile("" ::: "memory");
    bare_exit((void *)bare, __builtin_return_address(0));
}

static APART void instrumented(void)
{
    __cyg_profile_func_enter((void *)instrumented, __builtin_return_address(0));
    __asm__ volatile("" ::: "memory");
    __cyg_profile_func_exit((void *)instrumented, __builtin_return_address(0));
}

static APART void other(void)
{
    __cyg_profile_func_enter((void *)other, __builtin_return_address(0));
    __asm__ volatile("" ::: "memory");
    __cyg_profile_func_exit((void *)other, __builtin_return_address(0));
}

static const char *start_nothing(void)
{
    return NULL;
}

static const char *start_session(void)
{
    return work_start_session("none", 1);
}

static const char *start_throttled(void)
{
    const char *why;

    setenv("PDUMP_THROTTLE", "1000:1000000", 1);
    setenv("PDUMP_QUIET", "1", 1);
    why = start_session();
    for (int i = 0; i < 2000; i++)
        instrumented();
    return why;
}

static int64_t run_plain(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++)
        plain();
    return work_now() - start;
}

static int64_t run_bare(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++)
        bare();
    return work_now() - start;
}

static int64_t run_instrumented(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++)
        instrumented();
    return work_now() - start;
}

static int64_t run_in_turn(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n / 2; i++) {
        instrumented();
        other();
    }
    return work_now() - start;
}

const struct work work_function_plain = { start_nothing, run_plain, 0 };
const struct work work_function_bare = { start_nothing, run_bare, 0 };
const struct work work_function = { start_session, run_instrumented, 0 };
const struct work work_function_in_turn = { start_session, run_in_turn, 0 };
const struct work work_function_throttled = { start_throttled, run_instrumented,
                                              0 };
