/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to tell of a call: rows of tables in the store. */
#include "detail.h"
#include "detail_held.h"
#include "detail_hot.h"
#include "details.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void copy(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

/* A record of the table in the store.  Two threads may make one each: they
 * have the same name, and the dump unites them. */
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
    copy(rec->name, sizeof(rec->name), table->name);
    copy(rec->key, sizeof(rec->key), table->key);
    copy(rec->about, sizeof(rec->about), table->about);
    rec->has_sites = table->has_sites;
    rec->holders = (uint32_t)table->holders;
    for (uint32_t f = 0; f < n; f++) {
        const struct pdump_detail_field *from = &table->fields[f];
        struct pdump_table_field *field = &rec->fields[f];

        copy(field->name, sizeof(field->name), from->name);
        copy(field->unit, sizeof(field->unit), from->unit);
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

void pdump_detail_clear(const struct pdump_table_record *table,
                        int64_t *figures)
{
    for (uint32_t f = 0; f < table->n_fields; f++)
        for (uint32_t i = 0; i < table->fields[f].width; i++)
            *figures++ = table->fields[f].kind == PDUMP_FIELD_MIN   ? INT64_MAX
                         : table->fields[f].kind == PDUMP_FIELD_MAX ? INT64_MIN
                                                                    : 0;
}

/* A new row: complete before its node's list shows it.  0 without memory. */
static __attribute__((noinline)) uint32_t make_row(struct pdump_recorder *r,
                                                   uint32_t node,
                                                   uint32_t table, uint64_t key,
                                                   uint32_t label)
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
    if (pdump_detail_map_put(&r->details, r->base, ref) < 0)
        return 0;
    atomic_store_explicit(&owner->details, ref, memory_order_release);
    return ref;
}

/* The text of a key, in the thread's own memory. */
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
        ref = pdump_detail_map_find(&r->details, r->base, node, of, key);
    if (of && !ref)
        ref = make_row(r, node, of, key, label_of(r, table, key));
    if (!ref)
        r->record->lost_details++;
    return ref;
}

/* A row whose figures are kept, all of them.  Inside; outside if it is NULL. */
static int64_t *keep(struct pdump_recorder *r, uint32_t node,
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
    return pdump_hot_call_enter(call) ? keep(call->r, call->node, table, key)
                                      : NULL;
}

int64_t *pdump_detail_thread_row(struct pdump_call *call,
                                 struct pdump_detail_table *table, uint64_t key)
{
    return pdump_hot_call_enter(call)
               ? keep(call->r, call->r->tree.root, table, key)
               : NULL;
}

void pdump_detail_done(struct pdump_call *call)
{
    pdump_hot_changed(call->r);
    pdump_thread_done(call->r);
}

static void unite(const struct pdump_table_record *table, int64_t *figures,
                  const int64_t *more)
{
    struct pdump_dump_field fields[PDUMP_DETAIL_FIELDS_MAX];
    struct pdump_dump_detail detail = { .fields = fields,
                                        .n_fields = (int)table->n_fields };

    for (uint32_t f = 0; f < table->n_fields; f++)
        fields[f] = (struct pdump_dump_field){
            .kind = (enum pdump_field_kind)table->fields[f].kind,
            .width = (int)table->fields[f].width
        };
    pdump_details_unite(&detail, figures, more);
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
        pdump_detail_map_find(&r->details, r->base, to, rec->table, rec->key);
    if (!target)
        target = make_row(r, to, rec->table, rec->key, rec->label);
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
