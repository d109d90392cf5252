/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file to which events are written while the program runs: full chunks of
 * the store, each with a header.  It belongs to a store, which contains its
 * name, and cannot be read without it.
 */
#ifndef PDUMP_STORE_EVENT_FILE_H
#define PDUMP_STORE_EVENT_FILE_H

#include "store/store.h"
#include "store/store_layout.h"

/* The start of the file: identifies its owner. */
struct pdump_store_event_owner {
    char magic[8];
    int64_t pid;
    int64_t start; /* of the session: ticks */
};

/* Events of a thread, in a chunk or in the file. */
struct pdump_event_piece {
    uint64_t sequence;
    uint64_t first;
    int64_t start;
    uint32_t thread; /* number of the thread */
    uint32_t node;
    uint32_t n; /* bytes that follow */
    uint32_t pad;
};

/* Create a new file in the folder of the file `beside`.  Its path is written to
 * `path`, and its name to the store that `head` belongs to. */
int pdump_store_event_file_make(struct pdump_store *store, const char *beside,
                                struct pdump_head *head, char *path,
                                size_t len);

/* Append a piece.  PDUMP_EIO if it fails and the file is as before;
 * PDUMP_EFORMAT if the end of the file is damaged: then nothing more may be
 * appended. */
int pdump_store_event_file_add(const char *path,
                               const struct pdump_event_piece *piece,
                               const unsigned char *bytes);

/* Open the file that belongs to the store at `base`, in the folder of `beside`.
 * Returns a descriptor or -1.  The file begins with its owner; pieces follow,
 * the last of which may be truncated. */
int pdump_store_event_file_open(const char *beside, char *base);

/* Remove the file that belongs to the store at `base`, or to the store in the
 * file `path`. */
void pdump_store_event_file_remove(const char *beside, char *base);
PDUMP_SHARED void pdump_store_event_file_remove_of(const char *path);

#endif
