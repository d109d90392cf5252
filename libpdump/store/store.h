/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The store: the memory that a process records into.  Its segments never move,
 * are in one reserved range of addresses, and are mapped from a file that
 * outlives the process.
 *
 * Everything in it is addressed by a ref, the distance from the start in units
 * of 8 bytes, so that a store can be mapped at any address.  Ref 0 is the head
 * (store_layout.h); as a link, it is the end of a list.
 *
 * This is the central header of store/, which contains the mapped file: its
 * layout, allocation and naming.
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

/* As pdump_store_open(), mapped from `fd`, an empty file at `path` (copied).
 * The store owns the file from now on; on failure the file is removed.  If the
 * file system is full, the store continues in anonymous memory, with one
 * warning, and the file stays as it was at that moment; if nothing fitted into
 * it, it is removed.  If the file cannot be opened at that moment, nothing more
 * can be allocated. */
int pdump_store_open_file(struct pdump_store **out, size_t max, size_t head,
                          int fd, const char *path);

/* Unmap; the file stays. */
void pdump_store_close(struct pdump_store *store);

/* Remove the file, if there is one. */
void pdump_store_remove(struct pdump_store *store);

/* In the child of a fork(), which does not have the mapping: close the file. */
void pdump_store_forget(struct pdump_store *store);

/* Keep the file open, unless it can grow without a descriptor.  Called before
 * the process loses the right to open the file, or when it must not open a
 * descriptor later. */
void pdump_store_keep_open(struct pdump_store *store);

/* Release the lock of the file, so that another process can take it; and take
 * it back.  The second returns false if another process has it. */
void pdump_store_leave(struct pdump_store *store);
bool pdump_store_take_back(struct pdump_store *store);

/* Returns the path of the file, or NULL.  Valid as long as the store. */
const char *pdump_store_path(const struct pdump_store *store);

/* Write n changed bytes of the head to the file, if the file no longer follows
 * the memory. */
void pdump_store_publish(struct pdump_store *store, const void *at, size_t n);

/* Release the unused blocks of the file, when nothing more will be recorded.
 * Does not wait for a lock. */
void pdump_store_trim(struct pdump_store *store);

/* From now on keep in `at` the number of bytes of the file that a reader can
 * use. */
void pdump_store_show_size(struct pdump_store *store, _Atomic uint64_t *at);

/* Returns true if everything is in the file and nothing in anonymous memory. */
bool pdump_store_is_whole(const struct pdump_store *store);

/* Returns the address of ref 0. */
char *pdump_store_base(const struct pdump_store *store);

/* Returns a ref to `bytes` zeroed bytes, or 0 if the store is full.  Takes a
 * lock. */
uint32_t pdump_store_alloc(struct pdump_store *store, size_t bytes);

/* As pdump_store_alloc(), for signal handlers: returns 0 also if the lock is
 * held for long, or if the store can only grow by opening its file. */
uint32_t pdump_store_alloc_now(struct pdump_store *store, size_t bytes);

/* Take and end the turn (lock.h) for lists that several threads change and a
 * dump reads. */
int pdump_store_take(struct pdump_store *store);
void pdump_store_end(struct pdump_store *store);

/* Returns the number of bytes in use. */
size_t pdump_store_used(const struct pdump_store *store);

/* Returns a ref to a copy of a string of `len` bytes, with a NUL added; 0 if
 * the store is full. */
uint32_t pdump_store_text(struct pdump_store *store, const char *text,
                          size_t len);

static inline void *pdump_store_at(char *base, uint32_t ref)
{
    return base + (size_t)ref * 8;
}

/* Memory for a thread's small records, refilled from the store. */
struct pdump_arena {
    struct pdump_store *store;
    uint32_t next;
    uint32_t end;
    uint32_t refill; /* units to allocate next time */
};

void pdump_arena_init(struct pdump_arena *arena, struct pdump_store *store);

/* As pdump_store_alloc(), usually without a lock.  For one thread only. */
uint32_t pdump_arena_alloc(struct pdump_arena *arena, size_t bytes);

#endif
