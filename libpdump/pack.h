/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and texts as bytes that travel between ranks of one job, all of them
 * of the same kind of machine. */
#ifndef PDUMP_PACK_H
#define PDUMP_PACK_H

#include "builder.h"

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

/* Metrics, regions and nodes. */
void pdump_pack_tree(struct pdump_pack *p, const struct pdump_dump *dump);
int pdump_unpack_tree(struct pdump_unpack *u, struct pdump_builder *b);

/* Processes, threads, metadata, warnings. */
void pdump_pack_processes(struct pdump_pack *p, const struct pdump_dump *dump);
int pdump_unpack_processes(struct pdump_unpack *u, struct pdump_builder *b);

/* Tables of details (pack_details.c).  If they were put together on the way,
 * what went wrong then is in the warnings of the dump. */
void pdump_pack_details(struct pdump_pack *p, const struct pdump_dump *dump,
                        bool has_warnings);
/* The sender's threads are those from `first_thread` on; -1: all are one.  A
 * table with other fields than the builder's becomes a warning. */
int pdump_unpack_details(struct pdump_unpack *u, struct pdump_builder *b,
                         int first_thread);

/* Rows, samples and events; the threads are numbered from 0 in their dump. */
void pdump_pack_rows(struct pdump_pack *p, const struct pdump_dump *dump);

/* Into `piece`, which has metrics and room for their columns, and whose threads
 * are those of the sender from `first_thread` on.  The bytes are borrowed as
 * long as the piece is used. */
int pdump_unpack_rows(struct pdump_unpack *u, int first_thread,
                      struct pdump_dump *piece);

#endif
