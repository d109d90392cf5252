/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of compiled code that a session has met. */
#include "functions.h"
#include "log.h"
#include "symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TABLE_MIN = 1024, FUNCTIONS = 1024 /* at a time */ };

_Atomic uint32_t pdump_functions_epoch;

void pdump_functions_unload(void)
{
    atomic_fetch_add(&pdump_functions_epoch, 1);
}

/* "COUNT:NS" */
static bool parse(const char *text, long long *count, long long *ns)
{
    char *end;

    errno = 0;
    *count = strtoll(text, &end, 10);
    if (end == text || *end != ':' || *count <= 0)
        return false;
    text = end + 1;
    *ns = strtoll(text, &end, 10);
    return end != text && !*end && *ns > 0 && errno == 0;
}

void pdump_functions_open(struct pdump_functions *f, struct pdump_store *store,
                          struct pdump_regions *regions, const char *throttle,
                          double scale)
{
    long long count = 0, ns = 0;

    memset(f, 0, sizeof(*f));
    f->store = store;
    f->regions = regions;
    pthread_mutex_init(&f->lock, NULL);
    f->throttle = throttle;
    f->leaves_out = regions->filter != NULL;
    if (!*throttle || strcmp(throttle, "off") == 0)
        return;
    if (!parse(throttle, &count, &ns)) {
        pdump_warn("PDUMP_THROTTLE",
                   "PDUMP_THROTTLE=%.100s is not COUNT:NS, such as "
                   "100000:1000; all visits are recorded",
                   throttle);
        return;
    }
    f->leaves_out = true;
    f->throttle_visits = count;
    f->throttle_ticks = (int64_t)((double)ns / (scale > 0 ? scale : 1.0));
}

/* Memory that comes as zeroes and is kept until the end.  Not from malloc():
 * a signal handler may be the first to call a function, and may have come upon
 * the program there. */
struct pdump_function_memory {
    struct pdump_function_memory *older;
    size_t size;
};

static void *get_memory(struct pdump_functions *f, size_t size)
{
    struct pdump_function_memory *memory;

    size += sizeof(*memory);
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    memory->older = f->memory;
    memory->size = size;
    f->memory = memory;
    return memory + 1;
}

void pdump_functions_close(struct pdump_functions *f)
{
    while (f->memory) {
        struct pdump_function_memory *older = f->memory->older;

        munmap(f->memory, f->memory->size);
        f->memory = older;
    }
    if (f->store)
        pthread_mutex_destroy(&f->lock);
    memset(f, 0, sizeof(*f));
}

/* Room for one more; under the lock. */
static bool grow(struct pdump_functions *f)
{
    struct pdump_function_table *old = f->table, *new;
    uint32_t size = old ? (old->mask + 1) * 2 : TABLE_MIN;

    if (old && (f->n + 1) * 2 <= old->mask)
        return true;
    new = get_memory(f, sizeof(*new) + size * sizeof(new->slots[0]));
    if (!new)
        return false;
    new->mask = size - 1;
    for (uint32_t i = 0; old && i <= old->mask; i++)
        if (old->slots[i])
            *pdump_functions_slot(new, old->slots[i]->address) = old->slots[i];
    atomic_store_explicit(&f->table, new, memory_order_release);
    return true;
}

/* Room for one more function.  Taken when it is used: f->n_free. */
static struct pdump_function *room(struct pdump_functions *f)
{
    if (f->n_free == 0) {
        f->free = get_memory(f, FUNCTIONS * sizeof(*f->free));
        f->n_free = f->free ? FUNCTIONS : 0;
    }
    return f->n_free ? f->free : NULL;
}

/* Under the lock.  What was unloaded keeps its entry: others may be in it. */
static struct pdump_function *make(struct pdump_functions *f, uintptr_t address,
                                   const char *place, uint32_t epoch)
{
    struct pdump_function *function = room(f);
    const struct pdump_region_record *region;
    _Atomic(struct pdump_function *) *slot;

    if (!function || !grow(f) ||
        pdump_regions_add(f->regions, place, strlen(place),
                          PDUMP_GROUP_FUNCTION, NULL, 0, &function->region) < 0)
        return NULL;
    function->address = address;
    function->epoch = epoch;
    region = pdump_store_at(f->regions->base, function->region);
    if (region->is_excluded)
        function->flags = PDUMP_FUNCTION_EXCLUDED;
    f->free++;
    f->n_free--;
    slot = pdump_functions_slot(f->table, address);
    f->n += *slot == NULL;
    atomic_store_explicit(slot, function, memory_order_release);
    return function;
}

struct pdump_function *pdump_functions_add(struct pdump_functions *f,
                                           uintptr_t address)
{
    struct pdump_function *function = pdump_functions_find(f, address);
    uint32_t epoch = pdump_functions_epoch;
    char place[PDUMP_PLACE_MAX];
    struct pdump_symbol symbol;

    if (function)
        return function;
    /* Not under our lock: this takes one of the loader's. */
    pdump_symbols_place(address, place, sizeof(place));
    if (f->regions->filter) /* whose rules are for names: find it here, too */
        pdump_symbols_find(place, &symbol);
    pthread_mutex_lock(&f->lock);
    function = pdump_functions_find(f, address);
    if (!function)
        function = make(f, address, place, epoch);
    pthread_mutex_unlock(&f->lock);
    return function;
}

/* From now on its visits are counted, and that is all.  Without a record to
 * count them in they go on being recorded. */
static void throttle(struct pdump_functions *f, struct pdump_function *function)
{
    struct pdump_head *head = (void *)pdump_store_base(f->store);
    struct pdump_throttle_record *record;
    uint32_t ref;

    pthread_mutex_lock(&f->lock);
    ref =
        function->throttled
            ? 0
            : pdump_store_alloc(f->store, sizeof(struct pdump_throttle_record));
    if (ref) {
        record = pdump_store_at((char *)head, ref);
        record->region = function->region;
        record->next = head->throttled;
        atomic_store_explicit(&head->throttled, ref, memory_order_release);
        function->throttled = ref;
        atomic_fetch_or(&function->flags, PDUMP_FUNCTION_THROTTLED);
    }
    pthread_mutex_unlock(&f->lock);
    if (ref)
        pdump_warn("throttle",
                   "short functions are left out after many visits "
                   "(PDUMP_THROTTLE=%.100s); the dump says which",
                   f->throttle);
}

void pdump_functions_count(struct pdump_functions *f,
                           struct pdump_function *function, int64_t ticks)
{
    /* Not exact where threads meet, and cheap. */
    int64_t visits =
        atomic_load_explicit(&function->visits, memory_order_relaxed) + 1;
    int64_t sum =
        atomic_load_explicit(&function->ticks, memory_order_relaxed) + ticks;

    if (visits > f->throttle_visits) {
        if (sum / visits < f->throttle_ticks)
            throttle(f, function);
        visits = sum = 0; /* else look again after as many */
    }
    atomic_store_explicit(&function->visits, visits, memory_order_relaxed);
    atomic_store_explicit(&function->ticks, sum, memory_order_relaxed);
}
