/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the instructions of unwind information (DWARF 5, 6.4.2).
 *
 * Of the expressions, only those are understood that compilers and linkers
 * generate: entries of a PLT, and functions that align their stack.
 */
#include "stacks/unwind_program.h"

#include <string.h>

enum {
    ADVANCE = 0x40, /* the upper two bits */
    OFFSET = 0x80,
    RESTORE = 0xc0,
    NOP = 0x00,
    SET_LOC = 0x01,
    ADVANCE_1 = 0x02,
    ADVANCE_2 = 0x03,
    ADVANCE_4 = 0x04,
    OFFSET_EXTENDED = 0x05,
    RESTORE_EXTENDED = 0x06,
    UNDEFINED = 0x07,
    SAME_VALUE = 0x08,
    REGISTER = 0x09,
    REMEMBER = 0x0a,
    RECALL = 0x0b,
    CFA = 0x0c,
    CFA_REGISTER = 0x0d,
    CFA_OFFSET = 0x0e,
    CFA_EXPRESSION = 0x0f,
    EXPRESSION = 0x10,
    OFFSET_EXTENDED_SIGNED = 0x11,
    CFA_SIGNED = 0x12,
    CFA_OFFSET_SIGNED = 0x13,
    VALUE_OFFSET = 0x14,
    VALUE_OFFSET_SIGNED = 0x15,
    VALUE_EXPRESSION = 0x16,
    RETURN_ADDRESS_STATE = 0x2d, /* aarch64: the address is signed */
    ARGUMENTS_SIZE = 0x2e,
    OFFSET_EXTENDED_NEGATIVE = 0x2f,
};

enum { OP_DEREF = 0x06, OP_PLUS_CONSTANT = 0x23, OP_BREG = 0x70 };

/* rsp + 8, and 8 more if (rip & 15) >= N, where the entry has pushed a word. */
static const unsigned char plt[] = { 0x77, 8,    0x80, 0,    0x3f, 0x1a,
                                     0,    0x2a, 0x33, 0x24, 0x22 };
enum { PLT_N = 6, OP_LITERAL = 0x30 };

static int slot_of(uint64_t reg)
{
    static const unsigned char list[] = PDUMP_ARCH_SAVED_LIST;

    for (int i = 0; i < PDUMP_ARCH_SAVED; i++)
        if (list[i] == reg)
            return i;
    return -1;
}

static void save(struct pdump_unwind_program *p, struct pdump_unwind_bytes *b,
                 uint64_t reg, int64_t offset, bool by_frame)
{
    int slot = slot_of(reg);

    if (slot < 0)
        return;
    if (offset % 8 || offset / 8 <= INT16_MIN || offset / 8 > INT16_MAX) {
        b->is_bad = true;
        return;
    }
    p->row.saved[slot] = (int16_t)(offset / 8);
    if (reg == PDUMP_ARCH_RA)
        p->row.link = 0;
    p->row.by_frame &= (uint16_t) ~(1u << slot);
    p->row.by_frame |= (uint16_t)((unsigned)by_frame << slot);
}

/* The register has no place in memory; `value` says what it has. */
static void set(struct pdump_unwind_program *p, uint64_t reg, int16_t value)
{
    int slot = slot_of(reg);

    if (slot < 0)
        return;
    p->row.saved[slot] = value;
    p->row.by_frame &= (uint16_t) ~(1u << slot);
}

static void restore(struct pdump_unwind_program *p, uint64_t reg)
{
    int slot = slot_of(reg);

    if (slot < 0)
        return;
    p->row.saved[slot] = p->first.saved[slot];
    p->row.by_frame &= (uint16_t) ~(1u << slot);
    p->row.by_frame |= (uint16_t)(p->first.by_frame & 1u << slot);
}

/* The register `reg` is in another one, as the return address in vfork(). */
static void set_link(struct pdump_unwind_program *p,
                     struct pdump_unwind_bytes *b, uint64_t reg)
{
    uint64_t in = pdump_unwind_uleb(b);

    if (reg == PDUMP_ARCH_RA && in < PDUMP_ARCH_REGISTERS)
        p->row.link = (uint8_t)(in + 1);
}

