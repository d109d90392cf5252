/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of stores: their folders, names and locks. */
#include "store/store_file.h"
#include "store/store_layout.h"
#include "system/env.h"
#include "system/folder.h"
#include "system/owned_file.h"
#include "system/write_guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "pdump-"
#define SUFFIX ".store"
#define TAKEN ".taken" /* suffix of stores that run_children.c takes over */

enum { ROOM_MIN = 64 * 1024 * 1024, NAMES_MAX = 1000, LOCK_TRIES = 1000 };

static const char memory_folder[] = "/dev/shm";
static const char disk_folder[] = "/var/tmp";

static bool has_room(const char *folder)
{
    struct statvfs fs;

    return statvfs(folder, &fs) == 0 && access(folder, W_OK | X_OK) == 0 &&
           (unsigned long long)fs.f_bavail * fs.f_frsize >= ROOM_MIN;
}

/* Returns TMPDIR if the user has set it, else a folder that is rarely in
 * memory. */
static const char *large_folder(void)
{
    return pdump_env("TMPDIR") ? pdump_env_temporary() : disk_folder;
}

bool pdump_store_file_folder(int index, char *out, size_t len)
{
    const char *const folders[] = { memory_folder, pdump_env_temporary(),
                                    disk_folder, "/tmp" };
    int n = strcmp(folders[1], "/tmp") == 0 ? 3 : 4;

    if (index >= n)
        return false;
    snprintf(out, len, "%s", folders[index]);
    return true;
}

/* The lock belongs to the open file description, not to the process, so no
 * other close() in the program can release it. */
static bool store_file_lock(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

bool pdump_store_file_lock(int fd, const char *path)
{
    struct stat file, name;

    if (!store_file_lock(fd))
        return false;
    if (fstat(fd, &file) == 0 && file.st_size > 0 && lstat(path, &name) == 0 &&
        file.st_dev == name.st_dev && file.st_ino == name.st_ino)
        return true;
    pdump_store_file_unlock(fd);
    return false;
}

void pdump_store_file_unlock(int fd)
{
    struct flock whole = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

    fcntl(fd, F_OFD_SETLK, &whole);
}

bool pdump_store_file_is_locked(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

bool pdump_store_file_is_alive(const char *path)
{
    int fd = pdump_owned_file_open(path, O_RDONLY);
    bool is_locked;

    if (fd < 0)
        return false;
    is_locked = pdump_store_file_is_locked(fd);
    close(fd);
    return is_locked;
}

/* Write the magic bytes, so that the file can be recognised whenever the
 * process is killed. */
static bool store_file_sign(int fd)
{
    ssize_t n, len = sizeof(PDUMP_STORE_MAGIC) - 1;
    struct pdump_write_guard hold;

    pdump_write_guard_hold(&hold);
    n = pwrite(fd, PDUMP_STORE_MAGIC, (size_t)len, 0);
    pdump_write_guard_release(&hold);
    return n == len;
}

/* Another process that searches for stores may have locked the new file first.
 * It releases the lock at once, because the file is empty. */
static bool lock_new(int fd)
{
    const struct timespec pause = { .tv_nsec = 1000 * 1000 };
    bool is_locked = store_file_lock(fd);

    for (int i = 0; !is_locked && errno == EAGAIN && i < LOCK_TRIES; i++) {
        nanosleep(&pause, NULL);
        is_locked = store_file_lock(fd);
    }
    return is_locked;
}

static int make_in(const char *folder, const char *run, char *path, size_t len)
{
    int fd = -1;

    for (int n = 0; fd < 0 && n < NAMES_MAX; n++) {
        int used = snprintf(path, len, "%s/" PREFIX "%s-%ld", folder, run,
                            (long)getpid());

        if (n > 0 && (size_t)used < len)
            used += snprintf(path + used, len - (size_t)used, "-%d", n);
        if ((size_t)used + sizeof(SUFFIX) > len)
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", folder);
        strcpy(path + used, SUFFIX);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    if (!lock_new(fd) || !store_file_sign(fd)) {
        int err = pdump_fail(PDUMP_EIO, "%s: cannot be used: %s", path,
                             strerror(errno));
        close(fd);
        unlink(path);
        return err;
    }
    return fd;
}

void pdump_store_file_pattern(const char *path, const char *run, char *out,
                              size_t len)
{
    const char *slash = strrchr(path, '/');

    snprintf(out, len, "%.*s" PREFIX "%s-*" SUFFIX,
             slash ? (int)(slash + 1 - path) : 0, path, run);
}

/* Create the file in the folder of the path `root`. */
static int make_beside(const char *root, const char *run, char *path,
                       size_t len)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%s", root);
    return make_in(dirname(folder), run, path, len);
}

/* Events may take gigabytes, which should not be in a memory file system. */
static int make_by_default(bool is_large, const char *run, char *path,
                           size_t len)
{
    const char *first = is_large ? large_folder() : memory_folder;
    int fd;

    if (has_room(first)) {
        fd = make_in(first, run, path, len);
        if (fd >= 0)
            return fd;
    }
    return make_in(pdump_env_temporary(), run, path, len);
}

int pdump_store_file_make(const struct pdump_settings *set, const char *run,
                          const char *root, char *path, size_t len)
{
    bool is_large =
        set->records_events && strcmp(set->events_mode, "flush") == 0;
    int fd;

    if (strcmp(set->store, "off") == 0)
        return PDUMP_ENOENT;
    fd = *root ? make_beside(root, run, path, len) : PDUMP_EIO;
    if (fd >= 0)
        return fd;
    if (*set->store) {
        int err = pdump_folder_make(set->store);

        return err < 0 ? err : make_in(set->store, run, path, len);
    }
    return make_by_default(is_large, run, path, len);
}

static bool ends_with(const char *name, const char *tail)
{
    size_t len = strlen(name), n = strlen(tail);

    return len >= n && strcmp(name + len - n, tail) == 0;
}

static bool is_store(const char *name, const char *run)
{
    if (strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0 ||
        !(ends_with(name, SUFFIX) || (!run && ends_with(name, SUFFIX TAKEN))))
        return false;
    name += sizeof(PREFIX) - 1;
    return !run ||
           (strncmp(name, run, strlen(run)) == 0 && name[strlen(run)] == '-');
}

int pdump_store_file_each(const char *folder, const char *run,
                          int (*each)(const char *path, void *data), void *data)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort), result = 0;

    if (n < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];

        if (result == 0 && is_store(names[i]->d_name, run) &&
            snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name) <
                (int)sizeof(path))
            result = each(path, data);
        free(names[i]);
    }
    free(names);
    return result;
}
