/* SPDX-License-Identifier: BSD-3-Clause */
/* A private folder for new files. */
#include "system/private_folder.h"
#include "system/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_MAX = 10000, KEEPS_OUT = S_IRWXG | S_IRWXO };

static const char *name_of(const struct pdump_private_folder *p)
{
    return strrchr(p->path, '/') + 1;
}

/* With a umask like 0177, even the owner cannot enter a new folder.  The
 * descriptor cannot be used for that by fchmod(). */
static void folder_unlock(int fd)
{
    char self[40];

    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    chmod(self, S_IRWXU);
}

static int folder_open(struct pdump_private_folder *p)
{
    struct stat st;

    p->fd = openat(p->place, name_of(p),
                   O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (p->fd < 0 || fstat(p->fd, &st) != 0) {
        int err = pdump_fail(PDUMP_EIO, "%s: %s", p->path, strerror(errno));

        unlinkat(p->place, name_of(p), AT_REMOVEDIR);
        return err;
    }
    p->is_ours = st.st_uid == geteuid() && !(st.st_mode & KEEPS_OUT);
    if (p->is_ours && (st.st_mode & S_IRWXU) != S_IRWXU)
        folder_unlock(p->fd);
    return PDUMP_OK;
}

int pdump_private_folder_make(int place, const char *dir, const char *name,
                              struct pdump_private_folder *out)
{
    *out = (struct pdump_private_folder){ .place = place, .fd = -1 };
    for (int n = 0; n < NAMES_MAX; n++) {
        if (snprintf(out->path, sizeof(out->path), "%s/.%s.%ld-%d", dir, name,
                     (long)getpid(), n) >= (int)sizeof(out->path))
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", dir);
        if (mkdirat(place, name_of(out), S_IRWXU) == 0)
            return folder_open(out);
        if (errno != EEXIST)
            break;
    }
    return pdump_fail(PDUMP_EIO, "%s: %s", out->path, strerror(errno));
}

void pdump_private_folder_remove(struct pdump_private_folder *p)
{
    if (p->fd < 0)
        return;
    pdump_folder_remove(p->fd, ".");
    unlinkat(p->place, name_of(p), AT_REMOVEDIR);
    close(p->fd);
    p->fd = -1;
}

int pdump_private_folder_add(const struct pdump_private_folder *p,
                             const char *name, bool is_folder,
                             char path[PATH_MAX], struct pdump_new_file *out)
{
    int how = is_folder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL;
    struct stat st;

    *out = (struct pdump_new_file){ .fd = -1, .path = path };
    if (snprintf(path, PATH_MAX, "%s/%s", p->path, name) >= PATH_MAX)
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", p->path);
    if (is_folder && !p->is_ours)
        return pdump_fail(PDUMP_EIO,
                          "%s: this file system has no folder that other "
                          "users cannot enter",
                          p->path);
    if (!is_folder || mkdirat(p->fd, name, 0777) == 0)
        out->fd = openat(p->fd, name, how | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (out->fd < 0 || fstat(out->fd, &st) != 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    out->inode = (int64_t)st.st_ino;
    return PDUMP_OK;
}
