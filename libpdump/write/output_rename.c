/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives files their final names, whatever exists already. */
#include "system/folder.h"
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
                   int part, char out[NAME_MAX + 1])
{
    const char *suffix = pdump_output_suffix(job, part);

    if (snprintf(out, NAME_MAX + 1, "%s%s", base, suffix) > NAME_MAX)
        return pdump_fail(PDUMP_EIO, "%s/%s%s: name too long", job->dir, base,
                          suffix);
    return PDUMP_OK;
}

static bool find(int folder, const char *name, struct stat *st)
{
    return fstatat(folder, name, st, AT_SYMLINK_NOFOLLOW) == 0;
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
        char name[NAME_MAX + 1];
        struct stat st;

        if (name_of(job, base, i, name) < 0 || !find(job->place, name, &st))
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

/* Renames the files of an earlier run to the first name that is free for all of
 * them. */
static int move_away(const struct pdump_output_file *job)
{
    char base[NAME_MAX + 24], from[NAME_MAX + 1], to[NAME_MAX + 1];

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
            if (pdump_folder_rename_new(job->place, from, job->place, to) !=
                    0 &&
                errno != ENOENT)
                return pdump_fail(PDUMP_EIO,
                                  "%s/%s: cannot be renamed to %s: %s",
                                  job->dir, from, to, strerror(errno));
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

/* Puts the new file in the place of a file of this session, or of one that may
 * be replaced.  Another process may have replaced that meanwhile: only after
 * the exchange is it certain which file was there. */
static int replace(const struct pdump_output_file *job, const char *new,
                   const char *name, int part)
{
    char base[NAME_MAX + 24], old[NAME_MAX + 1];
    int from = job->new.fd;
    struct stat st;

    if (renameat2(from, new, job->place, name, RENAME_EXCHANGE) != 0)
        return renameat(from, new, job->place, name);
    if (find(from, new, &st) && S_ISREG(st.st_mode) &&
        (job->may_replace || pdump_output_is_ours(job, &st)))
        return unlinkat(from, new, 0);
    for (int n = 1; n < PDUMP_NAMES_MAX; n++) {
        snprintf(base, sizeof(base), "%s.old-%d", job->base, n);
        if (name_of(job, base, part, old) < 0)
            return -1;
        if (pdump_folder_rename_new(from, new, job->place, old) == 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    /* What is in the private folder at the end is removed. */
    renameat2(from, new, job->place, name, RENAME_EXCHANGE);
    return -1;
}

/* Returns true if the file that exists under that name may be replaced. */
static bool is_replaced(const struct pdump_output_file *job, const char *name)
{
    struct stat st;

    return find(job->place, name, &st) && S_ISREG(st.st_mode) &&
           (job->may_replace || pdump_output_is_ours(job, &st));
}

/* Gives a part its name; PDUMP_ESTATE if that was taken meanwhile. */
static int place_part(struct pdump_output_file *job, int part, const char *name)
{
    char new[NAME_MAX + 1];
    struct stat st;
    bool is_done;

    pdump_output_new_name(job, part, new);
    is_done = find(job->new.fd, new, &st) &&
              (is_replaced(job, name)
                   ? replace(job, new, name, part)
                   : pdump_folder_rename_new(job->new.fd, new, job->place,
                                             name)) == 0;
    if (!is_done)
        return errno == EEXIST ? PDUMP_ESTATE
                               : pdump_fail(PDUMP_EIO, "%s/%s: %s", job->dir,
                                            name, strerror(errno));
    job->is_placed[part] = true;
    remember(job, job->sink->parts[part].suffix, &st);
    return PDUMP_OK;
}

int pdump_output_rename(struct pdump_output_file *job, char *where, size_t len)
{
    char name[NAME_MAX + 1];
    int err = PDUMP_OK;

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
    for (int i = 0; err >= 0 && i < job->n_parts; i++) {
        if (job->is_placed[i])
            continue;
        err = name_of(job, job->base, i, name);
        if (err >= 0 && job->is_written[i])
            err = place_part(job, i, name);
        else if (err >= 0 && is_replaced(job, name))
            unlinkat(job->place, name, 0); /* this dump has no such part */
        if (err >= 0 && i == 0)
            snprintf(where, len, "%s/%s", job->dir, name);
    }
    return err;
}

void pdump_output_remove(const struct pdump_output_file *job,
                         const struct pdump_written *before)
{
    for (int i = 0; i < job->n_parts; i++) {
        char name[NAME_MAX + 1];
        struct stat st;

        if (name_of(job, job->base, i, name) >= 0 &&
            find(job->place, name, &st) && writer_of(before, &st) == job->sink)
            unlinkat(job->place, name, 0);
    }
}
