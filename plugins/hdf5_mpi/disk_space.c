/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserves disk space before the ranks write together. */
#include "disk_space.h"
#include "h5_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* An allowance for the metadata of the chunks. */
enum { DESCRIPTION = 1 << 20 };

/* Returns the bytes that n rows of `width` bytes in n_columns columns need.
 * The last chunk of a column is written whole, and deflate may make a chunk a
 * little longer. */
static int64_t bytes_of(int64_t n, int64_t width, int64_t n_columns)
{
    int64_t padding = n > PDUMP_H5_CHUNK ? PDUMP_H5_CHUNK * 8 : 0;

    return n * width + n * width / 500 +
           n_columns * (padding + n / PDUMP_H5_CHUNK * 64);
}

static int64_t need_of(const struct pdump_stream *shape)
{
    int64_t n_metrics = shape->tables->n_metrics;

    return DESCRIPTION +
           bytes_of(shape->row_ptr[shape->n_pieces], 17 + 32 * n_metrics,
                    4 + 4 * n_metrics) +
           bytes_of(shape->sample_ptr[shape->n_pieces], 24 + 8 * n_metrics,
                    4 + n_metrics) +
           bytes_of(shape->event_ptr[shape->n_pieces], 41, 7);
}

/* Preallocates the space.  If the file system cannot do that, checks the free
 * space instead. */
static int space_take(int fd, int64_t size, int64_t need)
{
    struct statvfs fs;

    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, size, need) == 0)
        return 0;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO)
        return errno;
    if (fstatvfs(fd, &fs) == 0 &&
        (int64_t)fs.f_bavail < need / (int64_t)fs.f_frsize)
        return ENOSPC;
    return 0;
}

static int space_fail(const struct pdump_new_file *file, int err)
{
    return err ? pdump_fail(PDUMP_EIO, "%s: %s", file->path, strerror(err))
               : PDUMP_OK;
}

int pdump_h5_space_take(const struct pdump_new_file *file,
                        const struct pdump_stream *shape)
{
    struct stat st;

    return space_fail(file,
                      fstat(file->fd, &st) != 0
                          ? errno
                          : space_take(file->fd, st.st_size, need_of(shape)));
}

int pdump_h5_space_return(const struct pdump_new_file *file)
{
    struct stat st;
    bool is_done =
        fstat(file->fd, &st) == 0 && ftruncate(file->fd, st.st_size) == 0;

    return space_fail(file, is_done ? 0 : errno);
}
