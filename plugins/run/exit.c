/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps _exit(): no exit handlers run, so the program's region is left here.
 * The rest is in the store, which the run collects. */
#include "run.h"

#include "probe/program_region.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

static _Noreturn void program_leave(int status)
{
    run_leave();
    if (run_is_ours())
        pdump_program_close();
    for (;;)
        syscall(SYS_exit_group, status);
}

API void _exit(int status)
{
    program_leave(status);
}

API void _Exit(int status)
{
    program_leave(status);
}
