/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of detail tables in the store. */
#include "record/detail_row.h"
#include "base/field.h"
#include "record/recorder_hot.h"

#include <string.h>

enum {
    GIVEN_MAX = 65536, /* rows of a thread, to limit their memory */
    SPARE_LOOKS = 8,
};

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

/* Completes the row before it is linked in the list of its node. */
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

static struct pdump_detail_record *row_at(char *base, uint32_t ref)
{
    return pdump_store_at(base, ref);
}

static struct pdump_table_record *table_of(char *base, uint32_t ref)
{
    return pdump_store_at(base, row_at(base, ref)->table);
}

/* Returns true if a caller still holds a pointer to the row. */
static bool is_pinned(char *base, uint32_t ref)
{
    uint32_t holders = table_of(base, ref)->holders;

    /* A holder changes the other figures before it releases the row. */
    return holders && __atomic_load_n(&row_at(base, ref)->figures[holders],
                                      __ATOMIC_ACQUIRE) > 0;
}

/* Returns a discarded row that no caller holds any more, or 0. */
static uint32_t row_take_spare(struct pdump_recorder *r, uint32_t table)
{
    uint32_t *link = &r->details.spare;

    for (int i = 0; *link && i < SPARE_LOOKS; i++) {
        uint32_t ref = *link;
        struct pdump_detail_record *rec = row_at(r->base, ref);

        if (rec->table == table && !is_pinned(r->base, ref)) {
            *link = rec->next;
            return ref;
        }
        link = &rec->next;
    }
    return 0;
}

/* Make a new row with the same node, table and key.  Returns 0 if out of
 * memory. */
static uint32_t row_make_like(struct pdump_recorder *r, uint32_t old)
{
    const struct pdump_detail_record *like = row_at(r->base, old);
    const struct pdump_table_record *table = table_of(r->base, old);
    uint32_t ref = row_take_spare(r, like->table);
    struct pdump_detail_record *rec;

    if (!ref && r->details.n_given < GIVEN_MAX) {
        ref = pdump_arena_alloc(&r->arena, sizeof(*rec) + table->n_values *
                                                              sizeof(int64_t));
        r->details.n_given += ref != 0;
    }
    if (!ref)
        return 0;
    rec = row_at(r->base, ref);
    rec->node = like->node;
    rec->table = like->table;
    rec->label = like->label;
    rec->key = like->key;
    pdump_detail_clear(table, rec->figures);
    return ref;
}

static void row_link(struct pdump_recorder *r, uint32_t ref, uint32_t node)
{
    struct pdump_node *owner = pdump_hot_node(r, node);
    struct pdump_detail_record *rec = row_at(r->base, ref);

    rec->node = node;
    rec->next = atomic_load_explicit(&owner->details, memory_order_relaxed);
    atomic_store_explicit(&owner->details, ref, memory_order_release);
}

/* Move a row that is held to node `to` (0: to the spare rows).  If `to` already
 * has such a row, a dump combines them.  The caller has removed the row from
 * the list of its old node, which no dump shows; a new row replaces it there.
 * Returns false and changes nothing if there is no room. */
static bool row_give(struct pdump_recorder *r, uint32_t ref, uint32_t to)
{
    struct pdump_detail_record *rec = row_at(r->base, ref);
    uint32_t new;

    /* A row that was moved to this node before already has a successor. */
    if (pdump_detail_index_find(&r->details, r->base, rec->node, rec->table,
                                rec->key) == ref) {
        new = row_make_like(r, ref);
        if (!new)
            return false;
        pdump_detail_index_replace(&r->details, r->base, ref, new);
        row_link(r, new, rec->node);
    }
    if (to) {
        row_link(r, ref, to);
    } else {
        rec->next = r->details.spare;
        r->details.spare = ref;
    }
    return true;
}

/* Combine `more` with `figures`, field by field. */
static void figures_unite(const struct pdump_table_record *table,
                          int64_t *figures, const int64_t *more)
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
    figures_unite(table,
                  pdump_store_at(r->base, pdump_hot_detail_figures(target)),
                  figures);
    pdump_hot_changed(r);
}

void pdump_detail_move(struct pdump_recorder *r, uint32_t from, uint32_t to)
{
    struct pdump_node *node = pdump_hot_node(r, from);
    uint32_t ref = atomic_exchange(&node->details, 0), next;

    for (; ref; ref = next) {
        struct pdump_detail_record *rec = pdump_store_at(r->base, ref);
        bool is_held = is_pinned(r->base, ref);

        next = rec->next;
        if (is_held && row_give(r, ref, to))
            continue;
        rec->next = node->details;
        node->details = ref;
        move_figures(r, ref, to);
        r->record->lost_details += is_held && to;
    }
}
