/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How to get from a place in code to its caller, as read from .eh_frame.
 *
 * The CFA is the value that the stack pointer has in the caller after the call.
 */
#ifndef PDUMP_UNWIND_ROW_H
#define PDUMP_UNWIND_ROW_H

#include "stacks/walk_arch.h"

#include <stdbool.h>
#include <stdint.h>

enum pdump_unwind_kind {
    PDUMP_UNWIND_NONE,     /* nothing is known: try the frame pointer */
    PDUMP_UNWIND_REGISTER, /* CFA = register + offset */
    PDUMP_UNWIND_MEMORY,   /* CFA = the word at register + offset, + more */
    PDUMP_UNWIND_PLT,      /* as the entries of a PLT */
    PDUMP_UNWIND_SIGNAL,   /* the kernel's frame below a signal handler */
    PDUMP_UNWIND_END,      /* has no caller */
};

/* saved[]: the register has not been changed, or is lost. */
enum { PDUMP_UNWIND_SAME = 0, PDUMP_UNWIND_LOST = INT16_MIN };

struct pdump_unwind_row {
    uint8_t kind; /* enum pdump_unwind_kind */
    uint8_t reg;
    uint8_t link; /* 1 + the register that has the return address, or 0 */
    /* Bit i: saved[i] counts from the frame pointer, not from the CFA. */
    uint16_t by_frame;
    int32_t offset;
    int32_t more;
    int16_t saved[PDUMP_ARCH_SAVED]; /* in words of 8 bytes */
};

/* Memory for reading unwind information; it is too large for the stack of a
 * signal handler. */
struct pdump_unwind_buffer {
    uintptr_t from;
    uint32_t n;
    unsigned char bytes[512];
};

/* Finds the row for the instruction at `pc`.  `header` is the address of the
 * module's .eh_frame_hdr.  Returns false if the module has nothing about it, or
 * something that is not understood.  For signal handlers. */
bool pdump_unwind_row_find(struct pdump_unwind_buffer *buffer, uintptr_t header,
                           uintptr_t pc, struct pdump_unwind_row *out);

#endif
