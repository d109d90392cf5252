/* SPDX-License-Identifier: BSD-3-Clause */
/* What all wrappers have in common. */
#ifndef PDUMP_IO_WRAP_H
#define PDUMP_IO_WRAP_H

#include "io_filter.h"
#include "next_symbol.h"
#include "record.h"

#include <errno.h>

/* on_NAME: a function as the report names it. */
#define FUNCTION(function, class)                                 \
    static struct pdump_io_function on_##function = {             \
        .callee = { .name = #function, .group = PDUMP_GROUP_IO }, \
        .bit = class,                                             \
    };

/* The statement `begin`, with one of pdump_io_begin... in it, then `call`, then
 * `finish`, with `result` and `io` in it. */
#define WRAP(type, name, params, begin, call, finish) \
    PDUMP_SHARED type name params                     \
    {                                                 \
        struct pdump_io io;                           \
        type result;                                  \
                                                      \
        io.caller = __builtin_return_address(0);      \
        begin;                                        \
        result = call;                                \
        if (pdump_io_end(&io)) {                      \
            finish;                                   \
            errno = io.error;                         \
        }                                             \
        return result;                                \
    }

#endif
