/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the numbers of unwind information. */
#include "stacks/unwind_bytes.h"
#include "stacks/safe_read.h"

#include <string.h>

/* Copies n bytes to `out`, through the buffer. */
static void take(struct pdump_unwind_bytes *b, void *out, size_t n)
{
    struct pdump_unwind_buffer *buffer = b->buffer;

    memset(out, 0, n);
    if (b->is_bad || b->at > b->end || n > b->end - b->at) {
        b->is_bad = true;
        return;
    }
    if (b->at < buffer->from || b->at + n > buffer->from + buffer->n) {
        buffer->from = b->at;
        buffer->n = (uint32_t)pdump_safe_read_some(buffer->bytes, b->at,
                                                   sizeof(buffer->bytes));
    }
    if (n > buffer->n) {
        b->is_bad = true;
        return;
    }
    memcpy(out, buffer->bytes + (b->at - buffer->from), n);
    b->at += n;
}

#define READER(name, type)                  \
    type name(struct pdump_unwind_bytes *b) \
    {                                       \
        type value;                         \
                                            \
        take(b, &value, sizeof(value));     \
        return value;                       \
    }

READER(pdump_unwind_u8, uint8_t)
READER(pdump_unwind_u16, uint16_t)
READER(pdump_unwind_u32, uint32_t)
READER(pdump_unwind_u64, uint64_t)

/* Reads 7 bits per byte, the lowest first.  Returns the value without its sign;
 * `shift` is set to the number of bits, `last` to the last byte. */
static uint64_t leb(struct pdump_unwind_bytes *b, unsigned *shift,
                    uint8_t *last)
{
    uint64_t value = 0;

    *shift = 0;
    do {
        *last = pdump_unwind_u8(b);
        if (*shift < 64)
            value |= (uint64_t)(*last & 0x7f) << *shift;
        *shift += 7;
    } while (*last & 0x80);
    return value;
}

uint64_t pdump_unwind_uleb(struct pdump_unwind_bytes *b)
{
    unsigned shift;
    uint8_t last;

    return leb(b, &shift, &last);
}

int64_t pdump_unwind_sleb(struct pdump_unwind_bytes *b)
{
    unsigned shift;
    uint8_t last;
    uint64_t value = leb(b, &shift, &last);

    if (last & 0x40 && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

uintptr_t pdump_unwind_pointer(struct pdump_unwind_bytes *b, uint8_t encoding)
{
    uintptr_t from = b->at;
    int64_t value;

    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c:
        value = (int64_t)pdump_unwind_u64(b);
        break;
    case 0x02:
        value = pdump_unwind_u16(b);
        break;
    case 0x03:
        value = pdump_unwind_u32(b);
        break;
    case 0x0a:
        value = (int16_t)pdump_unwind_u16(b);
        break;
    case 0x0b:
        value = (int32_t)pdump_unwind_u32(b);
        break;
    default:
        b->is_bad = true;
        return 0;
    }
    if ((encoding & 0x70) == PDUMP_POINTER_PC_RELATIVE)
        return from + (uintptr_t)value;
    if (encoding & 0x70)
        b->is_bad = true;
    return (uintptr_t)value;
}

void pdump_unwind_skip(struct pdump_unwind_bytes *b, uint64_t n)
{
    if (b->is_bad || b->at > b->end || n > b->end - b->at)
        b->is_bad = true;
    else
        b->at += n;
}
