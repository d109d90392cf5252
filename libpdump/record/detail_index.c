/* SPDX-License-Identifier: BSD-3-Clause */
/* An index of the rows of a thread's details: a hash table of refs. */
#include "record/detail_index.h"
#include "system/kernel_memory.h"

/* A page of slots. */
enum { FIRST_SIZE = 1024 };

static void slots_free(struct pdump_detail_index *map)
{
    pdump_kernel_memory_free(map->slots, (map->mask + 1) * sizeof(*map->slots));
}

void pdump_detail_index_free(struct pdump_detail_index *map)
{
    slots_free(map);
    *map = (struct pdump_detail_index){ 0 };
}

static void slot_insert(uint32_t *slots, uint32_t mask, char *base,
                        uint32_t ref)
{
    const struct pdump_detail_record *rec = pdump_store_at(base, ref);
    uint32_t i = pdump_detail_hash(rec->node, rec->table, rec->key) & mask;

    while (slots[i])
        i = (i + 1) & mask;
    slots[i] = ref;
}

/* A new row may be one of a signal handler. */
static int slots_grow(struct pdump_detail_index *map, char *base)
{
    uint32_t size = map->slots ? (map->mask + 1) * 2 : FIRST_SIZE;
    uint32_t *slots = pdump_kernel_memory_get(size * sizeof(*slots));

    if (!slots)
        return -1;
    for (uint32_t i = 0; map->slots && i <= map->mask; i++)
        if (map->slots[i])
            slot_insert(slots, size - 1, base, map->slots[i]);
    slots_free(map);
    map->slots = slots;
    map->mask = size - 1;
    return 0;
}

int pdump_detail_index_put(struct pdump_detail_index *map, char *base,
                           uint32_t ref)
{
    if ((!map->slots || (map->n + 1) * 2 > map->mask) &&
        slots_grow(map, base) < 0)
        return -1;
    slot_insert(map->slots, map->mask, base, ref);
    map->n++;
    return 0;
}

void pdump_detail_index_replace(struct pdump_detail_index *map, char *base,
                                uint32_t ref, uint32_t by)
{
    const struct pdump_detail_record *rec = pdump_store_at(base, ref);
    uint32_t i = pdump_detail_hash(rec->node, rec->table, rec->key) & map->mask;

    while (map->slots[i] != ref)
        i = (i + 1) & map->mask;
    map->slots[i] = by;
}

uint32_t pdump_detail_index_find(const struct pdump_detail_index *map,
                                 char *base, uint32_t node, uint32_t table,
                                 uint64_t key)
{
    uint32_t i = pdump_detail_hash(node, table, key) & map->mask, ref;

    for (; map->slots && (ref = map->slots[i]); i = (i + 1) & map->mask)
        if (pdump_detail_is(pdump_store_at(base, ref), node, table, key))
            return ref;
    return 0;
}
