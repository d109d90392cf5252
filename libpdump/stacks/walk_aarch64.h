/* SPDX-License-Identifier: BSD-3-Clause */
/* What a walk has to know about aarch64.  Registers have DWARF's numbers. */
#ifndef PDUMP_WALK_AARCH64_H
#define PDUMP_WALK_AARCH64_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum {
    PDUMP_ARCH_REGISTERS = 32,
    PDUMP_ARCH_FP = 29,
    PDUMP_ARCH_SP = 31,
    PDUMP_ARCH_RA = 30,
    PDUMP_ARCH_SAVED = 12,
};

/* The registers that functions save for their callers; the last one is the
 * return address. */
#define PDUMP_ARCH_SAVED_LIST                          \
    {                                                  \
        19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 \
    }

/* The part of a context that has the registers. */
enum {
    PDUMP_ARCH_CONTEXT_SIZE =
        offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, pstate)
};

static inline void pdump_arch_start(const ucontext_t *context, uint64_t *reg,
                                    uintptr_t *pc)
{
    for (int i = 0; i <= PDUMP_ARCH_RA; i++)
        reg[i] = context->uc_mcontext.regs[i];
    reg[PDUMP_ARCH_SP] = context->uc_mcontext.sp;
    *pc = (uintptr_t)context->uc_mcontext.pc;
}

/* Returns the context that a signal handler returns to: the kernel puts it
 * behind a siginfo_t at the stack pointer. */
static inline uintptr_t pdump_arch_signal_context(uintptr_t sp)
{
    return sp + sizeof(siginfo_t);
}

enum { PDUMP_ARCH_TRAMPOLINE_MAX = 8 /* bytes */ };

/* Returns true if these bytes are the code that signal handlers return to,
 * which asks the kernel to go on where the signal was. */
static inline bool pdump_arch_is_trampoline(const unsigned char *bytes)
{
    static const unsigned char code[] = { 0x68, 0x11, 0x80, 0xd2,
                                          0x01, 0x00, 0x00, 0xd4 };

    return memcmp(bytes, code, sizeof(code)) == 0;
}

/* Returns a return address without the signature of pointer authentication. */
static inline uintptr_t pdump_arch_code(uint64_t address)
{
    return (uintptr_t)(address & UINT64_C(0xffffffffffff));
}

/* Calls put the return address into a register. */
enum { PDUMP_ARCH_HAS_LINK = 1 };

enum { PDUMP_ARCH_CALL_MAX = 4 /* bytes */ };

/* Returns true if these bytes, PDUMP_ARCH_CALL_MAX of them, end with a call. */
static inline bool pdump_arch_is_call(const unsigned char *bytes)
{
    bool is_direct = (bytes[3] & 0xfc) == 0x94;
    bool is_indirect = bytes[3] == 0xd6 && (bytes[2] & 0xe0) == 0x20;

    return is_direct || is_indirect;
}

#endif
