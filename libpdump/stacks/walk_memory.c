/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that a walk reads.
 *
 * A thread that uses its own stack has mapped everything between its stack
 * pointer and the first frame, and it stays mapped while the handler runs.
 * That is checked once for each page that the stack grows by.  Other stacks, of
 * coroutines or for signals, are copied piece by piece: they may be anywhere.
 */
#include "stacks/walk_private.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    STACK_MAX = 64 * 1024 * 1024, /* looked at page by page */
    GROWTH_MAX = 1024 * 1024,     /* from one stack to the next */
};

/* Where the loader has found the arguments of the program. */
extern void *__libc_stack_end __attribute__((weak));

/* Returns an address above the first frame of this thread's own stack.  The C
 * library puts its data about a thread there. */
static uintptr_t stack_top(void)
{
    if (getpid() != (pid_t)syscall(SYS_gettid))
        return (uintptr_t)pthread_self();
    return &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
}

void pdump_walk_memory_start(struct pdump_walker *w)
{
    uintptr_t sp = w->reg[PDUMP_ARCH_SP] & ~(uintptr_t)7;
    bool is_first = !w->high;

    if (is_first)
        w->low = w->high = stack_top() & ~(uintptr_t)7;
    if (sp >= w->low || w->low - sp > (is_first ? STACK_MAX : GROWTH_MAX))
        return;
    if (pdump_safe_read_all_pages(sp, w->low))
        w->low = sp;
}

bool pdump_walk_word_copied(struct pdump_walker *w, uintptr_t at, uint64_t *out)
{
    if (w->chunk_n < sizeof(*out) || at < w->chunk_at ||
        at - w->chunk_at > w->chunk_n - sizeof(*out)) {
        w->chunk_at = at;
        w->chunk_n =
            (uint32_t)pdump_safe_read_some(w->chunk, at, sizeof(w->chunk));
        if (w->chunk_n < sizeof(*out))
            return false;
    }
    memcpy(out, w->chunk + (at - w->chunk_at), sizeof(*out));
    return true;
}
