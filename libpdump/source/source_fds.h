/* SPDX-License-Identifier: BSD-3-Clause */
/* The file descriptors that a source holds, so that a child can close them. */
#ifndef PDUMP_SOURCE_FDS_H
#define PDUMP_SOURCE_FDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PDUMP_FDS_MAX = 1 << 20, /* the default limit of Linux (fs.nr_open) */
    PDUMP_FDS_WORDS = PDUMP_FDS_MAX / 64,
};

/* A set of descriptor numbers.  It is a bit map of atomic words, because the
 * child of a fork() must find it consistent whatever other threads were doing.
 * The words are mapped when the first number is added, and never unmapped.
 * Only pages that are used take memory. */
struct pdump_fds {
    _Atomic uint64_t *_Atomic word; /* PDUMP_FDS_WORDS */
    atomic_int n_words;             /* words in use */
};

/* Add a number.  Returns false if out of memory. */
bool pdump_fds_add(struct pdump_fds *set, int fd);

/* Remove, look up, remove all; these need no memory.  Numbers out of range are
 * ignored, also by pdump_fds_add(). */
void pdump_fds_remove(struct pdump_fds *set, int fd);
bool pdump_fds_has(const struct pdump_fds *set, int fd);
void pdump_fds_clear(struct pdump_fds *set);

/* Remove the descriptors for which is_still() returns false.  Returns their
 * number. */
int pdump_fds_drop(struct pdump_fds *set, bool (*is_still)(int fd));

/* In the child of a fork(): close all descriptors, and empty the set. */
void pdump_fds_close_all(struct pdump_fds *set);

/* In the child of a fork(): replace all descriptors by unusable ones with the
 * same numbers, for a library that will still use the numbers; read() and
 * ioctl() on them fail. */
void pdump_fds_disarm_all(struct pdump_fds *set);

/* Close the descriptors of disarm_all(), except numbers that the program has
 * reused, and empty the set. */
void pdump_fds_release_all(struct pdump_fds *set);

/* Call each() for every descriptor that this process has open now.  Returns
 * false if they cannot be listed. */
bool pdump_fds_each(void (*each)(int fd, void *data), void *data);

#endif
