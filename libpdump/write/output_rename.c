/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives files their final names, whatever exists already. */
#include "write/output_file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *pdump_output_suffix(const struct pdump_output_file *job, int part)
{
    return part == 0 && *job->ending ? job->ending
                                     : job->sink->parts[part].suffix;
}

static int name_of(const struct pdump_output_file *job, const char *base,
                   int part, char *out)
{
    const char *suffix = pdump_output_suffix(job, part);

    if (snprintf(out, PATH_MAX, "%s/%s%s", job->dir, base, suffix) >= PATH_MAX)
        return pdump_fail(PDUMP_EIO, "%s/%s%s: name too long", job->dir, base,
                          suffix);
    return PDUMP_OK;
}

/* Returns the sink that wrote this file in this session, or NULL. */
static const struct pdump_sink *writer_of(const struct pdump_written *written,
                                          const struct stat *st)
{
    for (int i = 0; i < written->n; i++)
        if (written->file[i].device == st->st_dev &&
            written->file[i].inode == st->st_ino &&
            written->file[i].modified.tv_sec == st->st_mtim.tv_sec &&
            written->file[i].modified.tv_nsec == st->st_mtim.tv_nsec)
            return written->file[i].sink;
    return NULL;
}

bool pdump_output_is_ours(const struct pdump_output_file *job,
                          const struct stat *st)
{
    return writer_of(job->written, st) == job->sink;
}

static void remember(const struct pdump_output_file *job, const char *suffix,
                     const struct stat *st)
{
    struct pdump_written *written = job->written;
    int i = 0;

    while (i < written->n && (written->file[i].sink != job->sink ||
                              strcmp(written->file[i].suffix, suffix) != 0))
        i++;
    if (i == PDUMP_WRITTEN_MAX)
        return;
    if (i == written->n)
        written->n++;
    written->file[i].sink = job->sink;
    written->file[i].suffix = suffix;
    written->file[i].device = st->st_dev;
    written->file[i].inode = st->st_ino;
    written->file[i].modified = st->st_mtim;
    written->file[i].is_astray = job->is_astray;
}

/* What exists under the final names of the parts. */
enum obstacle { NONE, OLD_FILE, FOREIGN };

static enum obstacle look(const struct pdump_output_file *job, const char *base)
{
    enum obstacle worst = NONE;

    for (int i = 0; i < job->n_parts; i++) {
        char path[PATH_MAX];
        struct stat st;

        if (name_of(job, base, i, path) < 0 || lstat(path, &st) != 0)
            continue;
        if (!S_ISREG(st.st_mode))
            return FOREIGN;
        /* Another format of this session has the same suffix. */
        if (writer_of(job->written, &st) && !pdump_output_is_ours(job, &st))
            return FOREIGN;
        if (!pdump_output_is_ours(job, &st))
            worst = OLD_FILE;
    }
    return worst;
}

/* Renames, but never replaces a file. */
static int rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    /* The file system cannot do that in one step.  link() fails if the name
     * exists. */
    return link(from, to) == 0 ? unlink(from) : -1;
}

/* Renames the files of an earlier run to the first name that is free for all of
 * them. */
static int move_away(const struct pdump_output_file *job)
{
    char base[NAME_MAX + 24], from[PATH_MAX], to[PATH_MAX];

    for (int n = 1; n < PDUMP_NAMES_MAX; n++) {
        snprintf(base, sizeof(base), "%s.old-%d", job->base, n);
        if (look(job, base) != NONE)
            continue;
        for (int i = 0; i < job->n_parts; i++) {
            if (job->is_placed[i])
                continue;
            if (name_of(job, job->base, i, from) < 0 ||
                name_of(job, base, i, to) < 0)
                return PDUMP_EIO;
            if (rename_new(from, to) != 0 && errno != ENOENT)
                return pdump_fail(PDUMP_EIO, "%s: cannot be renamed to %s: %s",
                                  from, to, strerror(errno));
        }
        return PDUMP_OK;
    }
    return pdump_fail(PDUMP_EIO, "%s/%s: too many old files", job->dir,
                      job->base);
}

/* Chooses another name, under which nothing exists. */
static int evade(struct pdump_output_file *job, const char *why)
{
    char base[NAME_MAX];

    for (int n = 1; n < PDUMP_NAMES_MAX; n++) {
        snprintf(base, sizeof(base), "%.200s-%d", job->base, n);
        if (look(job, base) != NONE)
            continue;
        snprintf(job->note, sizeof(job->note),
                 "%s/%s%s %s; writing %s%s instead", job->dir, job->base,
                 pdump_output_suffix(job, 0), why, base,
                 pdump_output_suffix(job, 0));
        strcpy(job->base, base);
        return PDUMP_OK;
    }
    return pdump_fail(PDUMP_EIO, "%s/%s: no free name", job->dir, job->base);
}

/* Puts the file `temp` in the place of a file of this session, or of one that
 * may be replaced.  Another process may have replaced that meanwhile: only
 * after the exchange is it certain which file was there. */
static int replace(const struct pdump_output_file *job, const char *temp,
                   const char *path, int part)
{
    char base[NAME_MAX + 24], old[PATH_MAX];
    struct stat st;

    if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_EXCHANGE) != 0)
        return rename(temp, path);
    if (lstat(temp, &st) != 0 || job->may_replace ||
        pdump_output_is_ours(job, &st))
        return unlink(temp);
    for (int n = 1; n < PDUMP_NAMES_MAX; n++) {
        snprintf(base, sizeof(base), "%s.old-%d", job->base, n);
        if (name_of(job, base, part, old) < 0)
            return -1;
        if (rename_new(temp, old) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

int pdump_output_rename(struct pdump_output_file *job, char *where, size_t len)
{
    char path[PATH_MAX] = "";

    switch (look(job, job->base)) {
    case NONE:
        break;
    case OLD_FILE:
        if (!job->may_replace && move_away(job) < 0 &&
            evade(job, "cannot be renamed") < 0)
            return PDUMP_EIO;
        break;
    case FOREIGN:
        if (evade(job, "is taken") < 0)
            return PDUMP_EIO;
    }
    for (int i = 0; i < job->n_parts; i++) {
        struct stat st;
        bool may_replace;

        if (job->is_placed[i])
            continue;
        if (name_of(job, job->base, i, path) < 0)
            return PDUMP_EIO;
        may_replace = lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
                      (job->may_replace || pdump_output_is_ours(job, &st));
        if (!job->temp[i][0]) {
            if (may_replace)
                unlink(path); /* this dump does not have that part */
            continue;
        }
        if (lstat(job->temp[i], &st) != 0 ||
            (may_replace ? replace(job, job->temp[i], path, i)
                         : rename_new(job->temp[i], path)) != 0)
            return errno == EEXIST
                       ? PDUMP_ESTATE
                       : pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
        job->temp[i][0] = '\0';
        job->is_placed[i] = true;
        remember(job, job->sink->parts[i].suffix, &st);
        if (i == 0)
            snprintf(where, len, "%s", path);
    }
    return PDUMP_OK;
}

void pdump_output_remove(const struct pdump_output_file *job,
                         const struct pdump_written *before)
{
    for (int i = 0; i < job->n_parts; i++) {
        char path[PATH_MAX];
        struct stat st;

        if (name_of(job, job->base, i, path) >= 0 && lstat(path, &st) == 0 &&
            writer_of(before, &st) == job->sink)
            unlink(path);
    }
}
