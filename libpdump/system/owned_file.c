/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening files in folders that every user of the machine can write to. */
#include "system/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALSO_MAX = 16 };

static bool has_instead;
static uid_t instead, also[ALSO_MAX];
static int n_also;

void pdump_owned_file_instead(uid_t user)
{
    instead = user;
    has_instead = true;
}

void pdump_owned_file_also(uid_t user)
{
    if (n_also < ALSO_MAX)
        also[n_also++] = user;
}

static bool is_taken(uid_t owner)
{
    if (owner == (has_instead ? instead : geteuid()))
        return true;
    for (int i = 0; i < n_also; i++)
        if (also[i] == owner)
            return true;
    return false;
}

int pdump_owned_file_folder(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    *name = slash ? slash + 1 : path;
    if (snprintf(folder, sizeof(folder), "%.*s/.",
                 slash ? (int)(slash - path) : 1,
                 slash ? path : ".") >= (int)sizeof(folder)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int file_refuse(int why, const char *path, const char *text)
{
    errno = why;
    return pdump_fail(PDUMP_EIO, "%s: %s", path, text);
}

static int file_check(const char *path, const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return file_refuse(EINVAL, path, "not a regular file");
    if (!is_taken(st->st_uid)) {
        errno = EPERM;
        return pdump_fail(PDUMP_EIO,
                          "%s belongs to user %ld and is left to that user "
                          "(root: pdump recover --user %ld)",
                          path, (long)st->st_uid, (long)st->st_uid);
    }
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return file_refuse(EPERM, path,
                           "other users can write to it, so it is not used "
                           "(chmod go-w if it is to be trusted)");
    if (st->st_nlink != 1)
        return file_refuse(
            EPERM, path,
            "has several names (hard links), so it is not used; a "
            "copy would be");
    return PDUMP_OK;
}

/* `path` is the name for messages. */
static int open_at(int folder, const char *name, int flags, const char *path)
{
    struct stat st;
    int fd, err;

    fd = openat(folder, name,
                flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    err = fstat(fd, &st) == 0
              ? file_check(path, &st)
              : pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    if (err < 0) {
        int why = errno;

        close(fd);
        errno = why;
        return err;
    }
    return fd;
}

int pdump_owned_file_open_at(int folder, const char *name, int flags)
{
    if (!*name || strchr(name, '/'))
        return file_refuse(EINVAL, name, "not the name of a file");
    return open_at(folder, name, flags, name);
}

int pdump_owned_file_open(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, path);
}

bool pdump_owned_file_remove_at(int folder, const char *name, int fd)
{
    struct stat file, found;

    if (fstat(fd, &file) != 0 ||
        fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (file.st_dev != found.st_dev || file.st_ino != found.st_ino) {
        errno = ENOENT;
        return false;
    }
    return unlinkat(folder, name, 0) == 0;
}

bool pdump_owned_file_remove(const char *path, int fd)
{
    const char *name;
    int folder = pdump_owned_file_folder(path, &name), why;
    bool is_removed =
        folder >= 0 && pdump_owned_file_remove_at(folder, name, fd);

    why = errno;
    if (folder >= 0)
        close(folder);
    errno = why;
    return is_removed;
}

bool pdump_owned_file_is_self(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_uid == geteuid();
}
