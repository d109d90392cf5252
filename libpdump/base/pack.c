/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs numbers and strings into bytes that ranks of one job send to each
 * other. */
#include "base/pack.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 8 };

static size_t padded_length(size_t len)
{
    return (len + ALIGN - 1) / ALIGN * ALIGN;
}

void pdump_pack_bytes(struct pdump_pack *p, const void *bytes, size_t len)
{
    size_t need = p->len + padded_length(len);

    if (need > p->room && !p->is_bad) {
        size_t room = 2 * p->room > need ? 2 * p->room : need + 1024;
        char *larger = realloc(p->bytes, room);

        p->is_bad = !larger;
        if (larger) {
            p->bytes = larger;
            p->room = room;
        }
    }
    if (p->is_bad)
        return;
    if (len > 0)
        memcpy(p->bytes + p->len, bytes, len);
    memset(p->bytes + p->len + len, 0, padded_length(len) - len);
    p->len = need;
}

void pdump_pack_int(struct pdump_pack *p, int64_t value)
{
    pdump_pack_bytes(p, &value, sizeof(value));
}

void pdump_pack_text(struct pdump_pack *p, const char *text)
{
    size_t len = strlen(text) + 1;

    pdump_pack_int(p, (int64_t)len);
    pdump_pack_bytes(p, text, len);
}

const void *pdump_unpack_bytes(struct pdump_unpack *u, size_t len)
{
    const char *bytes = u->at;

    if (u->is_bad || (size_t)(u->end - u->at) < padded_length(len)) {
        u->is_bad = true;
        return NULL;
    }
    u->at += padded_length(len);
    return bytes;
}

int64_t pdump_unpack_int(struct pdump_unpack *u)
{
    const int64_t *value = pdump_unpack_bytes(u, sizeof(*value));

    return value ? *value : 0;
}

const char *pdump_unpack_text(struct pdump_unpack *u)
{
    int64_t len = pdump_unpack_int(u);
    const char *text = len > 0 ? pdump_unpack_bytes(u, (size_t)len) : NULL;

    if (text && text[len - 1] == '\0')
        return text;
    u->is_bad = true;
    return "";
}
