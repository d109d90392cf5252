/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that libpdump keeps open while the program runs. */
#include "system/private_fd.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* CLOSE_RANGE_UNSHARE, which not every C library defines. */
enum { UNSHARE = 2 };

int pdump_private_fd_first(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur / 2 >= PDUMP_PRIVATE_FD_FIRST)
        return PDUMP_PRIVATE_FD_FIRST;
    return (int)(limit.rlim_cur / 2);
}

int pdump_private_fd_raise(int fd)
{
    int first = pdump_private_fd_first(), high;

    if (fd < 0 || fd >= first)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, first);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

void pdump_private_fd_take(struct pdump_private_fd *own, int fd)
{
    pdump_private_fd_know(own, pdump_private_fd_raise(fd));
}

/* If `fd` is -1, the identity of the previous file is kept. */
void pdump_private_fd_know(struct pdump_private_fd *own, int fd)
{
    struct stat status;

    own->fd = fd;
    if (own->fd >= 0 && fstat(own->fd, &status) == 0) {
        own->device = status.st_dev;
        own->file = status.st_ino;
    }
}

bool pdump_private_fd_is(const struct pdump_private_fd *own, int fd)
{
    struct stat status;

    return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == own->device &&
           status.st_ino == own->file;
}

void pdump_private_fd_close(struct pdump_private_fd *own)
{
    int fd = own->fd;

    own->fd = -1; /* first: else a forked child could close another file */
    if (pdump_private_fd_is(own, fd))
        close(fd);
}

void pdump_private_fd_part(void)
{
#ifdef SYS_close_range
    syscall(SYS_close_range, 0u, ~0u, UNSHARE);
#endif
}

int pdump_private_fd_apart_open(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

ssize_t pdump_private_fd_apart_read(int fd, void *data, size_t n)
{
    return syscall(SYS_read, fd, data, n);
}

ssize_t pdump_private_fd_apart_list(int fd, void *data, size_t n)
{
    return syscall(SYS_getdents64, fd, data, n);
}

void pdump_private_fd_apart_close(int fd)
{
    syscall(SYS_close, fd);
}

int pdump_private_fd_plug(int fds[PDUMP_PRIVATE_FD_FIRST])
{
    int first = pdump_private_fd_first(), n = 0;
    int fd = open("/", O_PATH | O_CLOEXEC);

    while (fd >= 0 && fd < first) {
        fds[n++] = fd;
        fd = fcntl(fds[0], F_DUPFD_CLOEXEC, fd + 1);
    }
    if (fd >= 0)
        close(fd);
    return n;
}

void pdump_private_fd_unplug(const int *fds, int n)
{
    while (n > 0)
        close(fds[--n]);
}
