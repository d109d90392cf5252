/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table with open addressing.  Entries of deleted code objects are
 * dropped when it is full. */
#include "answers.h"
#include "cpython.h"

#include <stdbool.h>
#include <stdlib.h>

struct slot {
    const void *code;
    void *reference; /* weak */
    struct pdump_answer *answer;
};

enum { ROOM_MIN = 1024 };

static struct slot *slots;
static size_t n_slots, room;

/* Returns the slot of that address, or the empty slot where it belongs. */
static inline struct slot *answer_slot(struct slot *in, size_t n,
                                       const void *code)
{
    size_t i = ((uintptr_t)code >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (in[i & (n - 1)].code && in[i & (n - 1)].code != code)
        i++;
    return &in[i & (n - 1)];
}

static inline bool is_valid(const struct slot *s)
{
    return pdump_py.PyWeakref_GetObject(s->reference) == s->code;
}

struct pdump_answer *pdump_answer_find(void *code)
{
    const struct slot *s;

    if (__builtin_expect(!room, 0))
        return NULL;
    s = answer_slot(slots, room, code);
    return s->code && is_valid(s) ? s->answer : NULL;
}

static void slot_empty(struct slot *s)
{
    pdump_py.Py_DecRef(s->reference);
    free(s->answer->file);
    free(s->answer);
}

static bool slots_make_room(void)
{
    size_t n_valid = 0, larger = ROOM_MIN;
    struct slot *in;

    if (2 * n_slots < room)
        return true;
    for (size_t i = 0; i < room; i++)
        n_valid += slots[i].code && is_valid(&slots[i]);
    while (larger < 4 * n_valid)
        larger *= 2;
    in = calloc(larger, sizeof(*in));
    if (!in)
        return false;
    for (size_t i = 0; i < room; i++) {
        if (slots[i].code && is_valid(&slots[i]))
            *answer_slot(in, larger, slots[i].code) = slots[i];
        else if (slots[i].code)
            slot_empty(&slots[i]);
    }
    free(slots);
    slots = in;
    n_slots = n_valid;
    room = larger;
    return true;
}

struct pdump_answer *pdump_answer_keep(void *code,
                                       const struct pdump_answer *answer)
{
    /* Must come first: it may collect garbage, and that can run Python code. */
    void *reference = pdump_py.PyWeakref_NewRef(code, NULL);
    struct pdump_answer *copy = malloc(sizeof(*copy));
    struct slot *s;

    if (!reference || !copy || !slots_make_room()) {
        pdump_py.PyErr_Clear();
        pdump_py.Py_DecRef(reference);
        free(copy);
        return NULL;
    }
    *copy = *answer;
    s = answer_slot(slots, room, code);
    if (s->code)
        slot_empty(s);
    else
        n_slots++;
    *s = (struct slot){ code, reference, copy };
    return copy;
}

void pdump_answer_forget(void)
{
    for (size_t i = 0; i < room; i++)
        if (slots[i].code)
            slot_empty(&slots[i]);
    free(slots);
    slots = NULL;
    n_slots = room = 0;
}
