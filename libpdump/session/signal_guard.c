/* SPDX-License-Identifier: BSD-3-Clause */
/* The signal that libpdump uses itself: that of stacks. */
#include "probe/signal_guard.h"
#include "stacks/stack_clock.h"

int pdump_signal_guard_number(void)
{
    return pdump_stack_clock_signal();
}

bool pdump_signal_guard_action(int number, const struct sigaction *action,
                               struct sigaction *old)
{
    return pdump_stack_clock_action(number, action, old);
}
