/* SPDX-License-Identifier: BSD-3-Clause */
/* An arena of strings: blocks filled from the front, and a hash table. */
#include "base/string_pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16, FIRST_SLOTS = 64 };

struct block {
    struct block *next;
    size_t used;
    size_t size;
    char bytes[];
};

struct slot {
    const char *s; /* NULL: free */
    size_t len;
    uint64_t hash;
};

struct pdump_string_pool {
    struct block *blocks; /* the first is being filled */
    struct slot *slots;
    size_t n_slots; /* a power of two */
    size_t n_strings;
};

static uint64_t string_hash(const char *s, size_t len)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len;
    uint64_t word;

    for (; len >= sizeof(word); s += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, s, sizeof(word));
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, s, len);
    h = (h ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}

/* Returns the slot that contains these bytes, or the free slot for them. */
static struct slot *slot_find(const struct pdump_string_pool *text,
                              const char *s, size_t len, uint64_t hash)
{
    size_t mask = text->n_slots - 1;

    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct slot *slot = &text->slots[i];

        if (!slot->s)
            return slot;
        if (slot->hash == hash && slot->len == len &&
            memcmp(slot->s, s, len) == 0)
            return slot;
    }
}

static bool double_slots(struct pdump_string_pool *text)
{
    struct slot *old = text->slots;
    size_t n_old = text->n_slots;
    size_t n = n_old ? 2 * n_old : FIRST_SLOTS;
    struct slot *slots = calloc(n, sizeof(*slots));

    if (!slots)
        return false;
    text->slots = slots;
    text->n_slots = n;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].s)
            *slot_find(text, old[i].s, old[i].len, old[i].hash) = old[i];
    free(old);
    return true;
}

/* A long string gets a block of its own behind the one being filled, whose
 * free space would be lost otherwise. */
static char *block_take(struct pdump_string_pool *text, size_t size)
{
    struct block *first = text->blocks;
    bool is_long = size > BLOCK_SIZE / 4;
    struct block *block;

    if (first && first->size - first->used >= size) {
        first->used += size;
        return first->bytes + first->used - size;
    }
    block = malloc(sizeof(*block) + (is_long ? size : BLOCK_SIZE));
    if (!block)
        return NULL;
    block->used = size;
    block->size = is_long ? size : BLOCK_SIZE;
    if (is_long && first) {
        block->next = first->next;
        first->next = block;
    } else {
        block->next = first;
        text->blocks = block;
    }
    return block->bytes;
}

const char *pdump_string_pool_keep(struct pdump_string_pool *text,
                                   const char *s, size_t len)
{
    uint64_t hash = string_hash(s, len);
    struct slot *slot;
    char *copy;

    if (2 * text->n_strings >= text->n_slots && !double_slots(text))
        return NULL;
    slot = slot_find(text, s, len, hash);
    if (slot->s)
        return slot->s;
    copy = block_take(text, len + 1);
    if (!copy)
        return NULL;
    memcpy(copy, s, len);
    copy[len] = '\0';
    *slot = (struct slot){ .s = copy, .len = len, .hash = hash };
    text->n_strings++;
    return copy;
}

const char *pdump_string_pool_find(const struct pdump_string_pool *text,
                                   const char *s, size_t len)
{
    return text->n_slots ? slot_find(text, s, len, string_hash(s, len))->s
                         : NULL;
}

void pdump_string_pool_seal(struct pdump_string_pool *text)
{
    free(text->slots);
    text->slots = NULL;
    text->n_slots = 0;
    text->n_strings = 0;
}

int pdump_string_pool_new(struct pdump_string_pool **out)
{
    struct pdump_string_pool *text = calloc(1, sizeof(*text));

    if (!text)
        return pdump_no_memory();
    *out = text;
    return PDUMP_OK;
}

void pdump_string_pool_free(struct pdump_string_pool *text)
{
    if (!text)
        return;
    for (struct block *block = text->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(text->slots);
    free(text);
}
