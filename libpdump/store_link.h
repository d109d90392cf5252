/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process keeps of the file of its store.
 *
 * Programs look at their descriptors, close them and pass them on, so none is
 * kept: the file is opened again, with checks, when it has to grow.  Its lock
 * (F_OFD_SETLK) belongs to the open file, which lives as long as a mapping of
 * it: one page, mapped for that alone.  On file systems that map another file
 * in its place (overlayfs), the lock goes with the descriptor, which is kept
 * there.
 */
#ifndef PDUMP_STORE_LINK_H
#define PDUMP_STORE_LINK_H

#include "own_fd.h"

#include <stdbool.h>

/* Start with zeros; then there is no file. */
struct pdump_store_link {
    char *path;              /* or NULL */
    struct pdump_own_fd own; /* a descriptor or -1; which file it is */
    void *lock;              /* the page that has the lock, or NULL */
};

/* Take over the locked file `fd` at `path` (copied), or none: -1 and NULL.
 * Until pdump_store_link_rest() it stays open.  False: no memory. */
bool pdump_store_link_make(struct pdump_store_link *link, int fd,
                           const char *path);
void pdump_store_link_rest(struct pdump_store_link *link);
void pdump_store_link_free(struct pdump_store_link *link);

/* The file, to write to it, or -1; and the end of that. */
int pdump_store_link_open(struct pdump_store_link *link);
void pdump_store_link_close(struct pdump_store_link *link, int fd);

/* Keep a descriptor from now on. */
void pdump_store_link_keep(struct pdump_store_link *link);

/* Give up the lock, or take it again: false if another process has it. */
void pdump_store_link_unlock(struct pdump_store_link *link);
bool pdump_store_link_lock(struct pdump_store_link *link);

#endif
