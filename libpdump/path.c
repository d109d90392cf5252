/* SPDX-License-Identifier: BSD-3-Clause */
/* Where output goes, and how it gets there without hurting anybody's files. */
#include "path.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTS_MAX = 8, NAMES_MAX = 10000, LOCK_TRIES = 500 };

/* A format on its way to the disk. */
struct job {
    const struct pdump_sink *sink;
    const struct pdump_dump *dump;
    const struct pdump_comm *comm;
    struct pdump_written *written;
    const char *dir;
    bool may_replace;
    bool is_astray; /* not where it was wished */
    char base[NAME_MAX];
    char note[PATH_MAX];            /* why it is not the wished one, or "" */
    char temp[PARTS_MAX][PATH_MAX]; /* "" for a part that is not wanted */
    bool is_placed[PARTS_MAX];
    int n_parts;
};

/* mkdir -p */
static int make_dir(const char *dir)
{
    char path[PATH_MAX];
    struct stat st;

    if (snprintf(path, sizeof(path), "%s", dir) >= (int)sizeof(path))
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", dir);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    mkdir(path, 0777);
    if (stat(dir, &st) != 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return pdump_fail(PDUMP_EIO, "%s: not a folder", dir);
    return PDUMP_OK;
}

static int name_of(const struct job *job, const char *base, int part, char *out)
{
    const char *suffix = job->sink->parts[part].suffix;

    if (snprintf(out, PATH_MAX, "%s/%s%s", job->dir, base, suffix) >= PATH_MAX)
        return pdump_fail(PDUMP_EIO, "%s/%s%s: name too long", job->dir, base,
                          suffix);
    return PDUMP_OK;
}

/* A new, empty file beside the final one: nobody's file, nor a link's target,
 * is opened. */
static int make_temp(const struct job *job, const char *suffix, char *out)
{
    int fd = -1;

    for (int n = 0; fd < 0 && n < NAMES_MAX; n++) {
        if (snprintf(out, PATH_MAX, "%s/.%s%s.%ld-%d", job->dir, job->base,
                     suffix, (long)getpid(), n) >= PATH_MAX)
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", job->dir);
        fd = open(out, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return pdump_fail(PDUMP_EIO, "%s/%s%s: %s", job->dir, job->base, suffix,
                          strerror(errno));
    close(fd);
    return PDUMP_OK;
}

static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), bad;

    if (fd < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    bad = fsync(fd) != 0 && errno != EINVAL;
    if (close(fd) != 0 || bad)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    return PDUMP_OK;
}

static void remove_temps(struct job *job)
{
    for (int i = 0; i < job->n_parts; i++)
        if (job->temp[i][0])
            unlink(job->temp[i]);
}

/* Write every part under a temporary name. */
static int write_temps(struct job *job)
{
    const struct pdump_sink_part *part = job->sink->parts;

    for (; part->suffix && job->n_parts < PARTS_MAX; part++) {
        char *temp = job->temp[job->n_parts++];
        int err;

        temp[0] = '\0';
        if (part->is_wanted && !part->is_wanted(job->dump))
            continue;
        err = make_temp(job, part->suffix, temp);
        if (err < 0) {
            temp[0] = '\0';
            return err;
        }
        err = part->write(job->dump, temp, job->comm);
        if (err >= 0)
            err = sync_file(temp);
        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}

/* The sink that wrote this file in this session, or NULL. */
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

static bool is_ours(const struct job *job, const struct stat *st)
{
    return writer_of(job->written, st) == job->sink;
}

static void remember(const struct job *job, const char *suffix,
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

/* What stands in the way of the parts under their final names. */
enum obstacle { NONE, OLD_FILE, FOREIGN };

static enum obstacle look(const struct job *job, const char *base)
{
    enum obstacle worst = NONE;

    for (int i = 0; i < job->n_parts; i++) {
        char path[PATH_MAX];
        struct stat st;

        if (name_of(job, base, i, path) < 0 || lstat(path, &st) != 0)
            continue;
        if (!S_ISREG(st.st_mode))
            return FOREIGN;
        /* Two formats of one ending. */
        if (writer_of(job->written, &st) && !is_ours(job, &st))
            return FOREIGN;
        if (!is_ours(job, &st))
            worst = OLD_FILE;
    }
    return worst;
}

/* Rename without ever replacing. */
static int rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    /* A file system that cannot do it at once: a link fails where a name is
     * taken. */
    return link(from, to) == 0 ? unlink(from) : -1;
}

/* Rename the files of an earlier run to the first name that is free for all of
 * them. */
static int move_away(const struct job *job)
{
    char base[NAME_MAX + 24], from[PATH_MAX], to[PATH_MAX];

    for (int n = 1; n < NAMES_MAX; n++) {
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

/* Take another name, one that nothing has. */
static int evade(struct job *job, const char *why)
{
    char base[NAME_MAX];

    for (int n = 1; n < NAMES_MAX; n++) {
        snprintf(base, sizeof(base), "%.200s-%d", job->base, n);
        if (look(job, base) != NONE)
            continue;
        snprintf(job->note, sizeof(job->note),
                 "%s/%s%s %s; writing %s%s instead", job->dir, job->base,
                 job->sink->parts[0].suffix, why, base,
                 job->sink->parts[0].suffix);
        strcpy(job->base, base);
        return PDUMP_OK;
    }
    return pdump_fail(PDUMP_EIO, "%s/%s: no free name", job->dir, job->base);
}

/* Put the file `temp` where one of ours is, or one that may be replaced.  It
 * may have become somebody else's meanwhile: only after the exchange is it
 * certain what was there. */
static int replace(const struct job *job, const char *temp, const char *path,
                   int part)
{
    char base[NAME_MAX + 24], old[PATH_MAX];
    struct stat st;

    if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_EXCHANGE) != 0)
        return rename(temp, path);
    if (lstat(temp, &st) != 0 || job->may_replace || is_ours(job, &st))
        return unlink(temp);
    for (int n = 1; n < NAMES_MAX; n++) {
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

/* Give the parts their final names.  Somebody may be doing the same: try again
 * when a name is suddenly taken. */
static int place(struct job *job, char *where, size_t len)
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
                      (job->may_replace || is_ours(job, &st));
        if (!job->temp[i][0]) {
            if (may_replace)
                unlink(path); /* a part that this dump does not have */
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

/* One process at a time gives names in a folder, so that the parts of a run
 * stay together.  Who cannot have the lock in time goes on without: no name is
 * ever taken from anybody. */
static int lock_folder(const char *dir)
{
    const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            break;
        nanosleep(&pause, NULL);
    }
    return fd;
}

static int write_in(struct job *job, char *where, size_t len)
{
    int err = make_dir(job->dir), fd;

    if (err >= 0)
        err = write_temps(job);
    if (err >= 0) {
        fd = lock_folder(job->dir);
        for (int tries = 0; tries < NAMES_MAX; tries++) {
            err = place(job, where, len);
            if (err != PDUMP_ESTATE)
                break;
        }
        if (fd >= 0) {
            flock(fd, LOCK_UN); /* a child forked meanwhile has it, too */
            close(fd);
        }
    }
    remove_temps(job);
    if (err >= 0 && job->note[0])
        pdump_warn("output name", "%s", job->note);
    return err;
}

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}

static void choose_base(struct job *job, const char *filename)
{
    snprintf(job->base, sizeof(job->base), "%.200s", filename);
    for (char *slash = job->base; (slash = strchr(slash, '/'));)
        *slash = '_';
}

/* The wished folder could not be used.  Into the temporary one. */
static int write_elsewhere(struct job *job, const char *filename, char *where,
                           size_t len)
{
    char why[512];
    int err;

    snprintf(why, sizeof(why), "%s", pdump_last_error());
    job->dir = temporary_folder();
    job->is_astray = true;
    job->n_parts = 0;
    job->note[0] = '\0';
    memset(job->is_placed, 0, sizeof(job->is_placed));
    choose_base(job, filename);
    err = write_in(job, where, len);
    if (err < 0)
        return pdump_fail(PDUMP_EIO, "%s; nor: %s", why, pdump_last_error());
    pdump_warn("output folder", "%s; the output is in %s", why, where);
    return err;
}

static bool has_strayed(const struct pdump_written *written,
                        const struct pdump_sink *sink)
{
    for (int i = 0; i < written->n; i++)
        if (written->file[i].sink == sink && written->file[i].is_astray)
            return true;
    return false;
}

/* The wished folder can be used again: what was written elsewhere meanwhile is
 * of no use any more. */
static void come_back(struct job *job, const struct pdump_written *before,
                      const char *where)
{
    job->dir = temporary_folder();
    for (int i = 0; i < job->n_parts; i++) {
        char path[PATH_MAX];
        struct stat st;

        if (name_of(job, job->base, i, path) >= 0 && lstat(path, &st) == 0 &&
            writer_of(before, &st) == job->sink)
            unlink(path);
    }
    pdump_warn("output folder again", "the output is in %s again", where);
}

int pdump_path_write(const struct pdump_settings *set,
                     const struct pdump_sink *sink,
                     const struct pdump_dump *dump,
                     const struct pdump_comm *comm,
                     struct pdump_written *written, char *where, size_t len)
{
    const struct pdump_written before = *written;
    struct job *job = calloc(1, sizeof(*job));
    int err;

    if (!job)
        return pdump_no_memory();
    *job = (struct job){ .sink = sink,
                         .dump = dump,
                         .comm = comm,
                         .written = written,
                         .dir = set->dir,
                         .may_replace = set->overwrite };
    choose_base(job, set->filename);
    err = write_in(job, where, len);
    if (err == PDUMP_EIO)
        err = write_elsewhere(job, set->filename, where, len);
    else if (err >= 0 && has_strayed(&before, sink))
        come_back(job, &before, where);
    free(job);
    return err;
}
