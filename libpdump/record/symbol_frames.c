/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the frames of stacks, and caches the names by address. */
#include "record/symbol_frames.h"
#include "base/array.h"
#include "record/symbols_private.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The frames at an address, the outermost first.  Never freed, so that readers
 * need no lock. */
struct found {
    struct found *next;
    uint64_t hash;
    struct pdump_symbol_address at;
    struct pdump_symbol_frame *frames;
    int n;
};

enum { BUCKETS = 4096 };

static _Atomic(struct found *) buckets[BUCKETS];

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *s = bytes;

    while (n-- > 0)
        h = (h ^ *s++) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t hash_of(const struct pdump_symbol_address *at)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    h = hash_bytes(h, at->module, strlen(at->module));
    h = hash_bytes(h, at->id, at->n_id);
    h = hash_bytes(h, &at->offset, sizeof(at->offset));
    return h ^ h >> 32;
}

static bool is_same(const struct pdump_symbol_address *a,
                    const struct pdump_symbol_address *b)
{
    return a->offset == b->offset && a->n_id == b->n_id &&
           (a->n_id == 0 || memcmp(a->id, b->id, a->n_id) == 0) &&
           strcmp(a->module, b->module) == 0;
}

static const struct found *find_frames(const struct pdump_symbol_address *at,
                                       uint64_t hash)
{
    const struct found *f = atomic_load(&buckets[hash % BUCKETS]);

    while (f && (f->hash != hash || !is_same(&f->at, at)))
        f = f->next;
    return f;
}

/* What the module says, copied while it is being asked. */
struct parts {
    struct pdump_symbol_part *list;
    int n;
    bool is_bad;
};

static void take_frame(void *data, const struct pdump_symbol_part *part)
{
    struct parts *p = data;
    char *name = strdup(part->name);

    if (!name || pdump_array_make(&p->list, p->n, sizeof(*p->list)) < 0) {
        p->is_bad = true;
        free(name);
        return;
    }
    p->list[p->n] = *part;
    p->list[p->n++].name = name;
}

static void free_parts(struct parts *p)
{
    for (int i = 0; i < p->n; i++)
        free((char *)p->list[i].name);
    free(p->list);
}

/* Writes the name of a function, and returns true if it has one. */
static bool put_name(const struct pdump_symbol_address *at,
                     const struct pdump_symbol_part *part, char *buf,
                     size_t len)
{
    char pretty[256];

    if (!part || !*part->name) {
        snprintf(buf, len, "%s+0x%llx", at->module,
                 (unsigned long long)(part && part->start ? part->start
                                                          : at->offset));
        return false;
    }
    pdump_symbols_pretty(part->name, pretty, sizeof(pretty));
    if (!part->is_shared)
        snprintf(buf, len, "%s", pretty);
    else if (*part->file)
        snprintf(buf, len, "%s (%s:%d)", pretty, part->file, part->line);
    else
        snprintf(buf, len, "%s (%s+0x%llx)", pretty, at->module,
                 (unsigned long long)part->start);
    return true;
}

/* Makes a frame; `part` is NULL if nothing is known. */
static bool make_frame(const struct pdump_symbol_address *at,
                       const struct pdump_symbol_part *part,
                       struct pdump_symbol_frame *out)
{
    char name[PDUMP_PLACE_MAX + 300], line[600];

    out->is_named = put_name(at, part, name, sizeof(name));
    out->function = strdup(name);
    out->file = strdup(part ? part->file : "");
    out->line = part ? part->line : 0;
    if (!part || !*part->at_file || part->at_line <= 0)
        return out->function && out->file;
    snprintf(line, sizeof(line), "%s:%d", part->at_file, part->at_line);
    out->at = strdup(line);
    return out->function && out->file && out->at;
}

static void free_found(struct found *f)
{
    for (int i = 0; i < f->n; i++) {
        free((char *)f->frames[i].function);
        free((char *)f->frames[i].file);
        free((char *)f->frames[i].at);
    }
    free(f->frames);
    free((char *)f->at.module);
    free((unsigned char *)f->at.id);
    free(f);
}

static struct found *make_found(const struct pdump_symbol_address *at,
                                const struct parts *parts)
{
    struct found *f = calloc(1, sizeof(*f));
    unsigned char *id = malloc(at->n_id + 1);
    int n = parts->n ? parts->n : 1;
    bool is_good = f && id;

    if (!is_good) {
        free(f);
        free(id);
        return NULL;
    }
    if (at->n_id)
        memcpy(id, at->id, at->n_id);
    f->at = (struct pdump_symbol_address){ strdup(at->module), id, at->n_id,
                                           at->offset };
    f->frames = calloc((size_t)n, sizeof(*f->frames));
    is_good = f->at.module && f->frames;
    for (; is_good && f->n < n; f->n++) {
        is_good = make_frame(at, parts->n ? &parts->list[f->n] : NULL,
                             &f->frames[f->n]);
        f->frames[f->n].is_inlined = f->n > 0;
    }
    if (is_good)
        return f;
    free_found(f);
    return NULL;
}

/* Asks the module.  Two threads that do so at the same time find the same, and
 * both results are kept. */
static const struct found *ask(const struct pdump_symbol_address *at,
                               uint64_t hash)
{
    struct parts parts = { .n = 0 };
    struct found *f = NULL;

    pdump_symbols_parts(at, take_frame, &parts);
    if (!parts.is_bad)
        f = make_found(at, &parts);
    free_parts(&parts);
    if (!f)
        return NULL;
    f->hash = hash;
    f->next = atomic_load(&buckets[hash % BUCKETS]);
    while (!atomic_compare_exchange_weak(&buckets[hash % BUCKETS], &f->next, f))
        ;
    return f;
}

int pdump_symbol_frames(const struct pdump_symbol_address *addresses, int n,
                        struct pdump_symbol_frame **out)
{
    struct pdump_symbol_frame *list = NULL;
    int n_frames = 0;

    for (int i = 0; i < n; i++) {
        struct pdump_symbol_address at = addresses[i];
        const struct found *f;
        uint64_t hash;

        at.offset -= i < n - 1 && at.offset > 0;
        hash = hash_of(&at);
        f = find_frames(&at, hash);
        if (!f)
            f = ask(&at, hash);
        if (!f || pdump_array_set(&list, n_frames + f->n, sizeof(*list)) < 0) {
            free(list);
            return pdump_no_memory();
        }
        memcpy(list + n_frames, f->frames, (size_t)f->n * sizeof(*list));
        n_frames += f->n;
    }
    *out = list;
    return n_frames;
}
