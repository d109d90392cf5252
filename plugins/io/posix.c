/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers of the functions on descriptors.  Names that end in 64, and the
 * variants of _FORTIFY_SOURCE, count as the plain functions. */
#include "wrap.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

/* clang-format off */
FUNCTION(open, PDUMP_IO_POSIX)
FUNCTION(openat, PDUMP_IO_POSIX)
FUNCTION(creat, PDUMP_IO_POSIX)
FUNCTION(close, PDUMP_IO_POSIX)
FUNCTION(dup, PDUMP_IO_POSIX)
FUNCTION(dup2, PDUMP_IO_POSIX)
FUNCTION(dup3, PDUMP_IO_POSIX)
FUNCTION(read, PDUMP_IO_POSIX)
FUNCTION(write, PDUMP_IO_POSIX)
FUNCTION(pread, PDUMP_IO_POSIX)
FUNCTION(pwrite, PDUMP_IO_POSIX)
FUNCTION(readv, PDUMP_IO_POSIX)
FUNCTION(writev, PDUMP_IO_POSIX)
FUNCTION(preadv, PDUMP_IO_POSIX)
FUNCTION(pwritev, PDUMP_IO_POSIX)
FUNCTION(preadv2, PDUMP_IO_POSIX)
FUNCTION(pwritev2, PDUMP_IO_POSIX)
FUNCTION(lseek, PDUMP_IO_POSIX)
FUNCTION(fsync, PDUMP_IO_POSIX)
FUNCTION(fdatasync, PDUMP_IO_POSIX)
FUNCTION(ftruncate, PDUMP_IO_POSIX)
FUNCTION(mmap, PDUMP_IO_POSIX)
FUNCTION(sendfile, PDUMP_IO_POSIX)
FUNCTION(copy_file_range, PDUMP_IO_POSIX)

