/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack of regions that Python has open on a thread.
 *
 * libpdump requires that the innermost region ends first, but functions and the
 * program's own regions need not nest:
 *
 *     def start(): pdump.region_begin("work")     # "work" outlives start()
 *     def stop(): pdump.region_end("work")        # and ends inside stop()
 *
 * A function that returns below an open region of the program stays open until
 * that region ends.  A region that ends below open functions ends them, and
 * their returns then do nothing.  So everything is counted once.
 *
 * All of this runs under the GIL.
 */
#ifndef PDUMP_REGION_STACK_H
#define PDUMP_REGION_STACK_H

#include "heirs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pdump_entry_state {
    PDUMP_ENTRY_OPEN,
    PDUMP_ENTRY_ENDED,    /* libpdump has ended it; the function still runs */
    PDUMP_ENTRY_RETURNED, /* the function has returned; libpdump still has it */
};

struct pdump_entry {
    const void *key;  /* frame or code of a function; name of a region */
    const char *name; /* from name_pool.h */
    enum pdump_entry_state state;
};

struct pdump_stack {
    struct pdump_entry *entries;
    uint32_t n, room;
    unsigned epoch;   /* session of the entries */
    bool has_lost;    /* lost entries in a fork or with a session */
    uint32_t n_modes; /* depth of instrumenter.enable() and disable() */
    uint64_t modes;   /* bit 0 is the innermost */
    char heir;        /* 'y', 'n', or 0 if it is not known yet (heirs.h) */
};

extern __thread struct pdump_stack pdump_stack;

/* Incremented with every session; entries of earlier ones are invalid. */
extern unsigned pdump_epoch;

/* False after pdump_finalize(): functions are not entered then. */
extern bool pdump_is_session;

/* True if calls are recorded on threads that have no mode of their own. */
extern bool pdump_mode_default;

static inline bool pdump_stack_wants_calls(struct pdump_stack *s)
{
    if (s->n_modes)
        return s->modes & 1;
    return pdump_mode_default || pdump_heirs_have(&s->heir);
}

/* Push the mode of instrumenter.enable() or disable() on this thread, and pop
 * it. */
void pdump_stack_push_mode(bool wants_calls);
void pdump_stack_pop_mode(void);

/* A function is entered or left; `key` identifies it in both calls. */
void pdump_stack_enter(const void *key, const char *name);
void pdump_stack_leave(const void *key);

/* Leaves a function that is not the innermost entry: it is below regions of the
 * program or below functions whose ends were missed, or it is not in the
 * stack. */
void pdump_stack_leave_below(const void *key);

/* Returns true if there are entries above the innermost one with that key. */
bool pdump_stack_is_below(const void *key);

/* Begin and end a region of the program.  Return the result of libpdump. */
int pdump_stack_begin(const char *name);
int pdump_stack_end(const char *name);

/* Ends the region of a `with` block, which cannot be misused: if it is not the
 * innermost region, then tasks alternate that the instrumentation does not
 * see. */
int pdump_stack_end_block(const char *name);

/* Called when a frame is suspended: end the program's regions above its entry,
 * and keep their names until the frame resumes (suspended_regions.h). */
void pdump_stack_suspend(const void *key, const void *frame);
void pdump_stack_suspend_above(uint32_t first, const void *frame);
void pdump_stack_resume(const void *frame);

/* Ends all functions of this thread, because their returns will not be seen. */
void pdump_stack_leave_all(void);

/* A session begins; a session is about to end. */
void pdump_stack_new_session(void);
void pdump_stack_end_session(void);

/* Called once. */
void pdump_stack_watch_forks(void);

/* Drops the entries of an earlier session. */
void pdump_stack_refresh(struct pdump_stack *s);

static inline struct pdump_stack *pdump_stack_here(void)
{
    struct pdump_stack *s = &pdump_stack;

    __asm__("" : "+r"(s)); /* computed once: TLS access is not free */
    if (__builtin_expect(s->epoch != pdump_epoch, 0))
        pdump_stack_refresh(s);
    return s;
}

#endif
