/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that define the wrapper functions. */
#ifndef PDUMP_IO_WRAP_H
#define PDUMP_IO_WRAP_H

#include "io_filter.h"
#include "next_symbol.h"
#include "io_record.h"

#include <errno.h>

/* Defines on_NAME, which describes a wrapped function as the report names
 * it. */
#define FUNCTION(function, class)                                 \
    static struct pdump_io_function on_##function = {             \
        .callee = { .name = #function, .group = PDUMP_GROUP_IO }, \
        .bit = class,                                             \
    };

/* Defines a wrapper: the statement `begin`, which calls one of
 * pdump_io_begin..., then the real call `call`, then `finish`, which may use
 * `result` and `io`. */
#define WRAP(type, name, params, begin, call, finish) \
    PDUMP_API type name params                        \
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
