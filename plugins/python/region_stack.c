/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of regions that Python has open on a thread. */
#include "region_stack.h"
#include "suspended_regions.h"
#include "system/process_state.h"

#include <pdump.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 64, MODES_MAX = 64 };

__thread struct pdump_stack pdump_stack;
unsigned pdump_epoch = 1;
bool pdump_is_session = true;
bool pdump_mode_default;

static pthread_key_t key_of_end;
static bool has_key;

static void at_thread_end(void *stack)
{
    struct pdump_stack *s = stack;

    free(s->entries);
    *s = (struct pdump_stack){ 0 };
}

void pdump_stack_refresh(struct pdump_stack *s)
{
    s->has_lost = s->has_lost || s->n > 0;
    s->n = 0;
    s->epoch = pdump_epoch;
}

static bool stack_grow(struct pdump_stack *s)
{
    uint32_t room = s->room ? 2 * s->room : ROOM_MIN;
    struct pdump_entry *entries = realloc(s->entries, room * sizeof(*entries));

    if (!entries)
        return false;
    if (!s->room && has_key)
        pthread_setspecific(key_of_end, s);
    s->entries = entries;
    s->room = room;
    return true;
}

static inline int stack_push(struct pdump_stack *s, const void *key,
                             const char *name)
{
    int err;

    if (__builtin_expect(s->n == s->room, 0) && !stack_grow(s))
        return PDUMP_ENOMEM;
    err = pdump_region_begin(name);
    s->entries[s->n++] = (struct pdump_entry){
        .key = key,
        .name = name,
        .state = err < 0 ? PDUMP_ENTRY_ENDED : PDUMP_ENTRY_OPEN,
    };
    return err;
}

static bool is_function(const struct pdump_entry *e)
{
    return e->key != e->name;
}

/* Ends functions that have returned below the region that has just ended. */
static void stack_settle(struct pdump_stack *s)
{
    while (s->n && s->entries[s->n - 1].state == PDUMP_ENTRY_RETURNED)
        pdump_region_end(s->entries[--s->n].name);
}

/* Returns the index of the innermost entry with that key, or -1. */
static int64_t stack_find(const struct pdump_stack *s, const void *key)
{
    int64_t i = s->n;

    while (--i >= 0)
        if (s->entries[i].key == key &&
            s->entries[i].state != PDUMP_ENTRY_RETURNED)
            break;
    return i;
}

void pdump_stack_enter(const void *key, const char *name)
{
    struct pdump_stack *s = pdump_stack_here();

    /* A decorated function has its region open already: do not count it
     * twice. */
    if (s->n && __builtin_expect(s->entries[s->n - 1].key == name, 0))
        return;
    if (__builtin_expect(pdump_is_session, 1))
        stack_push(s, key, name);
}

void pdump_stack_leave(const void *key)
{
    struct pdump_stack *s = pdump_stack_here();
    struct pdump_entry *top = s->entries + s->n - 1;

    if (__builtin_expect(!s->n || top->key != key, 0)) {
        pdump_stack_leave_below(key);
        return;
    }
    s->n--;
    if (top->state == PDUMP_ENTRY_OPEN && pdump_region_end(top->name) < 0) {
        /* A region that is not in this stack is open in it, such as a rewind
         * region.  Try again when a function below returns. */
        top->state = PDUMP_ENTRY_RETURNED;
        s->n++;
        return;
    }
    if (__builtin_expect(s->n && top[-1].state == PDUMP_ENTRY_RETURNED, 0))
        stack_settle(s);
}

/* Ends the entries above `i` if all of them are functions: their returns were
 * missed, or the entry `i` ends before them.  Returns false otherwise. */
static bool end_functions_above(struct pdump_stack *s, int64_t i)
{
    for (int64_t k = i + 1; k < s->n; k++)
        if (!is_function(&s->entries[k]))
            return false;
    for (int64_t k = (int64_t)s->n - 1; k > i; k--) {
        if (s->entries[k].state != PDUMP_ENTRY_ENDED)
            pdump_region_end(s->entries[k].name);
        s->entries[k].state = PDUMP_ENTRY_ENDED;
    }
    return true;
}

void pdump_stack_leave_below(const void *key)
{
    struct pdump_stack *s = pdump_stack_here();
    int64_t i = stack_find(s, key);

    if (i < 0)
        return;
    if (end_functions_above(s, i)) {
        s->n = (uint32_t)i + 1;
        pdump_stack_leave(key);
    } else if (s->entries[i].state == PDUMP_ENTRY_OPEN) {
        s->entries[i].state = PDUMP_ENTRY_RETURNED;
    } else {
        s->n--;
        memmove(&s->entries[i], &s->entries[i + 1],
                (s->n - (size_t)i) * sizeof(s->entries[0]));
    }
}

bool pdump_stack_is_below(const void *key)
{
    const struct pdump_stack *s = pdump_stack_here();

    return s->n && s->entries[s->n - 1].key != key && stack_find(s, key) >= 0;
}

int pdump_stack_begin(const char *name)
{
    if (__builtin_expect(!pdump_is_session, 0))
        return pdump_region_begin(name); /* libpdump refuses it */
    return stack_push(pdump_stack_here(), name, name);
}

