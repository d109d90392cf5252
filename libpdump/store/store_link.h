/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process refers to the file of its store.
 *
 * Programs list their descriptors, close them and pass them on, so libpdump
 * keeps none: when it needs one, it opens the file again, with checks.  The
 * lock of the file (F_OFD_SETLK) belongs to the open file description, which
 * lives as long as a mapping of the file: one page is mapped for this purpose
 * only.  On file systems that map another file instead (overlayfs), closing the
 * descriptor would release the lock, so the descriptor is kept there.
 */
#ifndef PDUMP_STORE_LINK_H
#define PDUMP_STORE_LINK_H

#include "system/private_fd.h"

#include <stdbool.h>

/* Zeroes if there is no file. */
struct pdump_store_link {
    const char *path; /* or NULL */
    struct pdump_private_fd
        own;    /* the file's identity, and a descriptor or -1 */
    void *lock; /* the page that keeps the lock, or NULL */
};

/* Take over the locked file `fd` at `path` (borrowed until it is freed), or no
 * file: -1 and NULL.  The file stays open until pdump_store_link_rest(). */
void pdump_store_link_make(struct pdump_store_link *link, int fd,
                           const char *path);
void pdump_store_link_rest(struct pdump_store_link *link);
void pdump_store_link_free(struct pdump_store_link *link);

/* The first returns a descriptor for writing to the file, or -1; the second
 * closes it. */
int pdump_store_link_open(struct pdump_store_link *link);
void pdump_store_link_close(struct pdump_store_link *link, int fd);

/* From now on keep a descriptor open. */
void pdump_store_link_keep(struct pdump_store_link *link);

/* Release the lock, or take it again.  The second returns false if another
 * process has it. */
void pdump_store_link_unlock(struct pdump_store_link *link);
bool pdump_store_link_lock(struct pdump_store_link *link);

#endif