static void set_cfa(struct pdump_unwind_program *p,
                    struct pdump_unwind_bytes *b, uint64_t reg, int64_t offset)
{
    if (reg >= PDUMP_ARCH_REGISTERS || offset != (int32_t)offset)
        b->is_bad = true;
    if (p->row.kind != PDUMP_UNWIND_END)
        p->row.kind = PDUMP_UNWIND_REGISTER;
    p->row.reg = (uint8_t)reg;
    p->row.offset = (int32_t)offset;
    p->row.more = 0;
}

/* Reads "register + offset" into *reg, *offset.  Returns false if the
 * expression begins with something else. */
static bool take_base(struct pdump_unwind_bytes *b, uint64_t *reg,
                      int64_t *offset)
{
    uint8_t op = pdump_unwind_u8(b);

    if (op < OP_BREG || op >= OP_BREG + 32)
        return false;
    *reg = (uint64_t)(op - OP_BREG);
    *offset = pdump_unwind_sleb(b);
    return true;
}

/* Returns true if the expression is that of a PLT.  Sets *n. */
static bool is_plt(const struct pdump_unwind_bytes *b, int32_t *n)
{
    struct pdump_unwind_bytes look = *b;

    if (look.end - look.at != sizeof(plt))
        return false;
    for (size_t i = 0; i < sizeof(plt); i++) {
        uint8_t byte = pdump_unwind_u8(&look);

        if (i == PLT_N)
            *n = byte - OP_LITERAL;
        else if (byte != plt[i])
            return false;
    }
    return !look.is_bad;
}

static bool cfa_expression(struct pdump_unwind_program *p,
                           struct pdump_unwind_bytes *b)
{
    uint64_t n = pdump_unwind_uleb(b), reg = 0;
    struct pdump_unwind_bytes inner = *b;
    int64_t offset = 0;

    pdump_unwind_skip(b, n);
    inner.end = b->at;
    if (b->is_bad)
        return false;
    if (is_plt(&inner, &p->row.offset)) {
        p->row.kind = PDUMP_UNWIND_PLT;
        return true;
    }
    if (!take_base(&inner, &reg, &offset))
        return false;
    set_cfa(p, b, reg, offset);
    if (inner.at == inner.end)
        return true;
    if (pdump_unwind_u8(&inner) != OP_DEREF)
        return false;
    p->row.kind = PDUMP_UNWIND_MEMORY;
    if (inner.at == inner.end)
        return true;
    if (pdump_unwind_u8(&inner) != OP_PLUS_CONSTANT)
        return false;
    p->row.more = (int32_t)pdump_unwind_uleb(&inner);
    return inner.at == inner.end;
}

/* A register that is saved where an expression says.  Others than "frame
 * pointer + offset" make the register unknown. */
static void expression(struct pdump_unwind_program *p,
                       struct pdump_unwind_bytes *b)
{
    uint64_t saved = pdump_unwind_uleb(b), n = pdump_unwind_uleb(b), reg;
    struct pdump_unwind_bytes inner = *b;
    int64_t offset;

    pdump_unwind_skip(b, n);
    inner.end = b->at;
    if (take_base(&inner, &reg, &offset) && inner.at == inner.end &&
        reg == PDUMP_ARCH_FP)
        save(p, b, saved, offset, true);
    else
        set(p, saved, PDUMP_UNWIND_LOST);
}

static void advance(struct pdump_unwind_program *p, uint64_t by)
{
    p->at += (uintptr_t)(by * p->code_align);
}

static void remember(struct pdump_unwind_program *p,
                     struct pdump_unwind_bytes *b)
{
    if (p->n_kept == PDUMP_UNWIND_KEPT_MAX)
        b->is_bad = true;
    else
        p->kept[p->n_kept++] = p->row;
}

static void recall(struct pdump_unwind_program *p, struct pdump_unwind_bytes *b)
{
    if (p->n_kept == 0)
        b->is_bad = true;
    else
        p->row = p->kept[--p->n_kept];
}

/* Instructions about the CFA.  Returns false if `op` is none of them. */
static bool step_cfa(struct pdump_unwind_program *p,
                     struct pdump_unwind_bytes *b, uint8_t op)
{
    uint64_t reg;

