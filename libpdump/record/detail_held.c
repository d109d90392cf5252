/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that somebody keeps the address of. */
#include "record/detail_held.h"
#include "record/detail_row.h"
#include "record/recorder_hot.h"

enum {
    GIVEN_MAX = 65536, /* of a thread: there is other use for the memory */
    SPARE_LOOKS = 8,
};

static struct pdump_detail_record *row_at(char *base, uint32_t ref)
{
    return pdump_store_at(base, ref);
}

static struct pdump_table_record *table_of(char *base, uint32_t ref)
{
    return pdump_store_at(base, row_at(base, ref)->table);
}

bool pdump_detail_is_held(char *base, uint32_t ref)
{
    uint32_t holders = table_of(base, ref)->holders;

    /* Whoever lets go has changed the other figures before. */
    return holders && __atomic_load_n(&row_at(base, ref)->figures[holders],
                                      __ATOMIC_ACQUIRE) > 0;
}

/* One that was thrown away and that nobody holds any more, or 0. */
static uint32_t take_spare(struct pdump_recorder *r, uint32_t table)
{
    uint32_t *link = &r->details.spare;

    for (int i = 0; *link && i < SPARE_LOOKS; i++) {
        uint32_t ref = *link;
        struct pdump_detail_record *rec = row_at(r->base, ref);

        if (rec->table == table && !pdump_detail_is_held(r->base, ref)) {
            *link = rec->next;
            return ref;
        }
        link = &rec->next;
    }
    return 0;
}

/* A new row like that one, or 0. */
static uint32_t make_like(struct pdump_recorder *r, uint32_t old)
{
    const struct pdump_detail_record *like = row_at(r->base, old);
    const struct pdump_table_record *table = table_of(r->base, old);
    uint32_t ref = take_spare(r, like->table);
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

static void link_to(struct pdump_recorder *r, uint32_t ref, uint32_t node)
{
    struct pdump_node *owner = pdump_hot_node(r, node);
    struct pdump_detail_record *rec = row_at(r->base, ref);

    rec->node = node;
    rec->next = atomic_load_explicit(&owner->details, memory_order_relaxed);
    atomic_store_explicit(&owner->details, ref, memory_order_release);
}

bool pdump_detail_give(struct pdump_recorder *r, uint32_t ref, uint32_t to)
{
    struct pdump_detail_record *rec = row_at(r->base, ref);
    uint32_t new;

    /* One that was given to the node before has a successor already. */
    if (pdump_detail_index_find(&r->details, r->base, rec->node, rec->table,
                                rec->key) == ref) {
        new = make_like(r, ref);
        if (!new)
            return false;
        pdump_detail_index_replace(&r->details, r->base, ref, new);
        link_to(r, new, rec->node);
    }
    if (to) {
        link_to(r, ref, to);
    } else {
        rec->next = r->details.spare;
        r->details.spare = ref;
    }
    return true;
}
