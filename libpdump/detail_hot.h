/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of details, inline: for who adds to several with every call, as detail.h
 * has it for all others.  What is new goes to detail.c.
 */
#ifndef PDUMP_DETAIL_HOT_H
#define PDUMP_DETAIL_HOT_H

#include "call_hot.h"
#include "detail.h"
#include "thread.h"

/* Make a row that there is not.  0: there is no room, and that is counted.
 * Inside. */
PDUMP_SHARED uint32_t pdump_detail_make(struct pdump_recorder *r, uint32_t node,
                                        struct pdump_detail_table *table,
                                        uint64_t key);

/* The ref of a row, as pdump_detail_make() if it is new.  Inside. */
static inline uint32_t pdump_hot_detail_find(struct pdump_recorder *r,
                                             uint32_t node,
                                             struct pdump_detail_table *table,
                                             uint64_t key)
{
    uint64_t known = atomic_load_explicit(&table->known, memory_order_acquire);
    uint32_t ref = 0;

    if (likely(pdump_call_is_known(r, known)))
        ref = pdump_detail_map_find(&r->details, r->base, node, (uint32_t)known,
                                    key);
    return likely(ref) ? ref : pdump_detail_make(r, node, table, key);
}

static inline uint32_t pdump_hot_detail_figures(uint32_t ref)
{
    return ref + (uint32_t)offsetof(struct pdump_detail_record, figures) / 8;
}

/* As pdump_detail_row(), where no more will change than the first
 * PDUMP_DETAIL_FIRST figures and, of all others, those two (0: none): for
 * tables that are wider. */
enum { PDUMP_DETAIL_FIRST = 14 };
static inline int64_t *pdump_hot_detail_partly(
    struct pdump_call *call, struct pdump_detail_table *table, uint64_t key,
    const int others[PDUMP_OTHERS_MAX])
{
    struct pdump_recorder *r = call->r;
    struct pdump_thread_record *rec = r->record;
    int64_t *figures;
    uint32_t ref;

    if (!pdump_call_is_alive(call))
        return NULL;
    pdump_thread_enter(r);
    ref = pdump_hot_detail_find(r, call->node, table, key);
    if (unlikely(!ref)) {
        pdump_thread_done(r);
        return NULL;
    }
    ref = pdump_hot_detail_figures(ref);
    figures = pdump_store_at(r->base, ref);
    for (int i = 0; i < PDUMP_OTHERS_MAX; i++) {
        rec->undo_others[i].at = others[i];
        rec->undo_others[i].value = figures[others[i]];
    }
    pdump_hot_change_with(r, ref, PDUMP_DETAIL_FIRST, PDUMP_UNDO_OTHERS);
    return figures;
}

/* pdump_detail_done(), and then pdump_detail_thread_row(), of a table whose
 * rows have `words` figures. */
static inline int64_t *pdump_hot_detail_next(struct pdump_call *call,
                                             struct pdump_detail_table *table,
                                             uint64_t key, uint32_t words)
{
    struct pdump_recorder *r = call->r;
    uint32_t ref;

    pdump_hot_changed(r);
    ref = pdump_hot_detail_find(r, r->tree.root, table, key);
    if (unlikely(!ref)) {
        pdump_thread_done(r);
        return NULL;
    }
    ref = pdump_hot_detail_figures(ref);
    pdump_hot_change(r, ref, words);
    return pdump_store_at(r->base, ref);
}

static inline void pdump_hot_detail_done(struct pdump_call *call)
{
    pdump_hot_changed(call->r);
    pdump_thread_done(call->r);
}

#endif
