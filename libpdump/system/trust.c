/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks which files may be loaded as code. */
#include "system/trust.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the file that contains this code, or NULL.  Calls the loader only
 * once, because the caller may have a turn (lock.h) when a known module is
 * looked for again. */
static const char *library_file(void)
{
    static const char *_Atomic file;
    Dl_info info;

    if (!file && dladdr((void *)(uintptr_t)pdump_trust_file, &info))
        file = info.dli_fname;
    return file;
}

/* Returns the owner of that file, or root. */
static uid_t library_owner(void)
{
    const char *file = library_file();
    struct stat st;

    return file && stat(file, &st) == 0 ? st.st_uid : 0;
}

/* Write the path of the same file, without links in its folder part. */
static int path_resolve(const char *path, char *out)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[PATH_MAX], real[PATH_MAX];

    snprintf(folder, sizeof(folder), "%.*s/.", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    if (!realpath(folder, real) || access(path, R_OK) != 0)
        return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, strerror(errno));
    if (snprintf(out, PATH_MAX, "%s/%s", real, name) >= PATH_MAX)
        return pdump_fail(PDUMP_EPLUGIN, "%.60s...: name too long", path);
    return PDUMP_OK;
}

static int part_refuse(const char *part, const char *why)
{
    return pdump_fail(PDUMP_EPLUGIN, "no module is loaded from there: %s %s",
                      part, why);
}

/* Returns true if other users could replace or change it.  For a link only the
 * owner counts. */
static bool others_write(const struct stat *st)
{
    if (S_ISLNK(st->st_mode) || (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX))
        return false;
    return st->st_mode & S_IWOTH ||
           (st->st_mode & S_IWGRP && st->st_gid != st->st_uid);
}

/* Check the file and the folders above it. */
static int path_check(const char *path)
{
    uid_t library = library_owner(), self = geteuid();
    char part[PATH_MAX], *slash;

    snprintf(part, sizeof(part), "%s", path);
    do {
        struct stat st;

        if (lstat(part, &st) != 0)
            return part_refuse(part, strerror(errno));
        if (st.st_uid != 0 && st.st_uid != self && st.st_uid != library)
            return part_refuse(part, "belongs to another user");
        if (others_write(&st))
            return part_refuse(part, "can be changed by others (chmod go-w)");
        slash = strrchr(part, '/');
        if (slash == part && part[1])
            slash++; /* the root folder comes last */
        if (slash != part)
            *slash = '\0';
    } while (slash != part);
    return PDUMP_OK;
}

int pdump_trust_file(const char *path, char *out)
{
    char real[PATH_MAX];
    int err = path_resolve(path, out);

    if (err >= 0)
        err = path_check(out);
    if (err >= 0 && !realpath(out, real))
        err = part_refuse(out, strerror(errno));
    return err < 0 ? err : path_check(real);
}

int pdump_trust_installed(const char *folder, const char *path, char *out)
{
    uid_t library = library_owner();
    struct stat file, dir;
    int err = path_resolve(path, out);

    if (err < 0)
        return err;
    if (stat(out, &file) != 0 || stat(folder, &dir) != 0)
        return part_refuse(out, strerror(errno));
    if ((dir.st_uid != 0 && dir.st_uid != library) ||
        (file.st_uid != 0 && file.st_uid != library))
        return part_refuse(out, "belongs to another user than libpdump does");
    return PDUMP_OK;
}
