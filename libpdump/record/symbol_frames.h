/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names the frames of a stack, after the fact: functions with their source
 * lines, and those that the compiler has put into their callers as frames of
 * their own.
 *
 * The result depends on the addresses and the files only, so it is the same on
 * every rank.
 */
#ifndef PDUMP_SYMBOL_FRAMES_H
#define PDUMP_SYMBOL_FRAMES_H

#include "record/symbols.h"

/* All strings are kept until the process ends. */
struct pdump_symbol_frame {
    /* As used for regions; with file and line if other functions of the module
     * have the same name.  If it has no name, the place where the function
     * starts, or else the place of the address. */
    const char *function;
    const char *file; /* where it is defined; "" if unknown */
    int line;         /* 0: unknown */
    const char *at;   /* the line that was executed, "file:line"; of outer
                       * functions that of the call.  NULL: unknown */
    bool is_named;
    bool is_inlined; /* the function is part of the one before */
};

/* Finds the frames of a stack of addresses, the outermost first, as is the
 * result.  All addresses but the last are return addresses: what is looked up
 * is the call before.  Returns their number, at least n, or PDUMP_ENOMEM.  On
 * success, free(*out).  Results are cached.  Thread-safe. */
PDUMP_SHARED int pdump_symbol_frames(
    const struct pdump_symbol_address *addresses, int n,
    struct pdump_symbol_frame **out);

#endif
