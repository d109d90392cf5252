/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of probe/handshake.h in a preloaded library: each jumps to the
 * one of libpdump.so, after the first call of any of them has compared the
 * releases.
 */
#include "probe/handshake.h"
#include "system/plugin.h"

#include <stdatomic.h>

/* For `pdump run`, which checks libraries before it preloads them. */
PDUMP_PLUGIN_MODULE;

enum state { UNKNOWN, FITS, DIFFERS };

static const struct pdump_probe at_first;
static const struct pdump_probe *_Atomic probe = &at_first;

bool pdump_probe_is_open(void)
{
    static _Atomic enum state state;

    if (state == UNKNOWN) {
        const struct pdump_probe *found =
            pdump_handshake(PDUMP_VERSION, sizeof(*found));

        if (found)
            probe = found;
        state = found ? FITS : DIFFERS;
    }
    return state == FITS;
}

static inline const struct pdump_probe *probe_functions(void)
{
    return atomic_load_explicit(&probe, memory_order_relaxed);
}

#define FORWARD(type, name, params, args)                                      \
    static type first_##name params                                            \
    {                                                                          \
        return pdump_probe_is_open() ? probe_functions()->name args : (type)0; \
    }                                                                          \
    type name params                                                           \
    {                                                                          \
        return probe_functions()->name args;                                   \
    }
PDUMP_PROBE_FUNCTIONS(FORWARD)

#define AT_FIRST(type, name, params, args) .name = first_##name,
static const struct pdump_probe at_first = { PDUMP_PROBE_FUNCTIONS(AT_FIRST) };

void pdump_warn(const char *cause, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    pdump_warn_list(cause, fmt, args);
    va_end(args);
}
