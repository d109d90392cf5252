/* SPDX-License-Identifier: BSD-3-Clause */
/* For processors whose stacks cannot be walked. */
#include "stacks/stack_clock.h"

#include <stddef.h>

const struct pdump_recorder_watch pdump_stack_clock_watch = { .begin = NULL };

int pdump_stack_clock_start(const struct pdump_recording *recording,
                            int64_t rate, int64_t memory)
{
    (void)recording, (void)rate, (void)memory;
    return pdump_fail(PDUMP_ESOURCE,
                      "this libpdump cannot walk the stacks of this processor");
}

void pdump_stack_clock_stop(void) {}

void pdump_stack_clock_before_fork(void) {}

void pdump_stack_clock_in_parent(void) {}

void pdump_stack_clock_forked(void) {}

int pdump_stack_clock_signal(void)
{
    return 0;
}

bool pdump_stack_clock_action(int number, const struct sigaction *action,
                              struct sigaction *old)
{
    (void)number, (void)action, (void)old;
    return false;
}
