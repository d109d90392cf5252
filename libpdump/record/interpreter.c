/* SPDX-License-Identifier: BSD-3-Clause */
/* The interpreter of this process, if there is one. */
#include "record/interpreter.h"

#include <stdatomic.h>

static const struct pdump_interpreter *_Atomic now;

void pdump_interpreter_set(const struct pdump_interpreter *one)
{
    atomic_store(&now, one);
}

const struct pdump_interpreter *pdump_interpreter_now(void)
{
    return atomic_load(&now);
}
