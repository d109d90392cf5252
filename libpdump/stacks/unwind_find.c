/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the unwind information of a place in code: in the sorted table of
 * .eh_frame_hdr, and from there in .eh_frame (LSB Core, "Exception Frames").
 */
#include "stacks/safe_read.h"
#include "stacks/unwind_program.h"

#include <string.h>

/* An entry of the table, relative to the header. */
struct entry {
    int32_t code;
    int32_t description;
};

struct table {
    uintptr_t header;
    uintptr_t entries;
    uint32_t n;
};

static bool table_open(struct pdump_unwind_buffer *buffer, uintptr_t header,
                       struct table *out)
{
    struct pdump_unwind_bytes b = { .buffer = buffer,
                                    .at = header,
                                    .end = header + 64 };
    uint8_t version = pdump_unwind_u8(&b), frame, count, entries;

    frame = pdump_unwind_u8(&b);
    count = pdump_unwind_u8(&b);
    entries = pdump_unwind_u8(&b);
    if (version != 1 || entries != PDUMP_POINTER_SORTED_TABLE ||
        count == PDUMP_POINTER_OMITTED || frame == PDUMP_POINTER_OMITTED)
        return false;
    pdump_unwind_pointer(&b, frame);
    out->header = header;
    out->n = (uint32_t)pdump_unwind_pointer(&b, count);
    out->entries = b.at;
    return !b.is_bad && out->n > 0;
}

/* Returns the address of the description that may contain `pc`, or 0. */
static uintptr_t table_search(const struct table *t, uintptr_t pc)
{
    int64_t wanted = (int64_t)(pc - t->header);
    uint32_t low = 0, high = t->n; /* the entry is in low..high-1 */
    struct entry few[32];
    int found = -1;

    while (high - low > 32) {
        uint32_t middle = low + (high - low) / 2;

        if (!pdump_safe_read(few, t->entries + middle * sizeof(*few),
                             sizeof(*few)))
            return 0;
        if (few[0].code <= wanted)
            low = middle;
        else
            high = middle;
    }
    if (!pdump_safe_read(few, t->entries + low * sizeof(*few),
                         (high - low) * sizeof(*few)))
        return 0;
    for (uint32_t i = 0; i < high - low && few[i].code <= wanted; i++)
        found = (int)i;
    return found < 0 ? 0
                     : t->header + (uintptr_t)(intptr_t)few[found].description;
}

struct common {
    uint8_t encoding;
    bool has_size;  /* of additional data */
    bool is_signal; /* a frame that the kernel has made */
};

/* Reads the additional data of a CIE. */
static void common_augmentation(struct pdump_unwind_bytes *b,
                                const char *letters, struct common *c)
{
    uint64_t n = pdump_unwind_uleb(b);
    struct pdump_unwind_bytes inner = *b;

    pdump_unwind_skip(b, n);
    for (letters++; *letters; letters++)
        switch (*letters) {
        case 'R':
            c->encoding = pdump_unwind_u8(&inner);
            break;
        case 'P':
            pdump_unwind_pointer(&inner, pdump_unwind_u8(&inner) & 0x7f);
            break;
        case 'L':
            pdump_unwind_u8(&inner);
            break;
        case 'S':
            c->is_signal = true;
            break;
        default:
            break; /* 'B': addresses are signed by another key */
        }
    b->is_bad |= inner.is_bad;
}

/* Runs the CIE at `at`. */
static bool common_run(struct pdump_unwind_buffer *buffer, uintptr_t at,
                       struct pdump_unwind_program *p, struct common *c)
{
    struct pdump_unwind_bytes b = { .buffer = buffer, .at = at, .end = at + 4 };
    uint32_t size = pdump_unwind_u32(&b);
    char letters[8];
    uint8_t version;
    size_t n = 0;

    b.end = b.at + size;
    if (size >= 0xfffffff0 || pdump_unwind_u32(&b) != 0)
        return false;
    version = pdump_unwind_u8(&b);
    do
        letters[n] = (char)pdump_unwind_u8(&b);
    while (letters[n] && ++n < sizeof(letters));
    if (n == sizeof(letters) || (version != 1 && version != 3))
        return false;
    p->code_align = pdump_unwind_uleb(&b);
    p->data_align = pdump_unwind_sleb(&b);
    if (pdump_unwind_uleb(&b) != PDUMP_ARCH_RA)
        return false;
    c->has_size = letters[0] == 'z';
    if (c->has_size)
        common_augmentation(&b, letters, c);
    else if (letters[0])
        return false;
    p->pc = UINTPTR_MAX;
    return pdump_unwind_program_run(p, &b);
}

/* Runs the FDE at `at`. */
static bool description_run(struct pdump_unwind_buffer *buffer, uintptr_t at,
                            uintptr_t pc, struct pdump_unwind_program *p)
{
    struct pdump_unwind_bytes b = { .buffer = buffer, .at = at, .end = at + 4 };
    uint32_t size = pdump_unwind_u32(&b), back;
    struct common c = { .encoding = 0 };
    uintptr_t size_of_code;

    b.end = b.at + size;
    if (size == 0 || size >= 0xfffffff0)
        return false;
    back = pdump_unwind_u32(&b);
    if (b.is_bad || back == 0 || !common_run(buffer, b.at - 4 - back, p, &c))
        return false;
    p->encoding = c.encoding;
    p->first = p->row;
    p->n_kept = 0;
    p->pc = pc;
    p->at = pdump_unwind_pointer(&b, c.encoding);
    size_of_code = pdump_unwind_pointer(&b, c.encoding & 0x0f);
    if (b.is_bad || pc - p->at >= size_of_code)
        return false;
    if (c.is_signal) {
        p->row.kind = PDUMP_UNWIND_SIGNAL;
        return true;
    }
    if (c.has_size)
        pdump_unwind_skip(&b, pdump_unwind_uleb(&b));
    return pdump_unwind_program_run(p, &b);
}

bool pdump_unwind_row_find(struct pdump_unwind_buffer *buffer, uintptr_t header,
                           uintptr_t pc, struct pdump_unwind_row *out)
{
    struct pdump_unwind_program p;
    struct table t;
    uintptr_t at;

    buffer->n = 0; /* may be of a library that has been unloaded */
    memset(&p, 0, sizeof(p));
    if (!header || !table_open(buffer, header, &t))
        return false;
    at = table_search(&t, pc);
    if (!at || !description_run(buffer, at, pc, &p))
        return false;
    *out = p.row;
    return out->kind != PDUMP_UNWIND_NONE;
}
