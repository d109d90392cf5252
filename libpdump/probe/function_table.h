/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of compiled code that a session has seen, found by address
 * without a lock. */
#ifndef PDUMP_FUNCTION_TABLE_H
#define PDUMP_FUNCTION_TABLE_H

#include "record/region.h"
#include "store/store_layout.h"

#include <stdbool.h>

enum {
    PDUMP_FUNCTION_THROTTLED = 1, /* visits are only counted */
    PDUMP_FUNCTION_EXCLUDED = 2,  /* excluded by the filter */
};

/* A function.  Only the flags change. */
struct pdump_function {
    uintptr_t address;
    uint32_t region; /* ref */
    uint32_t epoch;  /* value of pdump_function_table_epoch */
    _Atomic uint32_t flags;
};

/* Open addressing, at most half full.  A table is replaced by a larger one, but
 * never moved. */
struct pdump_function_slots {
    uint32_t mask;
    _Atomic(struct pdump_function *) slots[];
};

struct pdump_function_table {
    struct pdump_store *store;
    struct pdump_regions *regions;
    _Atomic(struct pdump_function_slots *) table; /* NULL before the first */
    uint32_t n;
    struct pdump_function *free; /* memory for more functions */
    uint32_t n_free;
    struct pdump_function_memory *memory; /* list of all memory */
    bool may_leave_out; /* some functions may be excluded or throttled */
    pthread_mutex_t lock;
};

void pdump_function_table_open(struct pdump_function_table *f,
                               struct pdump_store *store,
                               struct pdump_regions *regions,
                               bool is_throttled);
void pdump_function_table_close(struct pdump_function_table *f);

/* Returns the function at an address, made if new; NULL if out of memory. */
struct pdump_function *pdump_function_table_add(struct pdump_function_table *f,
                                                uintptr_t address);

/* Called when code is unloaded: addresses may belong to other functions from
 * now on. */
void pdump_function_table_unload(void);
extern PDUMP_NEAR _Atomic uint32_t pdump_function_table_epoch;

/* Returns the slot that contains the address, or the free slot for it. */
static inline _Atomic(struct pdump_function *) *pdump_function_table_slot(
    struct pdump_function_slots *table, uintptr_t address)
{
    uint64_t hash = (uint64_t)address * UINT64_C(0x9e3779b97f4a7c15);

    for (uint32_t i = (uint32_t)(hash >> 32) & table->mask;;
         i = (i + 1) & table->mask) {
        const struct pdump_function *function =
            atomic_load_explicit(&table->slots[i], memory_order_acquire);

        if (!function || function->address == address)
            return &table->slots[i];
    }
}

/* Returns the function at an address, or NULL.  Takes no lock. */
static inline struct pdump_function *pdump_function_table_find(
    const struct pdump_function_table *f, uintptr_t address)
{
    struct pdump_function_slots *table =
        atomic_load_explicit(&f->table, memory_order_acquire);
    struct pdump_function *function =
        table ? atomic_load_explicit(pdump_function_table_slot(table, address),
                                     memory_order_acquire)
              : NULL;

    if (function &&
        function->epoch != atomic_load_explicit(&pdump_function_table_epoch,
                                                memory_order_relaxed))
        return NULL;
    return function;
}

#endif
