/* SPDX-License-Identifier: BSD-3-Clause */
/* The stacks of one thread in the store. */
#include "stacks/stack_tree.h"
#include "stacks/module_record.h"
#include "stacks/script_table.h"
#include "system/kernel_memory.h"

#include <string.h>

enum {
    ROOM_MIN = 64, /* nodes in a chunk */
    ROOM_MAX = 4096,
    TABLE_MIN = 1024,
};

static struct pdump_stack_node *node_at(const struct pdump_stack_tree *t,
                                        uint32_t ref)
{
    return pdump_store_at(t->base, ref);
}

static uint32_t home(const struct pdump_stack_tree *t,
                     const struct pdump_stack_node *key)
{
    uint64_t h = key->address + ((uint64_t)key->parent << 20) +
                 ((uint64_t)key->node << 40) + key->module + key->kind;

    return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32) & t->mask;
}

static bool is_same(const struct pdump_stack_node *a,
                    const struct pdump_stack_node *b)
{
    return a->address == b->address && a->parent == b->parent &&
           a->node == b->node && a->module == b->module && a->kind == b->kind;
}

/* Returns the slot of a node, or the free slot for it. */
static uint32_t *slot_of(const struct pdump_stack_tree *t,
                         const struct pdump_stack_node *key)
{
    uint32_t i = home(t, key);

    while (t->table[i] && !is_same(node_at(t, t->table[i]), key))
        i = (i + 1) & t->mask;
    return &t->table[i];
}

static size_t table_size(uint32_t mask)
{
    return ((size_t)mask + 1) * sizeof(uint32_t);
}

static bool table_grow(struct pdump_stack_tree *t)
{
    uint32_t old_mask = t->mask, *old = t->table;
    uint32_t mask = old ? old_mask * 2 + 1 : TABLE_MIN - 1;
    uint32_t *table = pdump_kernel_memory_get(table_size(mask));

    if (!table)
        return false;
    t->table = table;
    t->mask = mask;
    for (uint32_t i = 0; old && i <= old_mask; i++)
        if (old[i])
            *slot_of(t, node_at(t, old[i])) = old[i];
    pdump_kernel_memory_free(old, table_size(old_mask));
    return true;
}

static bool chunk_add(struct pdump_stack_tree *t)
{
    uint32_t room = t->chunk ? t->chunk->room * 2 : ROOM_MIN, ref;
    struct pdump_stack_chunk *chunk;
    size_t bytes;

    if (room > ROOM_MAX)
        room = ROOM_MAX;
    bytes = sizeof(*chunk) + room * sizeof(chunk->nodes[0]);
    if (atomic_fetch_sub(t->left, (int64_t)bytes) < (int64_t)bytes) {
        atomic_fetch_add(t->left, (int64_t)bytes);
        return false;
    }
    ref = pdump_store_alloc_now(t->store, bytes);
    if (!ref) {
        atomic_fetch_add(t->left, (int64_t)bytes);
        return false;
    }
    chunk = pdump_store_at(t->base, ref);
    chunk->room = room;
    chunk->next = atomic_load(&t->record->chunks);
    t->chunk = chunk;
    atomic_store_explicit(&t->record->chunks, ref, memory_order_release);
    return true;
}

/* Returns the ref of the node, made if new, or 0. */
static uint32_t find(struct pdump_stack_tree *t,
                     const struct pdump_stack_node *key)
{
    uint32_t *slot = slot_of(t, key), n;
    struct pdump_stack_node *node;

    if (*slot)
        return *slot;
    if ((t->n + 1) * UINT64_C(4) > t->mask * UINT64_C(3)) {
        if (!table_grow(t))
            return 0;
        slot = slot_of(t, key);
    }
    if ((!t->chunk || t->chunk->n == t->chunk->room) && !chunk_add(t))
        return 0;
    n = atomic_load_explicit(&t->chunk->n, memory_order_relaxed);
    node = &t->chunk->nodes[n];
    *node = *key;
    *slot = (uint32_t)(((char *)node - t->base) / 8);
    t->n++;
    atomic_store_explicit(&t->chunk->n, n + 1, memory_order_release);
    return *slot;
}

/* A reader sees the figures of before or after. */
static void count(struct pdump_stack_tree *t, uint32_t ref, int64_t ns)
{
    struct pdump_stack_record *rec = t->record;
    struct pdump_stack_node *node = node_at(t, ref);
    uint64_t sequence =
        atomic_load_explicit(&rec->sequence, memory_order_relaxed);

    rec->undo_ref = ref;
    rec->undo[0] = (int64_t)node->count;
    rec->undo[1] = node->ns;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&rec->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    node->count++;
    node->ns += ns;
    atomic_store_explicit(&rec->sequence, sequence + 2, memory_order_release);
}

bool pdump_stack_tree_open(struct pdump_stack_tree *t,
                           struct pdump_store *store, _Atomic int64_t *left,
                           int64_t tid)
{
    struct pdump_stack_tree fresh = { .store = store,
                                      .base = pdump_store_base(store),
                                      .left = left,
                                      .table = t->table,
                                      .mask = t->mask };
    uint32_t ref = pdump_store_alloc_now(store, sizeof(*fresh.record));

    if (!ref)
        return false;
    *t = fresh;
    if (t->table)
        memset(t->table, 0, table_size(t->mask));
    else if (!table_grow(t))
        return false;
    t->head = (void *)t->base;
    t->record = pdump_store_at(t->base, ref);
    t->record->tid = tid;
    t->record->next = atomic_load(&t->head->stacks);
    while (
        !atomic_compare_exchange_weak(&t->head->stacks, &t->record->next, ref))
        ;
    return true;
}

/* Says where a frame is.  Returns false if there is no room for that. */
static bool place_set(struct pdump_stack_tree *t,
                      const struct pdump_walk_frame *frame,
                      struct pdump_stack_node *key)
{
    uintptr_t base = 0;
    int script = (int)((uint64_t)frame->code >> 32) - 1;

    if (frame->module != PDUMP_WALK_SCRIPT) {
        key->kind = PDUMP_STACK_CODE;
        key->module = pdump_module_record_of(t->store, frame->module, &base);
        key->address = frame->code - base;
        return true;
    }
    key->kind = PDUMP_STACK_SCRIPT;
    key->address = (uint32_t)frame->code;
    key->module =
        script < 0 ? 0 : pdump_script_table_record(t->store, t->left, script);
    return key->module != 0;
}

void pdump_stack_tree_add(struct pdump_stack_tree *t,
                          const struct pdump_walker *w, uint32_t node,
                          int64_t ns)
{
    struct pdump_stack_node key = { .node = node };
    uint32_t at = 0;

    if (!w->is_finished) {
        key.kind = PDUMP_STACK_UNFINISHED;
        at = find(t, &key);
        if (!at)
            goto lost;
    }
    for (int i = w->n - 1; i >= 0; i--) {
        key.parent = at;
        key.node = at ? 0 : node;
        if (!place_set(t, &w->frames[i], &key))
            goto lost;
        at = find(t, &key);
        if (!at)
            goto lost;
    }
    count(t, at, ns);
    return;

lost:
    t->record->lost++;
    t->record->lost_ns += ns;
}
