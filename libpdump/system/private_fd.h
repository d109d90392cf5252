/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that libpdump keeps open while the program runs.
 *
 * The program does not know of them.  A program that closes every descriptor it
 * has not opened, or that uses number 3 because it expects it to be free (`exec
 * 3>file` in a shell), may replace one of them by a file of its own, which
 * libpdump must not write to or close.  So libpdump moves its descriptors to
 * high numbers, and checks them before it uses them.
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

/* Returns the lowest number for private descriptors, given the present limit.
 */
int pdump_private_fd_first(void);

/* Move `fd` to a high number, close-on-exec, and close the old number.  Returns
 * the new number, or `fd` if none is free. -1 stays -1. */
int pdump_private_fd_raise(int fd);

/* Take over `fd` (-1: none) and move it to a high number.  The second function
 * leaves its number as it is, for brief use only. */
void pdump_private_fd_take(struct pdump_private_fd *own, int fd);
void pdump_private_fd_know(struct pdump_private_fd *own, int fd);

/* Returns true if descriptor `fd` still refers to that file. */
bool pdump_private_fd_is(const struct pdump_private_fd *own, int fd);

/* Close it, unless its number refers to another file by now. */
void pdump_private_fd_close(struct pdump_private_fd *own);

/*
 * Give the calling thread a descriptor table of its own, empty at first.
 *
 * For libpdump's threads that open files while the program runs.  In the shared
 * table they would take numbers that the program expects to be free: a program
 * that closes 0 and duplicates a descriptor would not get 0.  Before Linux 5.9
 * the thread keeps the program's table.
 */
void pdump_private_fd_part(void);

/* For such a thread: open() of existing files, read(), getdents64() and close()
 * as direct system calls.  A wrapper of the C library's functions
 * (libpdump-io.so) would take the thread's descriptors for the program's. */
int pdump_private_fd_apart_open(const char *path, int flags);
ssize_t pdump_private_fd_apart_read(int fd, void *data, size_t n);
ssize_t pdump_private_fd_apart_list(int fd, void *data, size_t n);
void pdump_private_fd_apart_close(int fd);

/* Called before PAPI opens descriptors, whose numbers cannot be chosen: fills
 * all free numbers below PDUMP_PRIVATE_FD_FIRST, so that PAPI gets higher ones.
 * Returns how many are in `fds`, for pdump_private_fd_unplug().  The constant
 * is small, because this runs for every thread; shells use lower numbers. */
enum { PDUMP_PRIVATE_FD_FIRST = 32 };
int pdump_private_fd_plug(int fds[PDUMP_PRIVATE_FD_FIRST]);
void pdump_private_fd_unplug(const int *fds, int n);

#endif
