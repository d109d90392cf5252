/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens files that are to be read, if they are files. */
#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path)
{
    return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
}

static int check(const char *path, const struct stat *st)
{
    return S_ISREG(st->st_mode)
               ? PDUMP_OK
               : pdump_fail(PDUMP_EIO, "%s: not a regular file", path);
}

int pdump_regular_file_open(const char *path)
{
    struct stat st;
    int fd, err;

    if (stat(path, &st) != 0)
        return refuse(path);
    err = check(path, &st);
    if (err < 0)
        return err;
    /* It may be another one now. */
    fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        err = refuse(path);
    else
        err = check(path, &st);
    if (err < 0 && fd >= 0)
        close(fd);
    return err < 0 ? err : fd;
}

FILE *pdump_regular_file_stream(const char *path)
{
    int fd = pdump_regular_file_open(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

    if (!f && fd >= 0) {
        close(fd);
        pdump_no_memory();
    }
    return f;
}
