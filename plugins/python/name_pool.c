/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of names that only grows. */
#include "name_pool.h"

#include <pdump.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 1024 };

static char **table;
static size_t n_names, room; /* room is a power of two */

static uint64_t name_hash(const char *text, size_t len)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

static char **name_slot(char **in, size_t n, const char *text, size_t len)
{
    size_t i = name_hash(text, len) & (n - 1);

    while (in[i] && (strncmp(in[i], text, len) != 0 || in[i][len]))
        i = (i + 1) & (n - 1);
    return &in[i];
}

static int pool_grow(void)
{
    size_t larger = room ? 2 * room : ROOM_MIN;
    char **in = calloc(larger, sizeof(*in));

    if (!in)
        return 0;
    for (size_t i = 0; i < room; i++)
        if (table[i])
            *name_slot(in, larger, table[i], strlen(table[i])) = table[i];
    free(table);
    table = in;
    room = larger;
    return 1;
}

const char *pdump_name_keep(const char *text, size_t len)
{
    char **slot;

    if (2 * n_names >= room && !pool_grow())
        return NULL;
    slot = name_slot(table, room, text, len);
    if (!*slot) {
        char *copy = malloc(len + 1);

        if (!copy)
            return NULL;
        memcpy(copy, text, len);
        copy[len] = '\0';
        *slot = copy;
        n_names++;
    }
    return *slot;
}

void pdump_name_place(const char *name, const char *file, int line)
{
    if (file && *file)
        pdump_region_id(name, file, line);
}
