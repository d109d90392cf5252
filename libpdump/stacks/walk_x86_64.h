/* SPDX-License-Identifier: BSD-3-Clause */
/* What a walk has to know about x86-64.  Registers have DWARF's numbers. */
#ifndef PDUMP_WALK_X86_64_H
#define PDUMP_WALK_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum {
    PDUMP_ARCH_REGISTERS = 17,
    PDUMP_ARCH_FP = 6,
    PDUMP_ARCH_SP = 7,
    PDUMP_ARCH_RA = 16, /* stands for the return address */
    PDUMP_ARCH_SAVED = 7,
};

/* The registers that functions save for their callers; the last one is the
 * return address. */
#define PDUMP_ARCH_SAVED_LIST    \
    {                            \
        3, 6, 12, 13, 14, 15, 16 \
    }

/* The part of a context that has the registers. */
enum {
    PDUMP_ARCH_CONTEXT_SIZE =
        offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t)
};

static inline void pdump_arch_start(const ucontext_t *context, uint64_t *reg,
                                    uintptr_t *pc)
{
    static const unsigned char from[PDUMP_ARCH_RA] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
        REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
    };

    for (int i = 0; i < PDUMP_ARCH_RA; i++)
        reg[i] = (uint64_t)context->uc_mcontext.gregs[from[i]];
    reg[PDUMP_ARCH_RA] = 0;
    *pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Returns the context that a signal handler returns to, from the stack pointer
 * when the handler has returned. */
static inline uintptr_t pdump_arch_signal_context(uintptr_t sp)
{
    return sp;
}

enum { PDUMP_ARCH_TRAMPOLINE_MAX = 9 /* bytes */ };

/* Returns true if these bytes are the code that signal handlers return to,
 * which asks the kernel to go on where the signal was. */
static inline bool pdump_arch_is_trampoline(const unsigned char *bytes)
{
    static const unsigned char wide[] = {
        0x48, 0xc7, 0xc0, 15, 0, 0, 0, 15, 5
    };
    static const unsigned char narrow[] = { 0xb8, 15, 0, 0, 0, 15, 5 };

    return memcmp(bytes, wide, sizeof(wide)) == 0 ||
           memcmp(bytes, narrow, sizeof(narrow)) == 0;
}

/* Returns a return address without the marks that hardware adds. */
static inline uintptr_t pdump_arch_code(uint64_t address)
{
    return (uintptr_t)address;
}

/* Calls put the return address on the stack. */
enum { PDUMP_ARCH_HAS_LINK = 0 };

enum { PDUMP_ARCH_CALL_MAX = 7 /* bytes */ };

/* Returns true if these bytes, PDUMP_ARCH_CALL_MAX of them, end with a call. */
static inline bool pdump_arch_is_call(const unsigned char *bytes)
{
    static const unsigned char sizes[] = { 2, 3, 4, 6, 7 };

    if (bytes[PDUMP_ARCH_CALL_MAX - 5] == 0xe8)
        return true;
    for (size_t i = 0; i < sizeof(sizes); i++) {
        const unsigned char *at = bytes + PDUMP_ARCH_CALL_MAX - sizes[i];

        if (at[0] == 0xff && (at[1] >> 3 & 7) == 2)
            return true;
    }
    return false;
}

#endif
