/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the stores in folders, or those that the user named. */
#ifndef PDUMP_STORE_LIST_H
#define PDUMP_STORE_LIST_H

#include "store/store_layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct store {
    char *path;
    char run[sizeof(((struct pdump_head *)0)->run) + 1]; /* may be "" */
    int64_t pid;
    int64_t parent;      /* pid, or 0 */
    int64_t start;       /* ns since 1970, or 0 */
    int64_t start_clock; /* the same time by CLOCK_MONOTONIC */
    int64_t changed;     /* modification of the file, ns since 1970 */
    int64_t bytes;       /* of memory or disk that the file takes */
    uid_t user;          /* its owner */
    dev_t device;
    ino_t inode;
    bool is_alive; /* a process records into it */
    bool is_named; /* the user named the file itself */
};

/* Starts with zeros; ends with store_list_free(). */
struct store_list {
    struct store *items;
    int n;
    int room;
    int n_forbidden; /* owned or writable by other users */
};

/* Adds the store `operand`, or all stores in the folder `operand`.  PDUMP_EIO
 * or PDUMP_EFORMAT if it is neither.  No file is added twice. */
int store_list_add(struct store_list *list, const char *operand);

/* Adds all stores in the default folders, and in PDUMP_STORE if it is a
 * folder. */
int store_list_add_defaults(struct store_list *list);

/* Sort by run; within a run the first process, then by start time. */
int store_compare(const struct store *a, const struct store *b);
void store_list_sort(struct store_list *list);

/* Returns how many of the stores from `first` on belong to one run. */
int store_list_run(const struct store_list *list, int first);

void store_list_free(struct store_list *list);

#endif
