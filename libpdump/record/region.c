/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions of a session: a hash table of names that is read without locks,
 * and their ids. */
#include "record/region.h"
#include "record/symbols.h"
#include "system/kernel_memory.h"

#include <stdbool.h>
#include <string.h>

/* Open addressing, at most half full.  A full table is copied into one of twice
 * the size.  Readers may still use the old one, so it is kept. */
struct pdump_name_table {
    struct pdump_name_table *older;
    uint32_t mask;
    _Atomic uint32_t slots[]; /* refs; 0 is free */
};

enum { TABLE_MIN = 256 };

static uint64_t name_hash(const char *name, size_t len, enum pdump_group group)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = ((uint64_t)len + group * UINT64_C(31)) * odd;

    for (; len >= 8; name += 8, len -= 8) {
        uint64_t word;

        memcpy(&word, name, 8);
        h = (h ^ word) * odd;
        h ^= h >> 32;
    }
    for (; len; name++, len--)
        h = (h ^ (unsigned char)*name) * odd;
    return h ^ h >> 29;
}

static struct pdump_region_record *record_at(const struct pdump_regions *r,
                                             uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

/* Returns the slot that contains the name, or the free slot for it. */
static _Atomic uint32_t *name_slot(const struct pdump_regions *r,
                                   struct pdump_name_table *table,
                                   uint64_t hash, const char *name, size_t len,
                                   enum pdump_group group)
{
    for (uint32_t i = (uint32_t)hash & table->mask;;
         i = (i + 1) & table->mask) {
        _Atomic uint32_t *slot = &table->slots[i];
        uint32_t ref = atomic_load_explicit(slot, memory_order_acquire);
        const struct pdump_region_record *rec;

        if (!ref)
            return slot;
        rec = record_at(r, ref);
        if (rec->hash == hash && rec->length == len && rec->group == group &&
            memcmp(rec->name, name, len) == 0)
            return slot;
    }
}

uint32_t pdump_regions_find(const struct pdump_regions *r, const char *name,
                            size_t len, enum pdump_group group)
{
    struct pdump_name_table *table =
        atomic_load_explicit(&r->table, memory_order_acquire);

    return *name_slot(r, table, name_hash(name, len, group), name, len, group);
}

static size_t table_size(uint32_t mask)
{
    return sizeof(struct pdump_name_table) +
           ((size_t)mask + 1) * sizeof(uint32_t);
}

/* A new name may be one of a signal handler. */
static struct pdump_name_table *table_make(uint32_t size)
{
    struct pdump_name_table *t = pdump_kernel_memory_get(table_size(size - 1));

    if (t)
        t->mask = size - 1;
    return t;
}

static void table_free(struct pdump_name_table *t)
{
    if (t)
        pdump_kernel_memory_free(t, table_size(t->mask));
}

enum { CHUNK_SIZE = PDUMP_ID_CHUNK * sizeof(uint32_t) };

/* Memory that a new name may need, allocated before the lock is taken. */
struct room {
    uint32_t size; /* slots of the table that is needed, or 0 */
    struct pdump_name_table *table;
    bool wants_chunk;
    uint32_t *chunk;
};

static bool has_table(const struct room *room)
{
    return room->table && room->table->mask + 1 >= room->size;
}

/* Under the lock: returns true if the next name has all the memory it needs. */
static bool is_enough(const struct pdump_regions *r, struct room *room)
{
    const struct pdump_name_table *table = r->table;
    uint32_t id = r->n + 1;

    room->size = id * 2 <= table->mask ? 0 : (table->mask + 1) * 2;
    room->wants_chunk = !r->chunks[id / PDUMP_ID_CHUNK];
    return (!room->size || has_table(room)) &&
           (!room->wants_chunk || room->chunk);
}

static bool room_get(struct room *room)
{
    if (room->size && !has_table(room)) {
        table_free(room->table); /* another thread has made it larger */
        room->table = table_make(room->size);
    }
    if (room->wants_chunk && !room->chunk)
        room->chunk = pdump_kernel_memory_get(CHUNK_SIZE);
    return (!room->size || room->table) && (!room->wants_chunk || room->chunk);
}

/* Under the lock. */
static void room_grow(struct pdump_regions *r, struct room *room)
{
    struct pdump_name_table *old = r->table, *new = room->table;

    for (uint32_t i = 0; i <= old->mask; i++) {
        uint32_t ref = old->slots[i];
        struct pdump_region_record *rec;

        if (!ref)
            continue;
        rec = record_at(r, ref);
        *name_slot(r, new, rec->hash, rec->name, rec->length, rec->group) = ref;
    }
    new->older = old;
    room->table = NULL;
    atomic_store_explicit(&r->table, new, memory_order_release);
}

static void region_number(struct pdump_regions *r, uint32_t id, uint32_t ref,
                          struct room *room)
{
    _Atomic(uint32_t *) *chunk = &r->chunks[id / PDUMP_ID_CHUNK];

    if (!*chunk) {
        atomic_store_explicit(chunk, room->chunk, memory_order_release);
        room->chunk = NULL;
    }
    (*chunk)[id % PDUMP_ID_CHUNK] = ref;
}

static bool is_full(const struct pdump_regions *r)
{
    return r->n >= r->max || (r->n + 1) / PDUMP_ID_CHUNK >= PDUMP_ID_CHUNKS;
}

/* Filter rules apply to names.  A function is only known by its code place
 * here, so its name is looked up first. */
static bool is_excluded(const struct pdump_regions *r, const char *name,
                        const char *file, enum pdump_group group)
{
    char text[PDUMP_PLACE_MAX];
    struct pdump_symbol symbol;

    if (!r->filter || group != PDUMP_GROUP_FUNCTION)
        return pdump_filter_excludes(r->filter, name, file, group);
    pdump_symbols_name(name, text, sizeof(text), &symbol);
    return pdump_filter_excludes(r->filter, text,
                                 *symbol.file ? symbol.file : NULL, group);
}

/* Make the record of a new region, not yet published.  Returns 0 if there is no
 * room. */
static uint32_t region_prepare(struct pdump_regions *r, const char *name,
                               size_t len, enum pdump_group group,
                               const char *file, int line)
{
    struct pdump_region_record *rec;
    uint32_t ref = 0;

    if (!is_full(r))
        ref = pdump_store_alloc(r->store, sizeof(*rec) + len + 1);
    if (!ref)
        return 0;
    rec = record_at(r, ref);
    memcpy(rec->name, name, len);
    rec->length = (uint32_t)len;
    rec->hash = name_hash(name, len, group);
    rec->group = group;
    rec->file = file ? pdump_store_text(r->store, file, strlen(file)) : 0;
    rec->line = line;
    rec->is_excluded = is_excluded(r, rec->name, file, group);
    return ref;
}

/* Under the lock. */
static void region_publish(struct pdump_regions *r, uint32_t ref,
                           struct room *room)
{
    struct pdump_region_record *rec = record_at(r, ref);
    uint32_t id = r->n + 1;

    if (room->size)
        room_grow(r, room);
    region_number(r, id, ref, room);
    rec->id = id;
    rec->next = *r->list;
    atomic_store_explicit(r->list, ref, memory_order_release);
    atomic_store_explicit(
        name_slot(r, r->table, rec->hash, rec->name, rec->length, rec->group),
        ref, memory_order_release);
    atomic_store_explicit(&r->n, id, memory_order_release);
}

/* Add a region that a lookup did not find.  Returns 0 if there is no room.  If
 * two threads add it at the same time, the record of one of them is wasted. */
static uint32_t region_make(struct pdump_regions *r, const char *name,
                            size_t len, enum pdump_group group,
                            const char *file, int line)
{
    uint32_t new = region_prepare(r, name, len, group, file, line), ref = 0;
    struct room room = { 0 };
    bool is_done = !new;

    while (!is_done) {
        pthread_mutex_lock(&r->lock);
        ref = pdump_regions_find(r, name, len, group);
        is_done = ref || is_full(r);
        if (!is_done && is_enough(r, &room)) {
            region_publish(r, new, &room);
            ref = new;
            is_done = true;
        }
        pthread_mutex_unlock(&r->lock);
        is_done = is_done || !room_get(&room);
    }
    table_free(room.table);
    pdump_kernel_memory_free(room.chunk, CHUNK_SIZE);
    return ref;
}

int pdump_regions_add(struct pdump_regions *r, const char *name, size_t len,
                      enum pdump_group group, const char *file, int line,
                      uint32_t *out)
{
    uint32_t ref;

    if (len == 0)
        return pdump_fail(PDUMP_EINVAL, "a region needs a name, not \"\"");
    if (len > PDUMP_NAME_MAX)
        return pdump_fail(PDUMP_EINVAL,
                          "region name of %zu bytes; the limit is %d", len,
                          PDUMP_NAME_MAX);
    if (memchr(name, '\0', len))
        return pdump_fail(PDUMP_EINVAL, "NUL byte in region name \"%s\"", name);

    ref = pdump_regions_find(r, name, len, group);
    if (!ref)
        ref = region_make(r, name, len, group, file, line);
    if (!ref) {
        atomic_fetch_add_explicit(&r->refused, 1, memory_order_relaxed);
        ref = r->overflow;
    }
    *out = ref;
    return PDUMP_OK;
}

int pdump_regions_open(struct pdump_regions *r, struct pdump_store *store,
                       _Atomic uint32_t *list, uint32_t max)
{
    static const char overflow[] = "<overflow>";

    memset(r, 0, sizeof(*r));
    r->store = store;
    r->base = pdump_store_base(store);
    r->list = list;
    r->max = max;
    pthread_mutex_init(&r->lock, NULL);
    r->table = table_make(TABLE_MIN);
    if (r->table)
        r->overflow = region_make(r, overflow, sizeof(overflow) - 1,
                                  PDUMP_GROUP_OVERFLOW, NULL, 0);
    if (!r->overflow) {
        pdump_regions_close(r);
        return pdump_no_memory();
    }
    return PDUMP_OK;
}

void pdump_regions_close(struct pdump_regions *r)
{
    struct pdump_name_table *table = r->table;

    while (table) {
        struct pdump_name_table *older = table->older;

        table_free(table);
        table = older;
    }
    for (int i = 0; i < PDUMP_ID_CHUNKS; i++)
        pdump_kernel_memory_free(r->chunks[i], CHUNK_SIZE);
    pthread_mutex_destroy(&r->lock);
    memset(r, 0, sizeof(*r));
}
