/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in anonymous memory: one reservation, made usable piece by piece. */
#include "store.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SEGMENT = 256 * 1024, /* the least that is made usable at once */
    RESERVE_MIN = 1024 * 1024,
    REFILL_MIN = 4 * 1024 / 8,
    REFILL_MAX = 256 * 1024 / 8,
};

struct pdump_store {
    char *base;
    size_t reserved;
    size_t usable;
    size_t used;
    pthread_mutex_t lock;
};

static bool make_usable(struct pdump_store *s, size_t want)
{
    size_t to = (want + SEGMENT - 1) / SEGMENT * SEGMENT;

    /* Grow by a quarter, so that a large store needs few calls. */
    if (to < s->usable + s->usable / 4)
        to = (s->usable + s->usable / 4) / SEGMENT * SEGMENT;
    if (to > s->reserved)
        to = s->reserved;
    if (want > to)
        return false;
    if (mprotect(s->base + s->usable, to - s->usable, PROT_READ | PROT_WRITE))
        return false;
    s->usable = to;
    return true;
}

static uint32_t take(struct pdump_store *s, size_t bytes)
{
    size_t at = s->used;

    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > s->reserved - at)
        return 0;
    if (at + bytes > s->usable && !make_usable(s, at + bytes))
        return 0;
    s->used = at + bytes;
    return (uint32_t)(at / 8);
}

int pdump_store_open(struct pdump_store **out, size_t max, size_t head)
{
    struct pdump_store *s = calloc(1, sizeof(*s));

    if (!s)
        return pdump_no_memory();
    /* A limit on addresses (ulimit -v) may forbid the whole; take what fits. */
    s->base = MAP_FAILED;
    for (; max >= RESERVE_MIN && s->base == MAP_FAILED; max /= 2) {
        s->reserved = max;
        s->base = mmap(NULL, max, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (s->base == MAP_FAILED) {
        free(s);
        return pdump_no_memory();
    }
    /* A child of fork() starts empty: it need not pay for our pages. */
    madvise(s->base, s->reserved, MADV_DONTFORK);
    pthread_mutex_init(&s->lock, NULL);
    take(s, head);
    if (s->used < head) {
        pdump_store_close(s);
        return pdump_no_memory();
    }
    *out = s;
    return PDUMP_OK;
}

void pdump_store_close(struct pdump_store *s)
{
    if (!s)
        return;
    munmap(s->base, s->reserved);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

char *pdump_store_base(const struct pdump_store *s)
{
    return s->base;
}

uint32_t pdump_store_alloc(struct pdump_store *s, size_t bytes)
{
    uint32_t ref;

    pthread_mutex_lock(&s->lock);
    ref = take(s, bytes);
    pthread_mutex_unlock(&s->lock);
    return ref;
}

size_t pdump_store_used(const struct pdump_store *s)
{
    return s->used;
}

uint32_t pdump_store_text(struct pdump_store *s, const char *text, size_t len)
{
    uint32_t ref = pdump_store_alloc(s, len + 1);

    if (ref)
        memcpy(pdump_store_at(s->base, ref), text, len);
    return ref;
}

void pdump_arena_init(struct pdump_arena *arena, struct pdump_store *store)
{
    *arena = (struct pdump_arena){ .store = store, .refill = REFILL_MIN };
}

uint32_t pdump_arena_alloc(struct pdump_arena *arena, size_t bytes)
{
    uint32_t units = (uint32_t)((bytes + 7) / 8);
    uint32_t ref;

    if (arena->end - arena->next < units) {
        uint32_t ask = arena->refill > units ? arena->refill : units;

        ref = pdump_store_alloc(arena->store, (size_t)ask * 8);
        if (!ref)
            return 0;
        arena->next = ref;
        arena->end = ref + ask;
        if (arena->refill < REFILL_MAX)
            arena->refill *= 2;
    }
    ref = arena->next;
    arena->next += units;
    return ref;
}