/* The name is not in the stack: begun elsewhere, before a fork, or never. */
static int end_unknown(const struct pdump_stack *s, const char *name)
{
    return s->has_lost ? PDUMP_OK : pdump_region_end(name);
}

int pdump_stack_end(const char *name)
{
    struct pdump_stack *s = pdump_stack_here();
    int64_t i = (int64_t)s->n - 1;
    int err;

    if (__builtin_expect(i < 0 || s->entries[i].key != name, 0)) {
        i = stack_find(s, name);
        if (i < 0)
            return end_unknown(s, name);
        if (!end_functions_above(s, i))
            return pdump_region_end(name); /* misuse: libpdump reports it */
    }
    err = s->entries[i].state == PDUMP_ENTRY_OPEN ? pdump_region_end(name)
                                                  : PDUMP_OK;
    s->n--;
    memmove(&s->entries[i], &s->entries[i + 1],
            (s->n - (size_t)i) * sizeof(s->entries[0]));
    stack_settle(s);
    return err;
}

/* Ends entry `i` and everything above it; then begins the regions above it
 * again, because they belong to another task that continues. */
static int end_between(struct pdump_stack *s, int64_t i)
{
    uint32_t n = s->n;

    for (int64_t k = (int64_t)n - 1; k >= i; k--)
        if (s->entries[k].state != PDUMP_ENTRY_ENDED &&
            pdump_region_end(s->entries[k].name) < 0 && k == (int64_t)n - 1)
            return PDUMP_ESTATE; /* a region not in this stack is open */
    s->n = (uint32_t)i;
    for (int64_t k = i + 1; k < n; k++) {
        struct pdump_entry e = s->entries[k];

        if (e.state == PDUMP_ENTRY_RETURNED)
            continue;
        if (is_function(&e))
            e.state = PDUMP_ENTRY_ENDED;
        else if (e.state == PDUMP_ENTRY_OPEN && pdump_region_begin(e.name) < 0)
            e.state = PDUMP_ENTRY_ENDED;
        s->entries[s->n++] = e;
    }
    stack_settle(s);
    return PDUMP_OK;
}

int pdump_stack_end_block(const char *name)
{
    struct pdump_stack *s = pdump_stack_here();
    int64_t i;

    if (__builtin_expect(s->n && s->entries[s->n - 1].key == name, 1))
        return pdump_stack_end(name);
    i = stack_find(s, name);
    for (int64_t k = i + 1; i >= 0 && k < s->n; k++)
        if (!is_function(&s->entries[k]))
            return end_between(s, i);
    return pdump_stack_end(name);
}

void pdump_stack_suspend_above(uint32_t first, const void *frame)
{
    struct pdump_stack *s = pdump_stack_here();

    for (uint32_t k = first; k < s->n; k++)
        if (is_function(&s->entries[k]))
            return; /* a function still runs: not a plain yield */
    for (uint32_t k = s->n; k-- > first;)
        if (s->entries[k].state == PDUMP_ENTRY_OPEN)
            pdump_region_end(s->entries[k].name);
    if (first < s->n) {
        pdump_suspended_keep(frame, &s->entries[first], s->n - first);
        s->n = first;
    }
}

void pdump_stack_suspend(const void *key, const void *frame)
{
    pdump_stack_suspend_above(
        (uint32_t)(stack_find(pdump_stack_here(), key) + 1), frame);
}

void pdump_stack_resume(const void *frame)
{
    struct pdump_suspended *kept = pdump_suspended_take(frame);

    if (!kept)
        return;
    for (uint32_t i = 0; i < kept->n; i++)
        pdump_stack_begin(kept->names[i]);
    free(kept);
}

void pdump_stack_leave_all(void)
{
    struct pdump_stack *s = pdump_stack_here();
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (is_function(&s->entries[i]) &&
            s->entries[i].state == PDUMP_ENTRY_OPEN)
            s->entries[i].state = PDUMP_ENTRY_RETURNED;
    stack_settle(s);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->entries[i].state != PDUMP_ENTRY_ENDED)
            s->entries[kept++] = s->entries[i];
    s->n = kept;
}

void pdump_stack_push_mode(bool wants_calls)
{
    struct pdump_stack *s = &pdump_stack;

    if (s->n_modes < MODES_MAX)
        s->modes = s->modes << 1 | wants_calls;
    s->n_modes++;
}

void pdump_stack_pop_mode(void)
{
    struct pdump_stack *s = &pdump_stack;

    if (s->n_modes == 0)
        return;
    s->n_modes--;
    if (s->n_modes < MODES_MAX)
        s->modes >>= 1;
}

void pdump_stack_new_session(void)
{
    pdump_is_session = true;
}

void pdump_stack_end_session(void)
{
    pdump_is_session = false;
    pdump_epoch++;
    pdump_suspended_forget();
}

static void start_anew(void)
{
    pdump_stack_end_session();
    pdump_stack_new_session();
}

static struct pdump_process_hook in_child = { .call = start_anew };

void pdump_stack_watch_forks(void)
{
    has_key = pthread_key_create(&key_of_end, at_thread_end) == 0;
    pdump_process_in_child(&in_child);
}
