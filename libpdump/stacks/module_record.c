/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of modules, noted in the store. */
#include "stacks/module_record.h"
#include "stacks/handler_turn.h"
#include "stacks/module_table.h"
#include "store/store_layout.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert((int)PDUMP_BUILD_ID_MAX == (int)PDUMP_MODULE_ID_MAX, "copied");

/* Too large for the stack of a signal handler. */
static char path[PATH_MAX];
static atomic_flag is_used = ATOMIC_FLAG_INIT;

static uint32_t record_make(struct pdump_store *store, struct pdump_module *m)
{
    struct pdump_head *head = (void *)pdump_store_base(store);
    struct pdump_module_record *rec;
    uint32_t ref;
    size_t len;

    if (!pdump_module_table_path(m, path, sizeof(path)))
        return 0;
    len = strlen(path);
    ref = pdump_store_alloc_now(store, sizeof(*rec) + len + 1);
    if (!ref)
        return 0;
    rec = pdump_store_at(pdump_store_base(store), ref);
    memcpy(rec->path, path, len);
    memcpy(rec->id, m->id, m->n_id);
    rec->n_id = m->n_id;
    rec->next = atomic_load(&head->modules);
    while (!atomic_compare_exchange_weak(&head->modules, &rec->next, ref))
        ;
    atomic_store_explicit(&m->record, ref, memory_order_release);
    return ref;
}

uint32_t pdump_module_record_of(struct pdump_store *store, int module,
                                uintptr_t *base)
{
    struct pdump_module *m;
    uint32_t ref;

    *base = 0;
    if (module < 0)
        return 0;
    m = pdump_module_table_at(module);
    ref = atomic_load_explicit(&m->record, memory_order_acquire);
    if (!ref && pdump_handler_turn_take(&is_used)) {
        ref = m->record ? m->record : record_make(store, m);
        pdump_handler_turn_end(&is_used);
    }
    if (ref)
        *base = m->base;
    return ref;
}

void pdump_module_record_forget(void)
{
    for (int i = 0; i < pdump_module_table_count(); i++)
        pdump_module_table_at(i)->record = 0;
    atomic_flag_clear(&is_used);
}
