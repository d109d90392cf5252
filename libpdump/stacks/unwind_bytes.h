/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the numbers of unwind information from memory that may be unmapped at
 * any time. */
#ifndef PDUMP_UNWIND_BYTES_H
#define PDUMP_UNWIND_BYTES_H

#include "stacks/unwind_row.h"

/* How a pointer is written: DW_EH_PE_... */
enum {
    PDUMP_POINTER_OMITTED = 0xff,
    PDUMP_POINTER_PC_RELATIVE = 0x10,
    PDUMP_POINTER_INDIRECT = 0x80,
    PDUMP_POINTER_SORTED_TABLE = 0x3b, /* 4 bytes, relative to the header */
};

struct pdump_unwind_bytes {
    struct pdump_unwind_buffer *buffer;
    uintptr_t at;
    uintptr_t end;
    bool is_bad; /* a number could not be read; all others are 0 */
};

uint8_t pdump_unwind_u8(struct pdump_unwind_bytes *b);
uint16_t pdump_unwind_u16(struct pdump_unwind_bytes *b);
uint32_t pdump_unwind_u32(struct pdump_unwind_bytes *b);
uint64_t pdump_unwind_u64(struct pdump_unwind_bytes *b);
uint64_t pdump_unwind_uleb(struct pdump_unwind_bytes *b);
int64_t pdump_unwind_sleb(struct pdump_unwind_bytes *b);

/* Reads a pointer in that encoding.  Bad if the encoding is not one of those
 * that compilers use for code. */
uintptr_t pdump_unwind_pointer(struct pdump_unwind_bytes *b, uint8_t encoding);

void pdump_unwind_skip(struct pdump_unwind_bytes *b, uint64_t n);

#endif
