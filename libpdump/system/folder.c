/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders that are missing. */
#include "system/folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
