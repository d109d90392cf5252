/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which threads were started inside of instrumenter.enable(). */
#include "heirs.h"
#include "cpython.h"

#include <stdint.h>

static uint64_t last_before; /* number of the newest thread at the begin */
static uint64_t last_inside; /* at the end */

static void *first_thread(void)
{
    return pdump_py.PyInterpreterState_ThreadHead(
        pdump_py.PyInterpreterState_Get());
}

static bool is_heir(void *thread)
{
    uint64_t number = pdump_py.PyThreadState_GetID(thread);

    return number > last_before && number <= last_inside;
}

static uint64_t thread_highest(void)
{
    uint64_t most = 0;

    for (void *t = first_thread(); t; t = pdump_py.PyThreadState_Next(t))
        if (pdump_py.PyThreadState_GetID(t) > most)
            most = pdump_py.PyThreadState_GetID(t);
    return most;
}

void pdump_heirs_begin(void)
{
    last_before = thread_highest();
    last_inside = UINT64_MAX;
}

void pdump_heirs_end(void)
{
    last_inside = thread_highest();
}

bool pdump_heirs_are_there(void)
{
    for (void *t = first_thread(); t; t = pdump_py.PyThreadState_Next(t))
        if (is_heir(t))
            return true;
    return false;
}

char pdump_heirs_look(void)
{
    return is_heir(pdump_py.PyThreadState_Get()) ? 'y' : 'n';
}
