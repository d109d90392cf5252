/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes output files without damaging the files of others. */
#include "write/output_file.h"
#include "system/env.h"
#include "system/folder.h"
#include "system/log.h"
#include "write/output_file_private.h"
#include "write/output_name.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_TRIES = 500, FOLDERS_OPEN = 8 };

static int remove_entry(const char *path, const struct stat *st, int type,
                        struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

void pdump_output_file_remove_folder(const char *path)
{
    nftw(path, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void remove_temps(struct pdump_output_file *job)
{
    for (int i = 0; i < job->n_parts; i++) {
        if (job->temp[i][0] && job->sink->parts[i].is_folder)
            pdump_output_file_remove_folder(job->temp[i]);
        else if (job->temp[i][0])
            unlink(job->temp[i]);
        job->temp[i][0] = '\0';
    }
}

/* Makes a new, empty file or folder.  Returns its descriptor. */
static int make_temp(const struct pdump_sink_part *part, const char *path)
{
    int fd;

    if (!part->is_folder)
        return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0666);
    if (mkdir(path, 0777) != 0)
        return -1;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        rmdir(path);
    return fd;
}

/* Makes new, empty files beside the final ones; their names differ only in the
 * suffix.  It never opens an existing file or the target of a link.
 * PDUMP_ESTATE if the `n`-th names are taken. */
static int make_temps(struct pdump_output_file *job, int n)
{
    const struct pdump_sink_part *part = job->sink->parts;

    for (job->n_parts = 0; part->suffix && job->n_parts < PDUMP_PARTS_MAX;
         part++) {
        char *temp = job->temp[job->n_parts++], path[PATH_MAX];
        int fd;

        temp[0] = '\0';
        if (part->is_wanted && !part->is_wanted(job->in))
            continue;
        if (snprintf(path, sizeof(path), "%s/.%s.%ld-%d%s", job->dir, job->base,
                     (long)getpid(), n, part->suffix) >= (int)sizeof(path))
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", job->dir);
        fd = make_temp(part, path);
        if (fd < 0)
            return errno == EEXIST
                       ? PDUMP_ESTATE
                       : pdump_fail(PDUMP_EIO, "%s/%s%s: %s", job->dir,
                                    job->base,
                                    pdump_output_suffix(job, job->n_parts - 1),
                                    strerror(errno));
        strcpy(temp, path);
        close(fd);
    }
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

static int sync_entry(const char *path, const struct stat *st, int type,
                      struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return sync_file(path);
}

static int sync_part(const struct pdump_sink_part *part, const char *path)
{
    int err;

    if (!part->is_folder)
        return sync_file(path);
    err = nftw(path, sync_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
    return err == 0 || err == PDUMP_EIO
               ? err
               : pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
}

/* Writes every part under a temporary name, and checks that it is complete. */
static int write_temps(struct pdump_output_file *job)
{
    int err = PDUMP_ESTATE;

    for (int n = 0; err == PDUMP_ESTATE && n < PDUMP_NAMES_MAX; n++) {
        err = make_temps(job, n);
        if (err == PDUMP_ESTATE)
            remove_temps(job);
    }
    for (int i = 0; err >= 0 && i < job->n_parts; i++) {
        if (!job->temp[i][0])
            continue;
        err = job->sink->parts[i].write(job->in, job->temp[i]);
        if (err >= 0 && job->in->is_hollow)
            err = job->in->fill(job->in, job->temp[i]);
        if (err >= 0)
            err = sync_part(&job->sink->parts[i], job->temp[i]);
    }
    if (err >= 0 && job->sink->verify && !job->in->is_hollow)
        err = job->sink->verify(job->in, job->temp[0]);
    return err;
}

int pdump_output_file_lock(const char *dir)
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

void pdump_output_file_unlock(int fd)
{
    if (fd < 0)
        return;
    flock(fd, LOCK_UN); /* a child forked meanwhile also has the descriptor */
    close(fd);
}

/* The folder is locked. */
static int give_names(struct pdump_output_file *job, char *where, size_t len)
{
    int err = job->sink->appends ? pdump_output_append(job) : PDUMP_OK;

    if (err < 0)
        return err;
    for (int tries = 0; tries < PDUMP_NAMES_MAX; tries++) {
        err = pdump_output_rename(job, where, len);
        if (err != PDUMP_ESTATE)
            break;
    }
    if (err >= 0 && job->sink->appends)
        pdump_output_appended(job, where);
    return err;
}

/* Writes what the format shows. */
static int write_shown(struct pdump_output_file *job)
{
    struct pdump_stream *in = job->in;
    int err = pdump_sink_stream(job->sink, in, &job->in);

    if (err < 0)
        return err;
    err = write_temps(job);
    pdump_sink_stream_end(in, job->in);
    job->in = in;
    return err;
}

static int write_in(struct pdump_output_file *job, char *where, size_t len)
{
    int err = pdump_folder_make(job->dir), fd;

    if (err >= 0)
        err = write_shown(job);
    if (err >= 0) {
        fd = pdump_output_file_lock(job->dir);
        if (job->written->before_names)
            job->written->before_names();
        err = give_names(job, where, len);
        pdump_output_file_unlock(fd);
    }
    remove_temps(job);
    if (err >= 0 && job->note[0])
        pdump_warn("output name", "%s", job->note);
    return err;
}

static void replace_slashes(char *text)
{
    while ((text = strchr(text, '/')))
        *text = '_';
}

/* If the user has named the file, the name is used exactly: its ending is that
 * of the first format's main file, and no number of ranks is added. */
static void choose_name(struct pdump_output_file *job,
                        const struct pdump_settings *set)
{
    const char *ending = set->ending ? set->ending : "";
    const struct pdump_sink *first;

    if (job->sink->names_ranks && job->in->n_ranks > 0 && !*ending)
        snprintf(job->base, sizeof(job->base), "%.200s.%d", set->filename,
                 job->in->n_ranks);
    else
        snprintf(job->base, sizeof(job->base), "%.200s", set->filename);
    if (*ending && pdump_output_name_first(set->format, &first) >= 0 &&
        first == job->sink)
        snprintf(job->ending, sizeof(job->ending), "%.200s", ending);
    replace_slashes(job->base);
    replace_slashes(job->ending);
}

/* The requested folder cannot be used: writes to the temporary folder. */
static int write_elsewhere(struct pdump_output_file *job,
                           const struct pdump_settings *set, char *where,
                           size_t len)
{
    char why[512];
    int err;

    snprintf(why, sizeof(why), "%s", pdump_last_error());
    job->dir = pdump_env_temporary();
    job->is_astray = true;
    job->n_parts = 0;
    job->note[0] = '\0';
    memset(job->is_placed, 0, sizeof(job->is_placed));
    choose_name(job, set);
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

/* The requested folder can be used again: removes the file that was written to
 * the temporary folder meanwhile. */
static void come_back(struct pdump_output_file *job,
                      const struct pdump_written *before, const char *where)
{
    job->dir = pdump_env_temporary();
    pdump_output_remove(job, before);
    pdump_warn("output folder again", "the output is in %s again", where);
}

int pdump_output_file_write(const struct pdump_settings *set,
                            const struct pdump_sink *sink,
                            struct pdump_stream *in,
                            struct pdump_written *written, char *where,
                            size_t len)
{
    const struct pdump_written before = *written;
    struct pdump_output_file *job = calloc(1, sizeof(*job));
    int err;

    if (!job)
        return pdump_no_memory();
    *job = (struct pdump_output_file){ .sink = sink,
                                       .in = in,
                                       .written = written,
                                       .dir = set->dir,
                                       .may_replace = set->overwrite };
    choose_name(job, set);
    err = write_in(job, where, len);
    if (err == PDUMP_EIO)
        err = write_elsewhere(job, set, where, len);
    else if (err >= 0 && has_strayed(&before, sink))
        come_back(job, &before, where);
    free(job);
    return err;
}
