/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of work_papi.c where there is no PAPI. */
#include "work.h"

#include <stddef.h>

static const char *start_nothing(void)
{
    return "built without PAPI";
}

const struct work work_papi_reads = { start_nothing, NULL, 0 };
const struct work work_papi_high_level = { start_nothing, NULL, 0 };