    switch (op) {
    case CFA:
        reg = pdump_unwind_uleb(b);
        set_cfa(p, b, reg, (int64_t)pdump_unwind_uleb(b));
        return true;
    case CFA_SIGNED:
        reg = pdump_unwind_uleb(b);
        set_cfa(p, b, reg, pdump_unwind_sleb(b) * p->data_align);
        return true;
    case CFA_REGISTER:
        set_cfa(p, b, pdump_unwind_uleb(b), p->row.offset);
        return true;
    case CFA_OFFSET:
        set_cfa(p, b, p->row.reg, (int64_t)pdump_unwind_uleb(b));
        return true;
    case CFA_OFFSET_SIGNED:
        set_cfa(p, b, p->row.reg, pdump_unwind_sleb(b) * p->data_align);
        return true;
    case CFA_EXPRESSION:
        b->is_bad |= !cfa_expression(p, b);
        return true;
    default:
        return false;
    }
}

/* Instructions about places.  Returns false if `op` is none of them. */
static bool step_place(struct pdump_unwind_program *p,
                       struct pdump_unwind_bytes *b, uint8_t op)
{
    switch (op) {
    case NOP:
    case RETURN_ADDRESS_STATE:
        return true;
    case SET_LOC:
        p->at = pdump_unwind_pointer(b, p->encoding);
        return true;
    case ADVANCE_1:
        advance(p, pdump_unwind_u8(b));
        return true;
    case ADVANCE_2:
        advance(p, pdump_unwind_u16(b));
        return true;
    case ADVANCE_4:
        advance(p, pdump_unwind_u32(b));
        return true;
    case REMEMBER:
        remember(p, b);
        return true;
    case RECALL:
        recall(p, b);
        return true;
    case ARGUMENTS_SIZE:
        pdump_unwind_uleb(b);
        return true;
    default:
        return false;
    }
}

/* Instructions after which a register has no place in memory. */
static void step_lost(struct pdump_unwind_program *p,
                      struct pdump_unwind_bytes *b, uint8_t op, uint64_t reg)
{
    set(p, reg, PDUMP_UNWIND_LOST);
    switch (op) {
    case UNDEFINED:
        if (reg == PDUMP_ARCH_RA)
            p->row.kind = PDUMP_UNWIND_END;
        break;
    case REGISTER:
        set_link(p, b, reg);
        break;
    case VALUE_OFFSET:
    case VALUE_OFFSET_SIGNED:
        pdump_unwind_uleb(b);
        break;
    case VALUE_EXPRESSION:
        pdump_unwind_skip(b, pdump_unwind_uleb(b));
        break;
    default:
        b->is_bad = true;
    }
}

/* Instructions about saved registers. */
static void step_register(struct pdump_unwind_program *p,
                          struct pdump_unwind_bytes *b, uint8_t op)
{
    uint64_t reg;

    if (op == EXPRESSION) {
        expression(p, b);
        return;
    }
    reg = pdump_unwind_uleb(b);
    switch (op) {
    case OFFSET_EXTENDED:
        save(p, b, reg, (int64_t)pdump_unwind_uleb(b) * p->data_align, false);
        break;
    case OFFSET_EXTENDED_SIGNED:
        save(p, b, reg, pdump_unwind_sleb(b) * p->data_align, false);
        break;
    case OFFSET_EXTENDED_NEGATIVE:
        save(p, b, reg, -(int64_t)pdump_unwind_uleb(b) * p->data_align, false);
        break;
    case RESTORE_EXTENDED:
        restore(p, reg);
        break;
    case SAME_VALUE:
        set(p, reg, PDUMP_UNWIND_SAME);
        break;
    default:
        step_lost(p, b, op, reg);
    }
}

bool pdump_unwind_program_run(struct pdump_unwind_program *p,
                              struct pdump_unwind_bytes *b)
{
    while (!b->is_bad && b->at < b->end && p->at <= p->pc) {
        struct pdump_unwind_row before = p->row;
        uint8_t op = pdump_unwind_u8(b);

        if ((op & 0xc0) == ADVANCE)
            advance(p, op & 0x3f);
        else if ((op & 0xc0) == OFFSET)
            save(p, b, op & 0x3f, (int64_t)pdump_unwind_uleb(b) * p->data_align,
                 false);
        else if ((op & 0xc0) == RESTORE)
            restore(p, op & 0x3f);
        else if (!step_cfa(p, b, op) && !step_place(p, b, op))
            step_register(p, b, op);
        if (p->at > p->pc)
            p->row = before;
    }
    return !b->is_bad;
}
