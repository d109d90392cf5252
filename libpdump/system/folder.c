/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders that are missing, opens them, and works on what is in them. */
#include "system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pdump_folder_make_parents(const char *path)
{
    char folder[PATH_MAX];

    if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", path);
    for (char *slash = folder + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(folder, 0777);
        *slash = '/';
    }
    return PDUMP_OK;
}

int pdump_folder_make(const char *dir)
{
    struct stat st;
    int err = pdump_folder_make_parents(dir);

    if (err < 0)
        return err;
    mkdir(dir, 0777);
    if (stat(dir, &st) != 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return pdump_fail(PDUMP_EIO, "%s: not a folder", dir);
    return PDUMP_OK;
}

int pdump_folder_open(const char *dir, bool is_link_refused)
{
    int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC |
                           (is_link_refused ? O_NOFOLLOW : 0));

    return fd < 0 ? pdump_fail(PDUMP_EIO, "%s: %s", dir, strerror(errno)) : fd;
}

int pdump_folder_walk(int folder, const char *name, pdump_folder_visit *each,
                      void *data)
{
    int fd =
        openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    int first = PDUMP_OK, err;

    while (dir && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        err = pdump_folder_walk(dirfd(dir), entry->d_name, each, data);
        if (err < 0 && first == PDUMP_OK)
            first = err;
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    err = each(folder, name, dir != NULL, data);
    return first < 0 ? first : err;
}

static int entry_remove(int folder, const char *name, bool is_folder,
                        void *data)
{
    (void)data;
    unlinkat(folder, name, is_folder ? AT_REMOVEDIR : 0);
    return PDUMP_OK;
}

void pdump_folder_remove(int folder, const char *name)
{
    pdump_folder_walk(folder, name, entry_remove, NULL);
}

static int entry_sync(int folder, const char *name, bool is_folder, void *data)
{
    int fd =
        openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int bad = fd < 0 || (fsync(fd) != 0 && errno != EINVAL) ? errno : 0;

    (void)is_folder;
    if (fd >= 0 && close(fd) != 0 && !bad)
        bad = errno;
    return bad ? pdump_fail(PDUMP_EIO, "%s: %s: %s", (const char *)data, name,
                            strerror(bad))
               : PDUMP_OK;
}

int pdump_folder_sync(int folder, const char *name, const char *path)
{
    return pdump_folder_walk(folder, name, entry_sync, (void *)(uintptr_t)path);
}

/* Returns true if a filter of system calls refuses this one: the kernel would
 * say that there is no such name. */
static bool is_filtered(void)
{
    return renameat2(AT_FDCWD, "", AT_FDCWD, "", RENAME_NOREPLACE) != 0 &&
           errno == EPERM;
}

/* link() fails if the name exists, but there are no links to folders, and none
 * on some file systems. */
static int rename_in_steps(int from_folder, const char *from, int to_folder,
                           const char *to)
{
    struct stat st;

    if (linkat(from_folder, from, to_folder, to, 0) == 0)
        return unlinkat(from_folder, from, 0);
    if (errno == EEXIST)
        return -1;
    if (fstatat(to_folder, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(from_folder, from, to_folder, to);
}

int pdump_folder_rename_new(int from_folder, const char *from, int to_folder,
                            const char *to)
{
    if (renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno == EPERM && !is_filtered()) {
        errno = EPERM;
        return -1;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != EPERM)
        return -1;
    return rename_in_steps(from_folder, from, to_folder, to);
}
