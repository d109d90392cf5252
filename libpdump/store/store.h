/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that a process records into: segments that never move, in one
 * reserved range of addresses, mapped from a file that outlives the process.
 *
 * Everything in it is addressed by a ref, its distance from the start in units
 * of 8 bytes, so that a store means the same wherever it is mapped.  Ref 0 is
 * the head (store_layout.h) and, as a link, the end of a list.
 */
#ifndef PDUMP_STORE_H
#define PDUMP_STORE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pdump_store;

/* Reserve `max` bytes of addresses (less if the limits are tight), with `head`
 * bytes in use, zeroed, at ref 0; in anonymous memory. */
int pdump_store_open(struct pdump_store **out, size_t max, size_t head);

/* As pdump_store_open(), mapped from `fd`, an empty file at `path` (copied)
 * that is the store's from now on; also on failure, when it is removed.  What
 * the file system has no room for is anonymous memory, with one warning, and
 * the file stays as it was then; if that is nothing, there is no file.  If the
 * file cannot be opened then, nothing more can be allocated. */
int pdump_store_open_file(struct pdump_store **out, size_t max, size_t head,
                          int fd, const char *path);

/* Unmap; the file stays. */
void pdump_store_close(struct pdump_store *store);

/* Remove the file, if there is one. */
void pdump_store_remove(struct pdump_store *store);

/* In the child of a fork(), where the memory is not: close the file. */
void pdump_store_forget(struct pdump_store *store);

/* The process is about to lose the right to open the file, or must not take a
 * descriptor later: keep it open, unless it grows without. */
void pdump_store_keep_open(struct pdump_store *store);

/* Release the lock of the file, so that another process can take it; and take
 * it back: false if another process has it. */
void pdump_store_leave(struct pdump_store *store);
bool pdump_store_take_back(struct pdump_store *store);

/* The file, or NULL.  Valid as long as the store. */
const char *pdump_store_path(const struct pdump_store *store);

/* See to it that a change of n bytes of the head is in the file, also if the
 * rest is not. */
void pdump_store_publish(struct pdump_store *store, const void *at, size_t n);

/* Nothing more will be recorded: give back the room of the file that is not in
 * use.  Waits for nobody. */
void pdump_store_trim(struct pdump_store *store);

/* From now on keep in `at` the number of bytes of the file that a reader can
 * rely on. */
void pdump_store_show_size(struct pdump_store *store, _Atomic uint64_t *at);

/* Is everything in the file, nothing in anonymous memory? */
bool pdump_store_is_whole(const struct pdump_store *store);

/* Where ref 0 is. */
char *pdump_store_base(const struct pdump_store *store);

/* A ref to `bytes` zeroed bytes, or 0 if the store is full.  Takes a lock. */
uint32_t pdump_store_alloc(struct pdump_store *store, size_t bytes);

/* For lists that several threads change, and a dump reads: a turn (lock.h). */
int pdump_store_take(struct pdump_store *store);
void pdump_store_end(struct pdump_store *store);

/* Bytes in use. */
size_t pdump_store_used(const struct pdump_store *store);

/* A ref to a copy of a string of `len` bytes, NUL added; 0 if full. */
uint32_t pdump_store_text(struct pdump_store *store, const char *text,
                          size_t len);

static inline void *pdump_store_at(char *base, uint32_t ref)
{
    return base + (size_t)ref * 8;
}

/* A thread's own supply of small records, refilled from the store. */
struct pdump_arena {
    struct pdump_store *store;
    uint32_t next;
    uint32_t end;
    uint32_t refill; /* units to ask for next time */
};

void pdump_arena_init(struct pdump_arena *arena, struct pdump_store *store);

/* As pdump_store_alloc(), mostly without a lock.  One thread only. */
uint32_t pdump_arena_alloc(struct pdump_arena *arena, size_t bytes);

#endif
