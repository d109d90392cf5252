/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out who makes a call. */
#include "call_owner.h"
#include "probe/call_detail.h"
#include "probe/handshake.h"
#include "probe/program_region.h"
#include "system/env.h"
#include "system/log.h"
#include "system/process_state.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pdump_io_filter pdump_io_filter;

static bool is_started;
static __thread bool has_record; /* or was refused one */

/* Address ranges of libpdump and of libpdump-run.so, if it is loaded. */
static struct range {
    uintptr_t first, size;
} library, runner;

static bool is_in(const void *address, struct range range)
{
    return (uintptr_t)address - range.first < range.size;
}

static bool is_runner(const char *path)
{
    static const char name[] = "/libpdump-run.so";
    size_t len = path ? strlen(path) : 0, n = sizeof(name) - 1;

    return len > n && strcmp(path + len - n, name) == 0;
}

static int find_library(struct dl_phdr_info *object, size_t size, void *data)
{
    uintptr_t low = UINTPTR_MAX, high = 0;
    struct range found;

    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        low = start < low ? start : low;
        high = start + part->p_memsz > high ? start + part->p_memsz : high;
    }
    found = (struct range){ low, high > low ? high - low : 0 };
    if (is_in(data, found))
        library = found;
    else if (is_runner(object->dlpi_name))
        runner = found;
    return 0;
}

/* True if `python -m pdump --io` or `pdump run --io` has started this process
 * and will start the session.  What libpdump-run.so reads before that cannot be
 * recognised by its caller if a sanitizer wraps read(), too. */
static _Atomic bool is_waiting;

__attribute__((constructor)) static void owner_start(void)
{
    if (!pdump_probe_is_open())
        return;
    if (!pdump_process_is_wiped())
        pdump_io_vforks++;
    pdump_io_filter_read(&pdump_io_filter, pdump_env("PDUMP_IO"));
    dl_iterate_phdr(find_library, (void *)(uintptr_t)pdump_handshake);
    is_waiting = pdump_env("_PDUMP_LD_PRELOAD") || pdump_env("PDUMP_RUN");
    is_started = true;
}

bool pdump_io_process_is_early(void)
{
    if (is_waiting && pdump_is_active())
        is_waiting = false;
    return is_waiting;
}

bool pdump_io_process_is_ours(void)
{
    return is_started && !pdump_program_is_sealed() &&
           (!atomic_load_explicit(&pdump_io_vforks, memory_order_relaxed) ||
            (pdump_process_is_known() && pdump_process_is_own()));
}

bool pdump_io_process_is_own_call(const void *caller)
{
    return is_in(caller, library) || is_in(caller, runner);
}

static bool is_any_in(const sigset_t *set, const int *list, int n)
{
    while (n > 0)
        if (sigismember(set, list[--n]) == 1)
            return true;
    return false;
}

/* A handler runs with its own signal blocked.  A thread that blocks all signals
 * is not a handler. */
bool pdump_io_process_is_dying(void)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
    sigset_t blocked;

    if (has_record || pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0)
        return false;
    return is_any_in(&blocked, deadly, 5) &&
           !(sigismember(&blocked, SIGHUP) == 1 &&
             sigismember(&blocked, SIGTERM) == 1);
}

static void warn_unknown(void)
{
    static _Atomic bool is_warned;

    if (!atomic_exchange(&is_warned, true))
        pdump_warn("PDUMP_IO",
                   "PDUMP_IO: %.40s is none of files, pipes, sockets, "
                   "standard, others, posix, stdio, system, and no path",
                   pdump_io_filter.unknown);
}

void pdump_io_process_is_known(void)
{
    if (has_record)
        return;
    has_record = true;
    if (pdump_io_filter.unknown && pdump_is_active())
        warn_unknown();
}
