/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a session: a hash table read without locks, and their ids. */
#include "region.h"
#include "symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Open addressing, at most half full.  A full table is copied into one of
 * twice the size; readers may still be in the old one, which is kept. */
struct pdump_name_table {
    struct pdump_name_table *older;
    uint32_t mask;
    _Atomic uint32_t slots[]; /* refs; 0 is free */
};

enum { TABLE_MIN = 256 };

static uint64_t hash_of(const char *name, size_t len, enum pdump_group group)
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

static struct pdump_region_record *record(const struct pdump_regions *r,
                                          uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

/* The slot that has the name, or the free one where it belongs. */
static _Atomic uint32_t *probe(const struct pdump_regions *r,
                               struct pdump_name_table *table, uint64_t hash,
                               const char *name, size_t len,
                               enum pdump_group group)
{
    for (uint32_t i = (uint32_t)hash & table->mask;;
         i = (i + 1) & table->mask) {
        _Atomic uint32_t *slot = &table->slots[i];
        uint32_t ref = atomic_load_explicit(slot, memory_order_acquire);
        const struct pdump_region_record *rec;

        if (!ref)
            return slot;
        rec = record(r, ref);
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

    return *probe(r, table, hash_of(name, len, group), name, len, group);
}

static struct pdump_name_table *new_table(uint32_t size)
{
    struct pdump_name_table *t =
        calloc(1, sizeof(*t) + size * sizeof(t->slots[0]));

    if (t)
        t->mask = size - 1;
    return t;
}

/* Make room for one more name; under the lock. */
static bool grow(struct pdump_regions *r)
{
    struct pdump_name_table *old = r->table, *new;

    if ((r->n + 1) * 2 <= old->mask)
        return true;
    new = new_table((old->mask + 1) * 2);
    if (!new)
        return false;
    for (uint32_t i = 0; i <= old->mask; i++) {
        uint32_t ref = old->slots[i];
        struct pdump_region_record *rec;

        if (!ref)
            continue;
        rec = record(r, ref);
        *probe(r, new, rec->hash, rec->name, rec->length, rec->group) = ref;
    }
    new->older = old;
    atomic_store_explicit(&r->table, new, memory_order_release);
    return true;
}

static bool number(struct pdump_regions *r, uint32_t id, uint32_t ref)
{
    _Atomic(uint32_t *) *chunk = &r->chunks[id / PDUMP_ID_CHUNK];

    if (id / PDUMP_ID_CHUNK >= PDUMP_ID_CHUNKS)
        return false;
    if (!*chunk) {
        uint32_t *new = calloc(PDUMP_ID_CHUNK, sizeof(*new));

        if (!new)
            return false;
        atomic_store_explicit(chunk, new, memory_order_release);
    }
    (*chunk)[id % PDUMP_ID_CHUNK] = ref;
    return true;
}

/* Rules are for names, and a function has but a place here. */
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

/* Under the lock: a region that is not there yet, or 0. */
static uint32_t make(struct pdump_regions *r, const char *name, size_t len,
                     enum pdump_group group, const char *file, int line)
{
    uint64_t hash = hash_of(name, len, group);
    uint32_t id = r->n + 1, ref;
    struct pdump_region_record *rec;

    if (r->n >= r->max || !grow(r))
        return 0;
    ref = pdump_store_alloc(r->store, sizeof(*rec) + len + 1);
    if (!ref || !number(r, id, ref))
        return 0;
    rec = record(r, ref);
    memcpy(rec->name, name, len);
    rec->length = (uint32_t)len;
    rec->hash = hash;
    rec->id = id;
    rec->group = group;
    rec->file = file ? pdump_store_text(r->store, file, strlen(file)) : 0;
    rec->line = line;
    rec->is_excluded = is_excluded(r, rec->name, file, group);
    rec->next = *r->list;
    atomic_store_explicit(r->list, ref, memory_order_release);
    atomic_store_explicit(probe(r, r->table, hash, name, len, group), ref,
                          memory_order_release);
    atomic_store_explicit(&r->n, id, memory_order_release);
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
    if (!ref) {
        pthread_mutex_lock(&r->lock);
        ref = pdump_regions_find(r, name, len, group);
        if (!ref)
            ref = make(r, name, len, group, file, line);
        pthread_mutex_unlock(&r->lock);
    }
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
    r->table = new_table(TABLE_MIN);
    if (r->table)
        r->overflow = make(r, overflow, sizeof(overflow) - 1,
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

        free(table);
        table = older;
    }
    for (int i = 0; i < PDUMP_ID_CHUNKS; i++)
        free(r->chunks[i]);
    pthread_mutex_destroy(&r->lock);
    memset(r, 0, sizeof(*r));
}
