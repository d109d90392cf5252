/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate of the process: the number of the session, unless recording is off.
 */
#include "record/gate.h"

#include <limits.h>

#define SHUT UINT_MAX /* no thread's gate has this value */

_Atomic int pdump_gate_off;

static unsigned gate_value(unsigned n, int o)
{
    if (n == PDUMP_GATE_IDLE)
        return n;
    return n == PDUMP_GATE_NONE || o ? SHUT : n;
}

/* Update the gate without a lock, which a forked child could inherit locked.
 * The last thread in the loop sees the final values. */
static void gate_settle(void)
{
    unsigned n;
    int o;

    do {
        n = pdump_wiped.session;
        o = pdump_gate_off;
        atomic_store(&pdump_wiped.gate, gate_value(n, o));
    } while (n != pdump_wiped.session || o != pdump_gate_off);
}

void pdump_gate_set(unsigned new)
{
    pdump_wiped.session = new;
    gate_settle();
}

bool pdump_gate_switch(int change)
{
    int old = pdump_gate_off;

    do
        if (old + change < 0)
            return false;
    while (!atomic_compare_exchange_weak(&pdump_gate_off, &old, old + change));
    gate_settle();
    return true;
}
