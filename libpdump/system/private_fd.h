/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that we keep while the program runs.
 *
 * The program does not know of them.  Whoever closes all that he has not
 * opened, or asks for number 3 because he knows it to be free (`exec 3>file` of
 * a shell), puts a file of his own in our place; then what we do to ours, we do
 * to his.  So ours have high numbers, and are looked at before they are used.
 */
#ifndef PDUMP_PRIVATE_FD_H
#define PDUMP_PRIVATE_FD_H

#include <stdbool.h>
#include <sys/types.h>

struct pdump_private_fd {
    int fd; /* or -1 */
    dev_t device;
    ino_t file;
};

/* The lowest number that is out of the program's way, for the present limit. */
int pdump_private_fd_first(void);

/* The same file by a high number, not to be inherited, in place of `fd`; or
 * `fd`, if there is none.  -1 stays -1. */
int pdump_private_fd_raise(int fd);

/* Take over `fd` (-1: none), moved to a high number; the second leaves its
 * number as it is, for brief use only. */
void pdump_private_fd_take(struct pdump_private_fd *own, int fd);
void pdump_private_fd_know(struct pdump_private_fd *own, int fd);

/* Is that file open here, by this number? */
bool pdump_private_fd_is(const struct pdump_private_fd *own, int fd);

/* Close it, unless it is another's by now. */
void pdump_private_fd_close(struct pdump_private_fd *own);

/*
 * A thread of ours that opens files while the program runs would take numbers
 * that the program knows to be free: who closes 0 and copies a descriptor gets
 * another one than 0.  From now on the calling thread has descriptors of its
 * own, none at first.  (Not before Linux 5.9: then they stay the program's.)
 */
void pdump_private_fd_part(void);

/* For such a thread: who stands in front of the C library (libpdump-io.so)
 * would take its numbers for the program's.  As open(), without making files,
 * read(), getdents64() and close(). */
int pdump_private_fd_apart_open(const char *path, int flags);
ssize_t pdump_private_fd_apart_read(int fd, void *data, size_t n);
ssize_t pdump_private_fd_apart_list(int fd, void *data, size_t n);
void pdump_private_fd_apart_close(int fd);

/* While PAPI opens descriptors, whose numbers we cannot choose: those below
 * are taken.  `n` numbers, in `fds`, to be given to pdump_private_fd_unplug().
 * Every thread pays for them; shells and people count to less. */
enum { PDUMP_PRIVATE_FD_FIRST = 32 };
int pdump_private_fd_plug(int fds[PDUMP_PRIVATE_FD_FIRST]);
void pdump_private_fd_unplug(const int *fds, int n);

#endif
