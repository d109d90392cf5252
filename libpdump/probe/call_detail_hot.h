/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of details, inline: for callers that update several rows with every
 * call.  All other callers use call_detail.h.  call_detail.c makes new rows.
 */
#ifndef PDUMP_CALL_DETAIL_HOT_H
#define PDUMP_CALL_DETAIL_HOT_H

#include "probe/call_hot.h"
#include "probe/call_detail.h"
#include "record/detail_row.h"

/* Returns the ref of a row, made if it is new.  Returns 0 if there is no room,
 * which is counted.  The thread is inside. */
PDUMP_SHARED uint32_t pdump_detail_find(struct pdump_recorder *r, uint32_t node,
                                        struct pdump_detail_table *table,
                                        uint64_t key);

PDUMP_HOT uint32_t pdump_hot_detail_find(struct pdump_recorder *r,
                                         uint32_t node,
                                         struct pdump_detail_table *table,
                                         uint64_t key)
{
    uint64_t known = atomic_load_explicit(&table->known, memory_order_acquire);
    uint32_t ref;

    if (likely(pdump_call_is_known(r, known)) &&
        likely(pdump_detail_index_guess(&r->details, r->base, node,
                                        (uint32_t)known, key, &ref)))
        return ref;
    return pdump_detail_find(r, node, table, key);
}

PDUMP_HOT int64_t *pdump_hot_detail_of(struct pdump_recorder *r, uint32_t node,
                                       struct pdump_detail_table *table,
                                       uint64_t key, uint32_t words)
{
    uint32_t ref = pdump_hot_detail_find(r, node, table, key);

    if (unlikely(!ref))
        return NULL;
    ref = pdump_hot_detail_figures(ref);
    pdump_hot_change(r, ref, words);
    return pdump_store_at(r->base, ref);
}

/* Returns all figures of a row of the call, which are `words`, after saving
 * them in the undo slot; they may be changed until pdump_hot_detail_changed().
 * NULL if there is no room.  The thread is inside. */
PDUMP_HOT int64_t *pdump_hot_detail(const struct pdump_call *call,
                                    struct pdump_detail_table *table,
                                    uint64_t key, uint32_t words)
{
    return pdump_hot_detail_of(call->r, call->node, table, key, words);
}

/* The same for a row of the whole thread. */
PDUMP_HOT int64_t *pdump_hot_detail_thread(const struct pdump_call *call,
                                           struct pdump_detail_table *table,
                                           uint64_t key, uint32_t words)
{
    return pdump_hot_detail_of(call->r, call->r->tree.root, table, key, words);
}

/* As pdump_hot_detail() for wider tables, if only the first PDUMP_DETAIL_FIRST
 * figures and the two in `others` (0: none) will change. */
enum { PDUMP_DETAIL_FIRST = 14 };
PDUMP_HOT int64_t *pdump_hot_detail_partly(const struct pdump_call *call,
                                           struct pdump_detail_table *table,
                                           uint64_t key,
                                           const int others[PDUMP_OTHERS_MAX])
{
    struct pdump_recorder *r = call->r;
    struct pdump_thread_record *rec = r->record;
    uint32_t ref = pdump_hot_detail_find(r, call->node, table, key);
    int64_t *figures;

    if (unlikely(!ref))
        return NULL;
    ref = pdump_hot_detail_figures(ref);
    figures = pdump_store_at(r->base, ref);
    for (int i = 0; i < PDUMP_OTHERS_MAX; i++) {
        rec->undo_others[i].at = others[i];
        rec->undo_others[i].value = figures[others[i]];
    }
    pdump_hot_change_with(r, ref, PDUMP_DETAIL_FIRST, PDUMP_UNDO_OTHERS);
    return figures;
}

/* Called after the figures of a row have been changed. */
static inline void pdump_hot_detail_changed(const struct pdump_call *call)
{
    pdump_hot_changed(call->r);
}

#endif
