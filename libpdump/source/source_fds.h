/* SPDX-License-Identifier: BSD-3-Clause */
/* The file descriptors a source holds, so that no child keeps them. */
#ifndef PDUMP_SOURCE_FDS_H
#define PDUMP_SOURCE_FDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PDUMP_FDS_MAX = 1 << 20, /* what Linux allows by default (fs.nr_open) */
    PDUMP_FDS_WORDS = PDUMP_FDS_MAX / 64,
};

/* A set of numbers.  A bit map of atomic words, because the child of a fork()
 * must find it whole whatever other threads were doing; pages that are never
 * used cost nothing. */
struct pdump_fds {
    _Atomic uint64_t word[PDUMP_FDS_WORDS];
    atomic_int n_words; /* those in use */
};

/* Put in, take out, look up.  Numbers out of range are not kept. */
void pdump_fds_add(struct pdump_fds *set, int fd);
void pdump_fds_remove(struct pdump_fds *set, int fd);
bool pdump_fds_has(const struct pdump_fds *set, int fd);
void pdump_fds_clear(struct pdump_fds *set);

/* Take out those that are not what they were.  Returns their number. */
int pdump_fds_drop(struct pdump_fds *set, bool (*is_still)(int fd));

/* In the child of a fork(): let go of all, and empty the set. */
void pdump_fds_close_all(struct pdump_fds *set);

/* In the child of a fork(): let go of all, but keep the numbers taken, for a
 * library that still believes in them; read() and ioctl() on them fail. */
void pdump_fds_disarm_all(struct pdump_fds *set);

/* Free the numbers that disarm_all() kept, unless they changed hands. */
void pdump_fds_release_all(struct pdump_fds *set);

/* Call each() for every descriptor that this process has open now.  False if
 * that cannot be found out. */
bool pdump_fds_each(void (*each)(int fd, void *data), void *data);

#endif
