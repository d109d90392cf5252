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
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_TRIES = 500 };

void pdump_output_new_name(const struct pdump_output_file *job, int part,
                           char out[NAME_MAX + 1])
{
    snprintf(out, NAME_MAX + 1, "new%s", job->sink->parts[part].suffix);
}

static int fill_part(struct pdump_output_file *job, int part,
                     const struct pdump_new_file *file)
{
    const struct pdump_sink *sink = job->sink;
    int err = sink->parts[part].write(job->in, file);

    if (err >= 0 && job->in->is_hollow)
        err = job->in->fill(job->in, file);
    else if (err >= 0 && part == 0 && sink->verify)
        err = sink->verify(job->in, file);
    return err;
}

static int write_part(struct pdump_output_file *job, int part)
{
    bool is_folder = job->sink->parts[part].is_folder;
    char path[PATH_MAX], name[NAME_MAX + 1];
    struct pdump_new_file file;
    int err;

    pdump_output_new_name(job, part, name);
    err = pdump_private_folder_add(&job->new, name, is_folder, path, &file);
    if (err >= 0)
        err = fill_part(job, part, &file);
    if (err >= 0 && is_folder)
        err = pdump_folder_sync(job->new.fd, name, path);
    else if (err >= 0 && fsync(file.fd) != 0 && errno != EINVAL)
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    if (file.fd >= 0 && close(file.fd) != 0 && err >= 0)
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    job->is_written[part] = err >= 0;
    return err;
}

/* Writes every part into a private folder, and checks that it is complete. */
static int write_parts(struct pdump_output_file *job)
{
    const struct pdump_sink_part *part = job->sink->parts;
    int err =
        pdump_private_folder_make(job->place, job->dir, job->base, &job->new);

    for (int i = 0; err >= 0 && part[i].suffix && i < PDUMP_PARTS_MAX; i++) {
        job->n_parts = i + 1;
        if (!part[i].is_wanted || part[i].is_wanted(job->in))
            err = write_part(job, i);
    }
    return err;
}

int pdump_output_file_lock(int folder)
{
    const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

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
    err = write_parts(job);
    pdump_sink_stream_end(in, job->in);
    job->in = in;
    return err;
}

/* Other users can remove and replace files there, whoever they belong to. */
static void warn_if_shared(const struct pdump_output_file *job)
{
    struct stat st;

    if (fstat(job->place, &st) == 0 && st.st_mode & S_IWOTH &&
        !(st.st_mode & S_ISVTX))
        pdump_warn("shared folder",
                   "%s: every user can replace files in this folder "
                   "(chmod o-w or +t, or PDUMP_DUMP_DIR names another one)",
                   job->dir);
}

static int open_place(struct pdump_output_file *job)
{
    int err = pdump_folder_make(job->dir);

    job->place =
        err < 0 ? err
                : pdump_folder_open(job->dir, job->written->is_own_folder &&
                                                  !job->is_astray);
    return job->place < 0 ? job->place : PDUMP_OK;
}

static int write_in(struct pdump_output_file *job, char *where, size_t len)
{
    int err = open_place(job), fd;

    job->new.fd = -1;
    if (err < 0)
        return err;
    err = write_shown(job);
    if (err >= 0) {
        fd = pdump_output_file_lock(job->place);
        if (job->written->before_names)
            job->written->before_names();
        err = give_names(job, where, len);
        pdump_output_file_unlock(fd);
    }
    pdump_private_folder_remove(&job->new);
    if (err >= 0)
        warn_if_shared(job);
    if (err >= 0 && job->note[0])
        pdump_warn("output name", "%s", job->note);
    close(job->place);
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
    memset(job->is_written, 0, sizeof(job->is_written));
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
    job->place = pdump_folder_open(job->dir, false);
    if (job->place < 0)
        return;
    pdump_output_remove(job, before);
    close(job->place);
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
