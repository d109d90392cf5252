/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of compiled code that a session has seen. */
#include "probe/function_table.h"
#include "record/symbols.h"
#include "system/kernel_memory.h"

#include <string.h>

enum { TABLE_MIN = 1024, FUNCTIONS = 1024 /* per allocation */ };

_Atomic uint32_t pdump_function_table_epoch;

void pdump_function_table_unload(void)
{
    atomic_fetch_add(&pdump_function_table_epoch, 1);
}

void pdump_function_table_open(struct pdump_function_table *f,
                               struct pdump_store *store,
                               struct pdump_regions *regions, bool is_throttled)
{
    memset(f, 0, sizeof(*f));
    f->store = store;
    f->regions = regions;
    pthread_mutex_init(&f->lock, NULL);
    f->may_leave_out = regions->filter || is_throttled;
}

/* Zeroed memory that is kept until the end.  Not from malloc(), because the
 * first call of a function may be in a signal handler. */
struct pdump_function_memory {
    struct pdump_function_memory *older;
    size_t size;
};

static void *get_memory(struct pdump_function_table *f, size_t size)
{
    struct pdump_function_memory *memory;

    size += sizeof(*memory);
    memory = pdump_kernel_memory_get(size);
    if (!memory)
        return NULL;
    memory->older = f->memory;
    memory->size = size;
    f->memory = memory;
    return memory + 1;
}

void pdump_function_table_close(struct pdump_function_table *f)
{
    while (f->memory) {
        struct pdump_function_memory *older = f->memory->older;

        pdump_kernel_memory_free(f->memory, f->memory->size);
        f->memory = older;
    }
    if (f->store)
        pthread_mutex_destroy(&f->lock);
    memset(f, 0, sizeof(*f));
}

/* Make room for one more slot.  Called under the lock. */
static bool slots_grow(struct pdump_function_table *f)
{
    struct pdump_function_slots *old = f->table, *new;
    uint32_t size = old ? (old->mask + 1) * 2 : TABLE_MIN;

    if (old && (f->n + 1) * 2 <= old->mask)
        return true;
    new = get_memory(f, sizeof(*new) + size * sizeof(new->slots[0]));
    if (!new)
        return false;
    new->mask = size - 1;
    for (uint32_t i = 0; old && i <= old->mask; i++)
        if (old->slots[i])
            *pdump_function_table_slot(new, old->slots[i]->address) =
                old->slots[i];
    atomic_store_explicit(&f->table, new, memory_order_release);
    return true;
}

/* Returns memory for one more function, or NULL.  The caller takes it by
 * changing f->n_free. */
static struct pdump_function *function_room(struct pdump_function_table *f)
{
    if (f->n_free == 0) {
        f->free = get_memory(f, FUNCTIONS * sizeof(*f->free));
        f->n_free = f->free ? FUNCTIONS : 0;
    }
    return f->n_free ? f->free : NULL;
}

/* Add a function.  Called under the lock.  Functions of unloaded code are not
 * freed, because other threads may be using them. */
static struct pdump_function *function_make(struct pdump_function_table *f,
                                            uintptr_t address, uint32_t ref,
                                            uint32_t epoch)
{
    struct pdump_function *function = function_room(f);
    const struct pdump_region_record *region;
    _Atomic(struct pdump_function *) *slot;

    if (!function || !slots_grow(f))
        return NULL;
    function->region = ref;
    function->address = address;
    function->epoch = epoch;
    region = pdump_store_at(f->regions->base, function->region);
    if (region->is_excluded)
        function->flags = PDUMP_FUNCTION_EXCLUDED;
    f->free++;
    f->n_free--;
    slot = pdump_function_table_slot(f->table, address);
    f->n += *slot == NULL;
    atomic_store_explicit(slot, function, memory_order_release);
    return function;
}

struct pdump_function *pdump_function_table_add(struct pdump_function_table *f,
                                                uintptr_t address)
{
    struct pdump_function *function = pdump_function_table_find(f, address);
    uint32_t epoch = pdump_function_table_epoch;
    char place[PDUMP_PLACE_MAX];
    uint32_t ref;

    if (function)
        return function;
    /* Not under the lock, because this takes a lock of the loader. */
    pdump_symbols_place(address, place, sizeof(place));
    if (pdump_regions_add(f->regions, place, strlen(place),
                          PDUMP_GROUP_FUNCTION, NULL, 0, &ref) < 0)
        return NULL;
    pthread_mutex_lock(&f->lock);
    function = pdump_function_table_find(f, address);
    if (!function)
        function = function_make(f, address, ref, epoch);
    pthread_mutex_unlock(&f->lock);
    return function;
}
