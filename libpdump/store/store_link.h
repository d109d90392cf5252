/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process keeps of the file of its store.
 *
 * Programs list their descriptors, close them and pass them on, so none is
 * kept: if one is needed, the file is opened again, with checks.  Its lock
 * (F_OFD_SETLK) belongs to the open file description, which lives as long as a
 * mapping of the file: one page, mapped for this purpose only.  On file systems
 * that map another file instead (overlayfs), closing the descriptor would
 * release the lock, so the descriptor is kept there.
 */
#ifndef PDUMP_STORE_LINK_H
#define PDUMP_STORE_LINK_H

#include "system/private_fd.h"

#include <stdbool.h>

/* Start with zeros; then there is no file. */
struct pdump_store_link {
    char *path; /* or NULL */
    struct pdump_private_fd
        own;    /* the file's identity, and a descriptor or -1 */
    void *lock; /* the page that has the lock, or NULL */
};

/* Take over the locked file `fd` at `path` (copied), or none: -1 and NULL.
 * Until pdump_store_link_rest() it stays open.  False: no memory. */
bool pdump_store_link_make(struct pdump_store_link *link, int fd,
                           const char *path);
void pdump_store_link_rest(struct pdump_store_link *link);
void pdump_store_link_free(struct pdump_store_link *link);

/* Returns a descriptor to write to the file, or -1; and closes it again. */
int pdump_store_link_open(struct pdump_store_link *link);
void pdump_store_link_close(struct pdump_store_link *link, int fd);

/* Keep a descriptor from now on. */
void pdump_store_link_keep(struct pdump_store_link *link);

/* Release the lock, or take it again: false if another process has it. */
void pdump_store_link_unlock(struct pdump_store_link *link);
bool pdump_store_link_lock(struct pdump_store_link *link);

#endif
