/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of tables of details in the store. */
#include "record/detail_row.h"
#include "record/detail_held.h"
#include "base/field.h"
#include "record/recorder_hot.h"

#include <string.h>

static struct pdump_table_record *table_at(const struct pdump_recorder *r,
                                           uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

void pdump_detail_clear(const struct pdump_table_record *table,
                        int64_t *figures)
{
    for (uint32_t f = 0; f < table->n_fields; f++)
        for (uint32_t i = 0; i < table->fields[f].width; i++)
            *figures++ = pdump_field_nothing(
                (enum pdump_field_kind)table->fields[f].kind);
}

/* The row is complete before the list of its node shows it. */
uint32_t pdump_detail_make(struct pdump_recorder *r, uint32_t node,
                           uint32_t table, uint64_t key, uint32_t label)
{
    struct pdump_node *owner = pdump_hot_node(r, node);
    struct pdump_detail_record *rec;
    uint32_t ref =
        label ? pdump_arena_alloc(&r->arena,
                                  sizeof(*rec) + table_at(r, table)->n_values *
                                                     sizeof(int64_t))
              : 0;

    if (!ref)
        return 0;
    rec = pdump_store_at(r->base, ref);
    rec->node = node;
    rec->table = table;
    rec->label = label;
    rec->key = key;
    rec->next = atomic_load_explicit(&owner->details, memory_order_relaxed);
    pdump_detail_clear(table_at(r, table), rec->figures);
    if (pdump_detail_index_put(&r->details, r->base, ref) < 0)
        return 0;
    atomic_store_explicit(&owner->details, ref, memory_order_release);
    return ref;
}

/* Unite `more` with `figures`, field by field. */
static void unite(const struct pdump_table_record *table, int64_t *figures,
                  const int64_t *more)
{
    for (uint32_t f = 0; f < table->n_fields; f++)
        for (uint32_t i = 0; i < table->fields[f].width; i++, figures++, more++)
            *figures = pdump_field_united(
                (enum pdump_field_kind)table->fields[f].kind, *figures, *more);
}

static void move_figures(struct pdump_recorder *r, uint32_t ref, uint32_t to)
{
    struct pdump_detail_record *rec = pdump_store_at(r->base, ref);
    const struct pdump_table_record *table = table_at(r, rec->table);
    int64_t figures[PDUMP_DETAIL_WORDS_MAX];
    uint32_t target, words = table->n_values;

    memcpy(figures, rec->figures, words * sizeof(*figures));
    pdump_hot_change(r, pdump_hot_detail_figures(ref), words);
    pdump_detail_clear(table, rec->figures);
    pdump_hot_changed(r);
    if (!to)
        return;
    target =
        pdump_detail_index_find(&r->details, r->base, to, rec->table, rec->key);
    if (!target)
        target = pdump_detail_make(r, to, rec->table, rec->key, rec->label);
    if (!target) {
        r->record->lost_details++;
        return;
    }
    pdump_hot_change(r, pdump_hot_detail_figures(target), words);
    unite(table, pdump_store_at(r->base, pdump_hot_detail_figures(target)),
          figures);
    pdump_hot_changed(r);
}

void pdump_detail_move(struct pdump_recorder *r, uint32_t from, uint32_t to)
{
    struct pdump_node *node = pdump_hot_node(r, from);
    uint32_t ref = atomic_exchange(&node->details, 0), next;

    for (; ref; ref = next) {
        struct pdump_detail_record *rec = pdump_store_at(r->base, ref);
        bool is_held = pdump_detail_is_held(r->base, ref);

        next = rec->next;
        if (is_held && pdump_detail_give(r, ref, to))
            continue;
        rec->next = node->details;
        node->details = ref;
        move_figures(r, ref, to);
        r->record->lost_details += is_held && to;
    }
}
