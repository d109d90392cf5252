/* SPDX-License-Identifier: BSD-3-Clause */
/* The same pairs, recorded into plain memory and into a mapped file. */
#include "work.h"

#include <pdump.h>

#include <stdlib.h>
#include <unistd.h>

static const char folder[] = "/dev/shm";

static const char *start_heap(void)
{
    setenv("PDUMP_STORE", "off", 1);
    return work_start_session("none", 1);
}

static const char *start_file(void)
{
    if (access(folder, W_OK | X_OK) != 0)
        return "there is no /dev/shm to write to";
    setenv("PDUMP_STORE", folder, 1);
    return work_start_session("none", 1);
}

const struct work work_store_heap = { start_heap, work_run_name, 0 };
const struct work work_store_file = { start_file, work_run_name, 0 };
