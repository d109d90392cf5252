/* SPDX-License-Identifier: BSD-3-Clause */
/* Details: rows of tables in the store. */
#include "probe/call_detail.h"
#include "probe/call_detail_hot.h"
#include "record/detail_row.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void text_copy(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

/* Make the record of the table in the store.  Two threads may make one each:
 * both have the same name, and the dump combines them. */
static __attribute__((noinline)) uint32_t learn_table(
    struct pdump_recorder *r, struct pdump_detail_table *table)
{
    _Atomic uint32_t *list = &r->shared->head->tables;
    uint32_t n = (uint32_t)table->n_fields, first = atomic_load(list), ref;
    struct pdump_table_record *rec;

    ref =
        pdump_arena_alloc(&r->arena, sizeof(*rec) + n * sizeof(rec->fields[0]));
    if (!ref)
        return 0;
    rec = pdump_store_at(r->base, ref);
    text_copy(rec->name, sizeof(rec->name), table->name);
    text_copy(rec->key, sizeof(rec->key), table->key);
    text_copy(rec->about, sizeof(rec->about), table->about);
    rec->has_sites = table->has_sites;
    rec->holders = (uint32_t)table->holders;
    for (uint32_t f = 0; f < n; f++) {
        const struct pdump_detail_field *from = &table->fields[f];
        struct pdump_table_field *field = &rec->fields[f];

        text_copy(field->name, sizeof(field->name), from->name);
        text_copy(field->unit, sizeof(field->unit), from->unit);
        field->kind = from->kind;
        field->width = (uint32_t)from->width;
        field->is_ticks = from->is_ticks;
        rec->n_values += field->width;
    }
    rec->n_fields = n;
    if (n > PDUMP_DETAIL_FIELDS_MAX || rec->n_values > PDUMP_DETAIL_WORDS_MAX)
        return 0;
    do
        rec->next = first;
    while (!atomic_compare_exchange_weak(list, &first, ref));
    atomic_store_explicit(&table->known, pdump_call_known_as(r, ref),
                          memory_order_release);
    return ref;
}

static struct pdump_table_record *table_at(const struct pdump_recorder *r,
                                           uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

/* Store the label of a key in the thread's memory.  Returns its ref, or 0. */
static uint32_t label_of(struct pdump_recorder *r,
                         const struct pdump_detail_table *table, uint64_t key)
{
    char text[PATH_MAX + 512] = "";
    uint32_t ref;

    table->label(key, text, sizeof(text));
    ref = pdump_arena_alloc(&r->arena, strlen(text) + 1);
    if (ref)
        strcpy(pdump_store_at(r->base, ref), text);
    return ref;
}

uint32_t pdump_detail_find(struct pdump_recorder *r, uint32_t node,
                           struct pdump_detail_table *table, uint64_t key)
{
    uint64_t known = atomic_load_explicit(&table->known, memory_order_acquire);
    uint32_t ref = 0, of = pdump_call_is_known(r, known)
                               ? (uint32_t)known
                               : learn_table(r, table);

    if (of)
        ref = pdump_detail_index_find(&r->details, r->base, node, of, key);
    if (of && !ref)
        ref = pdump_detail_make(r, node, of, key, label_of(r, table, key));
    if (!ref)
        r->record->lost_details++;
    return ref;
}

/* Find a row and save all its figures in the undo slot.  The thread is inside;
 * if the result is NULL, it is outside again. */
static int64_t *row_keep(struct pdump_recorder *r, uint32_t node,
                         struct pdump_detail_table *table, uint64_t key)
{
    uint32_t ref = pdump_hot_detail_find(r, node, table, key);
    struct pdump_detail_record *rec = pdump_store_at(r->base, ref);

    if (unlikely(!ref)) {
        pdump_thread_done(r);
        return NULL;
    }
    pdump_hot_change(r, pdump_hot_detail_figures(ref),
                     table_at(r, rec->table)->n_values);
    return rec->figures;
}

int64_t *pdump_detail_row(struct pdump_call *call,
                          struct pdump_detail_table *table, uint64_t key)
{
    return pdump_hot_call_enter(call)
               ? row_keep(call->r, call->node, table, key)
               : NULL;
}

int64_t *pdump_detail_thread_row(struct pdump_call *call,
                                 struct pdump_detail_table *table, uint64_t key)
{
    return pdump_hot_call_enter(call)
               ? row_keep(call->r, call->r->tree.root, table, key)
               : NULL;
}

void pdump_detail_done(struct pdump_call *call)
{
    pdump_hot_changed(call->r);
    pdump_thread_done(call->r);
}