/* Headers declare these only with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *data, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *data, size_t n, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *data, size_t n, off64_t offset,
                      size_t room);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);

/* Functions that open a path, which may be relative to a folder. */
#define OPENS(name, plain, params, args, place)                         \
    PDUMP_IO_REAL(name)                                                 \
    WRAP(int, name, params,                                             \
         pdump_io_begin_path(&io, &on_##plain, place, path),            \
         REAL(name) args, pdump_io_opened(&io, path, result))

/* The same, with a mode for new files. */
#define OPENS_OR_MAKES(name, plain, params, args, place)                \
    PDUMP_IO_REAL(name)                                                 \
    WRAP(int, name, params,                                             \
         mode_t mode = 0;                                               \
         if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {     \
             va_list list;                                              \
             va_start(list, flags);                                     \
             mode = va_arg(list, mode_t);                               \
             va_end(list);                                              \
         }                                                              \
         pdump_io_begin_path(&io, &on_##plain, place, path),            \
         REAL(name) args, pdump_io_opened(&io, path, result))

OPENS_OR_MAKES(open, open, (const char *path, int flags, ...),
               (path, flags, mode), AT_FDCWD)
OPENS_OR_MAKES(open64, open, (const char *path, int flags, ...),
               (path, flags, mode), AT_FDCWD)
OPENS_OR_MAKES(openat, openat, (int folder, const char *path, int flags, ...),
               (folder, path, flags, mode), folder)
OPENS_OR_MAKES(openat64, openat, (int folder, const char *path, int flags, ...),
               (folder, path, flags, mode), folder)
OPENS(__open_2, open, (const char *path, int flags), (path, flags), AT_FDCWD)
OPENS(__open64_2, open, (const char *path, int flags), (path, flags), AT_FDCWD)
OPENS(__openat_2, openat, (int folder, const char *path, int flags),
      (folder, path, flags), folder)
OPENS(__openat64_2, openat, (int folder, const char *path, int flags),
      (folder, path, flags), folder)
OPENS(creat, creat, (const char *path, mode_t mode), (path, mode), AT_FDCWD)
OPENS(creat64, creat, (const char *path, mode_t mode), (path, mode), AT_FDCWD)

/* Functions that read or write at the position. */
#define MOVES(name, plain, params, args)                            \
    PDUMP_IO_REAL(name)                                             \
    WRAP(ssize_t, name, params, pdump_io_begin(&io, &on_##plain, fd), \
         REAL(name) args, pdump_io_moved(&io, fd, result))

MOVES(read, read, (int fd, void *data, size_t n), (fd, data, n))
MOVES(__read_chk, read, (int fd, void *data, size_t n, size_t room),
      (fd, data, n, room))
MOVES(write, write, (int fd, const void *data, size_t n), (fd, data, n))
MOVES(readv, readv, (int fd, const struct iovec *list, int n), (fd, list, n))
MOVES(writev, writev, (int fd, const struct iovec *list, int n), (fd, list, n))

/* Functions that read or write at an offset. */
#define MOVES_AT(name, plain, params, args)                         \
    PDUMP_IO_REAL(name)                                             \
    WRAP(ssize_t, name, params, pdump_io_begin(&io, &on_##plain, fd), \
         REAL(name) args, pdump_io_moved_at(&io, fd, offset, result))

MOVES_AT(pread, pread, (int fd, void *data, size_t n, off_t offset),
         (fd, data, n, offset))
MOVES_AT(pread64, pread, (int fd, void *data, size_t n, off64_t offset),
         (fd, data, n, offset))
MOVES_AT(__pread_chk, pread,
         (int fd, void *data, size_t n, off_t offset, size_t room),
         (fd, data, n, offset, room))
MOVES_AT(__pread64_chk, pread,
         (int fd, void *data, size_t n, off64_t offset, size_t room),
         (fd, data, n, offset, room))
MOVES_AT(pwrite, pwrite, (int fd, const void *data, size_t n, off_t offset),
         (fd, data, n, offset))
MOVES_AT(pwrite64, pwrite, (int fd, const void *data, size_t n, off64_t offset),
         (fd, data, n, offset))
MOVES_AT(preadv, preadv,
         (int fd, const struct iovec *list, int n, off_t offset),
         (fd, list, n, offset))
MOVES_AT(preadv64, preadv,
         (int fd, const struct iovec *list, int n, off64_t offset),
         (fd, list, n, offset))
MOVES_AT(pwritev, pwritev,
         (int fd, const struct iovec *list, int n, off_t offset),
         (fd, list, n, offset))
MOVES_AT(pwritev64, pwritev,
         (int fd, const struct iovec *list, int n, off64_t offset),
         (fd, list, n, offset))
MOVES_AT(preadv2, preadv2,
         (int fd, const struct iovec *list, int n, off_t offset, int flags),
         (fd, list, n, offset, flags))
MOVES_AT(preadv64v2, preadv2,
         (int fd, const struct iovec *list, int n, off64_t offset, int flags),
         (fd, list, n, offset, flags))
MOVES_AT(pwritev2, pwritev2,
         (int fd, const struct iovec *list, int n, off_t offset, int flags),
         (fd, list, n, offset, flags))
MOVES_AT(pwritev64v2, pwritev2,
         (int fd, const struct iovec *list, int n, off64_t offset, int flags),
         (fd, list, n, offset, flags))

/* Functions that copy between descriptors: counted for the one that is
 * written. */
#define SENDS(name, type)                                                  \
    PDUMP_IO_REAL(name)                                                    \
    WRAP(ssize_t, name, (int to, int from, type *at, size_t n),            \
         pdump_io_begin(&io, &on_sendfile, to), REAL(name)(to, from, at, n), \
         if (!at) pdump_io_drawn(from, result);                            \
         pdump_io_moved(&io, to, result))

SENDS(sendfile, off_t)
SENDS(sendfile64, off64_t)

PDUMP_IO_REAL(copy_file_range)
WRAP(ssize_t, copy_file_range,
     (int from, off64_t *from_at, int to, off64_t *to_at, size_t n,
      unsigned flags),
     pdump_io_begin(&io, &on_copy_file_range, to),
     REAL(copy_file_range)(from, from_at, to, to_at, n, flags),
     if (!from_at) pdump_io_drawn(from, result);
     pdump_io_moved_at(&io, to, to_at && result >= 0 ? *to_at - result : -1,
                       result))

#define SEEKS(name, type)                                                 \
    PDUMP_IO_REAL(name)                                                   \
    WRAP(type, name, (int fd, type offset, int whence),                   \
         pdump_io_begin(&io, &on_lseek, fd), REAL(name)(fd, offset, whence), \
         pdump_io_sought(&io, fd, result))

SEEKS(lseek, off_t)
SEEKS(lseek64, off64_t)

/* Functions that move no bytes. */
#define DOES(name, plain, params, args)                         \
    PDUMP_IO_REAL(name)                                         \
    WRAP(int, name, params, pdump_io_begin(&io, &on_##plain, fd), \
         REAL(name) args, pdump_io_done(&io, result == 0, 0))

DOES(fsync, fsync, (int fd), (fd))
DOES(fdatasync, fdatasync, (int fd), (fd))
DOES(ftruncate, ftruncate, (int fd, off_t length), (fd, length))
DOES(ftruncate64, ftruncate, (int fd, off64_t length), (fd, length))

/* Forgotten before the close: another thread may get the descriptor after
 * it. */
PDUMP_IO_REAL(close)
WRAP(int, close, (int fd),
     pdump_io_begin(&io, &on_close, fd);
     if (fd >= 0) pdump_io_forget((unsigned)fd, (unsigned)fd),
     REAL(close)(fd), pdump_io_done(&io, result == 0, 0))

#define COPIES(name, params, args)                            \
    PDUMP_IO_REAL(name)                                       \
    WRAP(int, name, params, pdump_io_begin(&io, &on_##name, fd), \
         REAL(name) args, pdump_io_copied(&io, fd, result))

COPIES(dup, (int fd), (fd))
COPIES(dup2, (int fd, int to), (fd, to))
COPIES(dup3, (int fd, int to, int flags), (fd, to, flags))

/* Only mappings of files; anonymous memory is not recorded. */
#define MAPS(name, type)                                                      \
    PDUMP_IO_REAL(name)                                                       \
    WRAP(void *, name,                                                        \
         (void *at, size_t n, int rights, int flags, int fd, type offset),    \
         if (fd < 0 || flags & MAP_ANONYMOUS)                                 \
             return REAL(name)(at, n, rights, flags, fd, offset);             \
         pdump_io_begin(&io, &on_mmap, fd),                                   \
         REAL(name)(at, n, rights, flags, fd, offset),                        \
         pdump_io_done(&io, result != MAP_FAILED, (int64_t)n))

MAPS(mmap, off_t)
MAPS(mmap64, off64_t)
/* clang-format on */

/* The rest closes descriptors: they must be forgotten, but are not counted. */
PDUMP_IO_REAL(close_range)
PDUMP_IO_REAL(closefrom)
PDUMP_IO_REAL(closedir)

PDUMP_API int close_range(unsigned first, unsigned last, int flags)
{
    if (!(flags & CLOSE_RANGE_CLOEXEC))
        pdump_io_forget(first, last);
    return REAL(close_range)(first, last, flags);
}

PDUMP_API void closefrom(int first)
{
    pdump_io_forget(first < 0 ? 0 : (unsigned)first, UINT_MAX);
    REAL(closefrom)(first);
}

/* The header declares it nonnull, but the C library accepts NULL. */
static void folder_forget(DIR *folder)
{
    int fd = folder ? dirfd(folder) : -1;

    if (fd >= 0)
        pdump_io_forget((unsigned)fd, (unsigned)fd);
}

PDUMP_API int closedir(DIR *folder)
{
    folder_forget(folder);
    return REAL(closedir)(folder);
}
