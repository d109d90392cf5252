/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A disk that fails, to be preloaded: of all calls that concern files below
 * the folder QUOTA_DIR, the QUOTA_AT-th fails with QUOTA_ERROR, and with
 * QUOTA_STAYS all later ones, too, as on a disk that is full.  What failed is
 * told in the file QUOTA_LOG.  With QUOTA_ERROR=LIE a write seems to succeed,
 * but its bytes do not arrive.
 *
 * The C library's streams make their calls inside of it, where nobody can get
 * between: streams to such files are made of calls of ours.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES_MAX = 1024 };

static _Atomic bool is_watched[FILES_MAX]; /* by descriptor */
static atomic_long n_calls;

/* The function that we stand in front of. */
#define REAL(name, ...) \
    (((__typeof__(&name))dlsym(RTLD_NEXT, #name))(__VA_ARGS__))

static bool is_below(const char *path)
{
    const char *folder = getenv("QUOTA_DIR");
    size_t len = folder ? strlen(folder) : 0;

    return len && strncmp(path, folder, len) == 0 &&
           (path[len] == '/' || path[len] == '\0');
}

static bool is_file(int fd)
{
    return fd >= 0 && fd < FILES_MAX && is_watched[fd];
}

static void watch(int fd)
{
    if (fd >= 0 && fd < FILES_MAX)
        is_watched[fd] = true;
}

static int error(void)
{
    const char *name = getenv("QUOTA_ERROR");

    if (name && strcmp(name, "ENOSPC") == 0)
        return ENOSPC;
    return name && strcmp(name, "EIO") == 0 ? EIO : EDQUOT;
}

static void tell(const char *call, long number)
{
    const char *path = getenv("QUOTA_LOG");
    int fd =
        path ? REAL(open, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
             : -1;

    if (fd < 0)
        return;
    dprintf(fd, "%ld %s\n", number, call);
    REAL(close, fd);
}

static bool is_lying(void)
{
    const char *name = getenv("QUOTA_ERROR");

    return name && strcmp(name, "LIE") == 0;
}

/* Is this the call that fails? */
static bool fails(const char *call)
{
    const char *at = getenv("QUOTA_AT");
    long number, wanted = at ? atol(at) : 0;

    if (is_lying() && strcmp(call, "write") != 0 && strcmp(call, "pwrite") != 0)
        return false;
    number = ++n_calls;
    if (wanted <= 0 || number < wanted ||
        (number > wanted && !getenv("QUOTA_STAYS")))
        return false;
    tell(call, number);
    errno = error();
    return true;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;
    int fd;

    va_start(args, flags);
    if (flags & O_CREAT)
        mode = va_arg(args, mode_t);
    va_end(args);
    if (!is_below(path))
        return REAL(open, path, flags, mode);
    if (fails("open"))
        return -1;
    fd = REAL(open, path, flags, mode);
    watch(fd);
    return fd;
}

/* A folder that was opened by its name is watched as a file is. */
int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;
    int fd;

    va_start(args, flags);
    if (flags & O_CREAT)
        mode = va_arg(args, mode_t);
    va_end(args);
    if (!is_file(folder) && !is_below(path))
        return REAL(openat, folder, path, flags, mode);
    /* To see what is in a folder takes no space: files are removed then. */
    if (!(flags & O_DIRECTORY) && fails("openat"))
        return -1;
    fd = REAL(openat, folder, path, flags, mode);
    watch(fd);
    return fd;
}

int close(int fd)
{
    bool is_bad = is_file(fd);

    if (is_bad) {
        is_watched[fd] = false;
        is_bad = fails("close");
    }
    if (REAL(close, fd) != 0)
        return -1;
    if (is_bad)
        errno = error();
    return is_bad ? -1 : 0;
}

/* It closes the descriptor inside of the C library. */
int closedir(DIR *dir)
{
    int fd = dirfd(dir);

    if (is_file(fd))
        is_watched[fd] = false;
    return REAL(closedir, dir);
}

/* Zeros instead of the data, as after a crash of the disk's cache; at the
 * place where the file is if `at` is negative. */
static ssize_t pretend(int fd, size_t n, off_t at)
{
    static const char zeros[1 << 18];

    if (n > sizeof(zeros))
        n = sizeof(zeros);
    return at < 0 ? REAL(write, fd, zeros, n) : REAL(pwrite, fd, zeros, n, at);
}

ssize_t write(int fd, const void *data, size_t n)
{
    if (!is_file(fd) || !fails("write"))
        return REAL(write, fd, data, n);
    return is_lying() ? pretend(fd, n, -1) : -1;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    if (!is_file(fd) || !fails("pwrite"))
        return REAL(pwrite, fd, data, n, at);
    return is_lying() ? pretend(fd, n, at) : -1;
}

int ftruncate(int fd, off_t length)
{
    return is_file(fd) && fails("ftruncate") ? -1 : REAL(ftruncate, fd, length);
}

int posix_fallocate(int fd, off_t from, off_t n)
{
    return is_file(fd) && fails("posix_fallocate")
               ? error()
               : REAL(posix_fallocate, fd, from, n);
}

int fsync(int fd)
{
    return is_file(fd) && fails("fsync") ? -1 : REAL(fsync, fd);
}

int rename(const char *from, const char *to)
{
    return is_below(to) && fails("rename") ? -1 : REAL(rename, from, to);
}

static bool is_at(int folder, const char *path)
{
    return is_file(folder) || is_below(path);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return is_at(to_dir, to) && fails("renameat")
               ? -1
               : REAL(renameat, from_dir, from, to_dir, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
              unsigned flags)
{
    return is_at(to_dir, to) && fails("renameat2")
               ? -1
               : REAL(renameat2, from_dir, from, to_dir, to, flags);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to,
           int flags)
{
    return is_at(to_dir, to) && fails("linkat")
               ? -1
               : REAL(linkat, from_dir, from, to_dir, to, flags);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    return is_at(folder, path) && fails("mkdirat")
               ? -1
               : REAL(mkdirat, folder, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    return is_below(path) && fails("mkdir") ? -1 : REAL(mkdir, path, mode);
}

/* A stream of our calls: its cookie is the descriptor. */
static ssize_t put(void *cookie, const char *data, size_t n)
{
    ssize_t done = write((int)(intptr_t)cookie, data, n);

    return done < 0 ? 0 : done; /* as streams want it */
}

static ssize_t get(void *cookie, char *data, size_t n)
{
    return read((int)(intptr_t)cookie, data, n);
}

static int seek(void *cookie, off64_t *at, int whence)
{
    *at = lseek((int)(intptr_t)cookie, *at, whence);
    return *at < 0 ? -1 : 0;
}

static int done(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

FILE *fopen(const char *path, const char *mode)
{
    const cookie_io_functions_t calls = {
        .read = get, .write = put, .seek = seek, .close = done
    };
    bool is_written = *mode == 'w';
    int fd;

    if (!is_below(path) || (*mode != 'r' && !is_written))
        return REAL(fopen, path, mode);
    fd =
        open(path,
             O_CLOEXEC | (is_written ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY),
             0666);
    return fd < 0 ? NULL : fopencookie((void *)(intptr_t)fd, mode, calls);
}
