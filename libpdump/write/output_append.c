/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that the sessions of a process write one after the other: the output of
 * each session follows that of the sessions before it. */
#include "write/output_file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 16, BLOCK = 65536 };

/* The newest files.  Sessions write one at a time. */
static struct file {
    dev_t device;
    ino_t inode;
    struct timespec modified;
    off_t begin; /* of what the last session has written to it */
} files[FILES_MAX];
static int n_files;

static struct file *find(const struct stat *st)
{
    for (int i = 0; i < n_files && i < FILES_MAX; i++)
        if (files[i].device == st->st_dev && files[i].inode == st->st_ino &&
            files[i].modified.tv_sec == st->st_mtim.tv_sec &&
            files[i].modified.tv_nsec == st->st_mtim.tv_nsec)
            return &files[i];
    return NULL;
}

static int fail(const char *path)
{
    return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
}

/* Copies `size` bytes, or all that there is if it is negative. */
static int copy(FILE *from, FILE *to, off_t size, const char *path)
{
    char block[BLOCK];
    size_t n = 1;

    while (size != 0 && n > 0) {
        n = sizeof(block);
        if (size > 0 && size < (off_t)n)
            n = (size_t)size;
        n = fread(block, 1, n, from);
        if (fwrite(block, 1, n, to) != n)
            return fail(path);
        size -= size > 0 ? (off_t)n : 0;
    }
    if (ferror(from))
        return fail(path);
    return size > 0 ? pdump_fail(PDUMP_EIO, "%s: it was cut off", path)
                    : PDUMP_OK;
}

/* Opens a regular file, whose name must not be a link. */
static FILE *file_open(int folder, const char *name, int flags, struct stat *st)
{
    int fd = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *f = NULL;

    if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode))
        f = fdopen(fd, flags == O_RDONLY ? "r" : "r+");
    if (!f && fd >= 0)
        close(fd);
    return f;
}

/* Puts the first bytes of an old file in front of a new one, which stays the
 * same file.  Closes both. */
static int put_in_front(FILE *old, off_t size, FILE *file, const char *path)
{
    FILE *new = tmpfile();
    int err = new &&file ? copy(file, new, -1, path) : fail(path);

    if (err >= 0 &&
        (fseeko(new, 0, SEEK_SET) != 0 || fseeko(file, 0, SEEK_SET) != 0))
        err = fail(path);
    if (err >= 0)
        err = copy(old, file, size, path);
    if (err >= 0)
        err = copy(new, file, -1, path);
    if (err >= 0 && (fflush(file) != 0 || fsync(fileno(file)) != 0))
        err = fail(path);
    fclose(old);
    if (new)
        fclose(new);
    if (file && fclose(file) != 0 && err >= 0)
        err = fail(path);
    return err;
}

int pdump_output_append(struct pdump_output_file *job)
{
    char path[PATH_MAX], name[NAME_MAX + 1];
    const struct file *file = NULL;
    struct stat st, new;
    FILE *old;

    job->begin = 0;
    snprintf(name, sizeof(name), "%.200s%s", job->base,
             job->sink->parts[0].suffix);
    old = file_open(job->place, name, O_RDONLY, &st);
    if (old)
        file = find(&st);
    if (!file) {
        if (old)
            fclose(old);
        return PDUMP_OK;
    }
    job->may_replace = true;
    job->begin = pdump_output_is_ours(job, &st) ? file->begin : st.st_size;
    snprintf(path, sizeof(path), "%.3800s/%s", job->dir, name);
    pdump_output_new_name(job, 0, name);
    return put_in_front(old, job->begin,
                        file_open(job->new.fd, name, O_RDWR, &new), path);
}

void pdump_output_appended(const struct pdump_output_file *job,
                           const char *path)
{
    const char *name = strrchr(path, '/');
    struct stat st;

    if (name && fstatat(job->place, name + 1, &st, AT_SYMLINK_NOFOLLOW) == 0)
        files[n_files++ % FILES_MAX] =
            (struct file){ st.st_dev, st.st_ino, st.st_mtim, job->begin };
}
