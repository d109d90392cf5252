/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of another thread of this process, from the kernel. */
#ifndef PDUMP_SOURCE_OTHER_H
#define PDUMP_SOURCE_OTHER_H

#include <stdint.h>

/* The values that the thread would read itself.  A value is PDUMP_UNREAD if it
 * cannot be read, for example after the thread has ended. */
struct pdump_other_thread {
    int64_t cpu_time; /* ns */
    int64_t minor_faults;
    int64_t major_faults;
    int64_t faults; /* both together */
};

/* Read the counters of the thread with the kernel's thread id `tid`. */
struct pdump_other_thread pdump_source_other(int64_t tid);

#endif
