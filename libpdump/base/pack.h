/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and texts as bytes that travel between ranks of one job, all of them
 * of the same kind of machine. */
#ifndef PDUMP_PACK_H
#define PDUMP_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as zeroes; `bytes` ends with free(). */
struct pdump_pack {
    char *bytes;
    size_t len;
    size_t room;
    bool is_bad; /* no memory; nothing more is added */
};

void pdump_pack_int(struct pdump_pack *p, int64_t value);
void pdump_pack_text(struct pdump_pack *p, const char *text);
void pdump_pack_bytes(struct pdump_pack *p, const void *bytes, size_t len);

/* What arrived.  Borrows the bytes. */
struct pdump_unpack {
    const char *at;
    const char *end;
    bool is_bad; /* they ended too early: what is given then is zero or "" */
};

int64_t pdump_unpack_int(struct pdump_unpack *u);
const char *pdump_unpack_text(struct pdump_unpack *u);
/* `len` bytes, aligned for numbers; NULL if there are not so many. */
const void *pdump_unpack_bytes(struct pdump_unpack *u, size_t len);

#endif
