/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions that Python has open on a thread, and why: libpdump wants the
 * innermost region to end first, but functions and the program's own regions
 * need not nest.
 *
 *     def start(): pdump.region_begin("work")     # "work" outlives start()
 *     def stop(): pdump.region_end("work")        # and ends inside stop()
 *
 * A function that returns below an open region of the program stays open until
 * that region ends; a region that ends below open functions ends them, and
 * their returns then do nothing.  So everything is counted once.
 *
 * All of this under the GIL.
 */
#ifndef PDUMP_REGION_STACK_H
#define PDUMP_REGION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pdump_entry_state {
    PDUMP_ENTRY_OPEN,
    PDUMP_ENTRY_ENDED,    /* for libpdump; its function still runs */
    PDUMP_ENTRY_RETURNED, /* the function did; libpdump does not know yet */
};

struct pdump_entry {
    const void *key;  /* a function's frame or code; the name of a region */
    const char *name; /* as of name_pool.h */
    enum pdump_entry_state state;
};

struct pdump_stack {
    struct pdump_entry *entries;
    uint32_t n, room;
    unsigned epoch;   /* of the session that the entries belong to */
    bool has_lost;    /* entries, in a fork or with a session */
    uint32_t n_modes; /* instrumenter.enable() and disable() of this thread */
    uint64_t modes;   /* the innermost is bit 0 */
};

extern __thread struct pdump_stack pdump_stack;

/* Grows with every session; entries of earlier ones are void. */
extern unsigned pdump_epoch;

/* False after pdump_finalize(): no function is entered. */
extern bool pdump_is_session;

/* Are calls recorded, on threads that have not decided for themselves? */
extern bool pdump_mode_default;

static inline bool pdump_stack_wants_calls(const struct pdump_stack *s)
{
    return s->n_modes ? s->modes & 1 : pdump_mode_default;
}

/* instrumenter.enable() and disable(), and back. */
void pdump_stack_push_mode(bool wants_calls);
void pdump_stack_pop_mode(void);

/* A function is entered, and left; `key` is what both have in common. */
void pdump_stack_enter(const void *key, const char *name);
void pdump_stack_leave(const void *key);

/* The same, if it is not the innermost entry: below regions of the program, or
 * below functions whose ends we have missed, or not there at all. */
void pdump_stack_leave_below(const void *key);

/* Is anything above the innermost entry with that key? */
bool pdump_stack_is_below(const void *key);

/* A region of the program.  What libpdump said. */
int pdump_stack_begin(const char *name);
int pdump_stack_end(const char *name);

/* The same for a block, which cannot be misused: if it is not the innermost
 * region, tasks that nobody watches take turns. */
int pdump_stack_end_block(const char *name);

/* A frame is suspended: end the program's regions above its entry and keep
 * their names for when it goes on (suspended_regions.h). */
void pdump_stack_suspend(const void *key, const void *frame);
void pdump_stack_suspend_above(uint32_t first, const void *frame);
void pdump_stack_resume(const void *frame);

/* End all functions of this thread: nobody will tell us of their returns. */
void pdump_stack_leave_all(void);

/* A session begins, or is about to end. */
void pdump_stack_new_session(void);
void pdump_stack_end_session(void);

/* To be called once. */
void pdump_stack_watch_forks(void);

/* Entries of an earlier session are dropped. */
void pdump_stack_refresh(struct pdump_stack *s);

static inline struct pdump_stack *pdump_stack_here(void)
{
    struct pdump_stack *s = &pdump_stack;

    __asm__("" : "+r"(s)); /* asked for once: it is not free */
    if (__builtin_expect(s->epoch != pdump_epoch, 0))
        pdump_stack_refresh(s);
    return s;
}

#endif
