/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, fills and names the folder of a run. */
#include "write/run_folder.h"
#include "read/manifest.h"
#include "system/folder.h"
#include "system/log.h"
#include "write/output_file.h"
#include "write/run_folder_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_MAX = 10000 };

/* Finds the folder that the run already has: NAME, or NAME.1 and so on if NAME
 * belonged to another run, or does now. */
static bool find(const char *name, const char *run, char dir[PATH_MAX])
{
    int len = snprintf(dir, PATH_MAX, "%s", name);

    for (int i = 1; len < PATH_MAX && i < NAMES_MAX; i++) {
        if (pdump_manifest_is_of(dir, run))
            return true;
        if (access(dir, F_OK) != 0)
            break;
        len = snprintf(dir, PATH_MAX, "%s.%d", name, i);
    }
    return false;
}

/* Renames to NAME.1, or to the first such name that is free.  PDUMP_ESTATE if
 * one of them is the folder of `run`, unless that is NULL. */
static int move_away(const char *from, const char *name, const char *run,
                     char to[PATH_MAX])
{
    for (int i = 1; i < NAMES_MAX; i++) {
        if (snprintf(to, PATH_MAX, "%s.%d", name, i) >= PATH_MAX)
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", name);
        if (pdump_folder_rename_new(AT_FDCWD, from, AT_FDCWD, to) == 0)
            return PDUMP_OK;
        if (errno != EEXIST && errno != ENOTEMPTY)
            break;
        if (run && pdump_manifest_is_of(to, run))
            return PDUMP_ESTATE;
    }
    return pdump_fail(PDUMP_EIO, "%s: %s", to, strerror(errno));
}

int pdump_run_folder_begin(struct pdump_run_folder *e,
                           const struct pdump_settings *set, const char *run)
{
    const char *name = set->experiment;

    *e = (struct pdump_run_folder){ .settings = set, .run = run };
    if (strlen(name) > PATH_MAX - NAME_MAX)
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", name);
    if (find(name, run, e->dir)) {
        e->is_there = true;
        return PDUMP_OK;
    }
    pdump_folder_make_parents(name);
    for (int i = 0; i < NAMES_MAX; i++) {
        snprintf(e->dir, sizeof(e->dir), "%s.tmp-%ld-%d", name, (long)getpid(),
                 i);
        if (mkdir(e->dir, 0777) == 0)
            return PDUMP_OK;
        if (errno != EEXIST)
            break;
    }
    return pdump_fail(PDUMP_EIO, "%s: %s", e->dir, strerror(errno));
}

/* Links what a folder contains into the folder around it, so that archives are
 * found where their readers expect them: NAME.otf2/traces.otf2 is also
 * traces.otf2.  Existing files of such names stay. */
static void link_contents(const char *around, const char *name)
{
    char path[PATH_MAX], target[2 * NAME_MAX];
    const struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/%s", around, name);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(target, sizeof(target), "%.255s/%.250s", name, entry->d_name);
        snprintf(path, sizeof(path), "%s/%s", around, entry->d_name);
        if (symlink(target, path) != 0)
            continue; /* the archive itself is there in any case */
    }
    if (dir)
        closedir(dir);
}

void pdump_run_folder_note(struct pdump_run_folder *e, const char *sink,
                           const char *path)
{
    bool is_read = strcmp(sink, "hdf5") == 0 || strcmp(sink, "csv") == 0;
    size_t len = strlen(e->dir);

    /* The file may be in another folder; a warning has said so. */
    if (strncmp(path, e->dir, len) != 0 || path[len] != '/')
        return;
    link_contents(e->dir, path + len + 1);
    if (!e->main[0] || is_read)
        snprintf(e->main, sizeof(e->main), "%.*s", NAME_MAX, path + len + 1);
}

/* From now on, the folder has that name. */
static void settle(struct pdump_run_folder *e, const char *name)
{
    snprintf(e->dir, sizeof(e->dir), "%s", name);
    e->is_there = true;
}

/* Gives the folder its name, whatever exists already. */
static int place(struct pdump_run_folder *e)
{
    const char *name = e->settings->experiment;
    char other[PATH_MAX];
    int err = PDUMP_OK;

    for (int i = 0; i < NAMES_MAX && !e->is_there && err >= 0; i++) {
        if (find(name, e->run, other)) {
            /* Another rank or a child was first: use its folder. */
            snprintf(e->aside, sizeof(e->aside), "%s", e->dir);
            settle(e, other);
            e->main[0] = '\0';
            return PDUMP_ESTATE;
        }
        if (rename(e->dir, name) == 0) { /* nothing there, or an empty folder */
            settle(e, name);
        } else if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
            err = pdump_fail(PDUMP_EIO, "%s: %s", name, strerror(errno));
        } else if (pdump_manifest_is_of(name, NULL)) {
            err = move_away(name, name, NULL, other);
            if (err < 0 && access(name, F_OK) != 0)
                err = PDUMP_OK; /* another run has renamed it */
        } else {
            err = move_away(e->dir, name, e->run, other);
            if (err >= 0) {
                pdump_warn("experiment", "%s is not a run; this one is in %s",
                           name, other);
                settle(e, other);
            } else if (err == PDUMP_ESTATE) {
                err = PDUMP_OK; /* find() gets it in the next round */
            }
        }
    }
    return err;
}

/* Locks the folder above: otherwise another rank could put the run there
 * between the check of the name and the rename. */
static int place_alone(struct pdump_run_folder *e)
{
    char above[PATH_MAX], *slash;
    int fd, folder, err;

    snprintf(above, sizeof(above), "%s", e->settings->experiment);
    slash = strrchr(above, '/');
    if (slash)
        slash[slash == above] = '\0';
    folder = pdump_folder_open(slash ? above : ".", false);
    fd = pdump_output_file_lock(folder);
    err = place(e);
    pdump_output_file_unlock(fd);
    if (folder >= 0)
        close(folder);
    return err;
}

int pdump_run_folder_end(struct pdump_run_folder *e,
                         const struct pdump_dump *dump, char path[PATH_MAX])
{
    int err;

    path[0] = '\0';
    if (!e->main[0] && !e->is_there) {
        rmdir(e->dir); /* it is empty */
        return PDUMP_OK;
    }
    err = pdump_run_folder_write(e, dump);
    if (err >= 0)
        err = place_alone(e);
    if (err == PDUMP_ESTATE)
        return err;
    if (err < 0)
        pdump_warn("experiment", "%s; the files are in %s", pdump_last_error(),
                   e->dir);
    if (e->aside[0] && e->main[0])
        pdump_folder_remove(AT_FDCWD, e->aside);
    if (e->main[0] &&
        snprintf(path, PATH_MAX, "%s/%s", e->dir, e->main) >= PATH_MAX)
        path[0] = '\0';
    return PDUMP_OK;
}
