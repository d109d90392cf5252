/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How stacks get the frames of an interpreter: what its own structures say.
 *
 * A plugin knows these structures, and the clock of stacks asks it.  All its
 * functions are for signal handlers on the thread that is meant: they call
 * nothing of the interpreter that could wait or change anything, and read its
 * memory by `read` only, which returns false where there is none.
 */
#ifndef PDUMP_INTERPRETER_H
#define PDUMP_INTERPRETER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool pdump_interpreter_read(void *to, uintptr_t from, size_t n);

/* How a table says which place in code has which line. */
enum pdump_line_table {
    PDUMP_LINES_NONE,
    PDUMP_LINES_3_9 = 9, /* Python 3.9: co_lnotab */
    PDUMP_LINES_3_10,    /* Python 3.10: co_linetable */
    PDUMP_LINES_3_11,    /* since Python 3.11 */
};

struct pdump_interpreter_frame {
    uintptr_t stack; /* an address in the native frame that executes it */
    uintptr_t code;  /* of the object that is executed */
    uint32_t at;     /* where in it, in units of its table of lines */
};

/* Addresses of objects, and what does not change while they exist. */
struct pdump_interpreter_code {
    uintptr_t code;
    uintptr_t file;
    uintptr_t name;
    uintptr_t lines;
    int64_t first_line;
    uint64_t
        mark; /* differs in other code whose objects are where these were */
};

struct pdump_interpreter {
    uint32_t line_table; /* enum pdump_line_table */

    /* Writes the frames of the calling thread, the innermost first, and returns
     * their number. */
    int (*frames)(pdump_interpreter_read *read,
                  struct pdump_interpreter_frame *list, int max);
    /* Frames of the interpreter from this address on, and native ones around
     * them, are left out: they have started the program.  UINTPTR_MAX: none. */
    uintptr_t (*outside)(void);
    /* Returns false if that is no code. */
    bool (*code)(pdump_interpreter_read *read, uintptr_t code,
                 struct pdump_interpreter_code *out);
    /* Copy the text of an object, as UTF-8 without a NUL; or its bytes.  Return
     * the length; what does not fit is left out. */
    size_t (*text)(pdump_interpreter_read *read, uintptr_t object, char *to,
                   size_t max);
    size_t (*bytes)(pdump_interpreter_read *read, uintptr_t object, char *to,
                    size_t max);
};

/* Sets the interpreter of this process.  Static: it is used until the process
 * ends. */
PDUMP_SHARED void pdump_interpreter_set(const struct pdump_interpreter *one);

/* Returns it, or NULL.  For signal handlers. */
const struct pdump_interpreter *pdump_interpreter_now(void);

#endif
