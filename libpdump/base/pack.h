/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs numbers and strings into bytes that ranks of one job send to each
 * other.  Numbers are in the machine's own format: all ranks run on the same
 * kind of machine. */
#ifndef PDUMP_PACK_H
#define PDUMP_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as zeroes.  Release `bytes` with free(). */
struct pdump_pack {
    char *bytes;
    size_t len;
    size_t room;
    bool is_bad; /* out of memory; later calls add nothing */
};

void pdump_pack_int(struct pdump_pack *p, int64_t value);
void pdump_pack_text(struct pdump_pack *p, const char *text);
void pdump_pack_bytes(struct pdump_pack *p, const void *bytes, size_t len);

/* A reader of packed bytes, which it borrows. */
struct pdump_unpack {
    const char *at;
    const char *end;
    bool is_bad; /* the bytes ended too early; reads return 0, "" or NULL */
};

int64_t pdump_unpack_int(struct pdump_unpack *u);
const char *pdump_unpack_text(struct pdump_unpack *u);
/* Returns `len` bytes, aligned for numbers; NULL if there are fewer. */
const void *pdump_unpack_bytes(struct pdump_unpack *u, size_t len);

#endif
