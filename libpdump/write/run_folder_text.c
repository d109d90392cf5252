/* SPDX-License-Identifier: BSD-3-Clause */
/* The text files in the folder of a run: settings, warnings, and the
 * manifest. */
#include "read/manifest.h"
#include "system/env.h"
#include "write/output_file.h"
#include "write/run_folder_private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPS_MAX = 1000 };

static const char settings[] = "settings.txt";
static const char warnings[] = "warnings.txt";

/* Writes a value on one line, even if it contains newlines. */
static void put_line(FILE *f, const char *key, const char *value)
{
    fprintf(f, "%s", key);
    for (; *value; value++)
        fputc(iscntrl((unsigned char)*value) ? ' ' : *value, f);
    fputc('\n', f);
}

static void put_settings(FILE *f, const struct pdump_run_folder *e,
                         const struct pdump_dump *dump)
{
    struct pdump_setting_info info;

    (void)dump;
    for (int i = 0; pdump_settings_row(e->settings, i, &info); i++) {
        const char *value = *info.value ? info.value : pdump_env(info.name);
        char key[80];

        snprintf(key, sizeof(key), "%s=", info.name);
        put_line(f, key, value ? value : "");
    }
}

static void put_warnings(FILE *f, const struct pdump_run_folder *e,
                         const struct pdump_dump *dump)
{
    (void)e;
    for (int i = 0; i < dump->n_warnings; i++) {
        char count[40];

        snprintf(count, sizeof(count), "%" PRId64 " x ",
                 dump->warnings[i].count);
        put_line(f, count, dump->warnings[i].text);
    }
}

static void put_files(FILE *f, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        struct stat st;
        char size[40];

        if (entry->d_name[0] == '.' ||
            strcmp(entry->d_name, PDUMP_MANIFEST) == 0 ||
            fstatat(dirfd(dir), entry->d_name, &st, 0) != 0)
            continue;
        snprintf(size, sizeof(size), "file: %lld ", (long long)st.st_size);
        put_line(f, size, entry->d_name);
    }
    if (dir)
        closedir(dir);
}

/* Writes the dumps of other processes of the run, and that of `e`. */
static void put_dumps(FILE *f, const struct pdump_run_folder *e)
{
    char line[PATH_MAX];
    FILE *before = pdump_manifest_open(e->dir);

    while (before && fgets(line, sizeof(line), before)) {
        const char *dump = pdump_manifest_dump(line);

        if (dump && strcmp(dump, e->main) != 0)
            put_line(f, "dump: ", dump);
    }
    if (before)
        fclose(before);
    if (e->main[0])
        put_line(f, "dump: ", e->main);
}

static void put_manifest(FILE *f, const struct pdump_run_folder *e,
                         const struct pdump_dump *dump)
{
    static const char *const facts[] = { "command", "start", "host", "ranks",
                                         "version" };

    fprintf(f, "%s\n", PDUMP_MANIFEST_TITLE);
    put_line(f, "run: ", e->run);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *value = pdump_dump_metadata(dump, facts[i]);
        char key[20];

        snprintf(key, sizeof(key), "%s: ", facts[i]);
        if (value && *value)
            put_line(f, key, value);
    }
    put_dumps(f, e);
    put_files(f, e->dir);
}

typedef void put_text(FILE *f, const struct pdump_run_folder *e,
                      const struct pdump_dump *dump);

/* Makes a new file; a process on another host may have the same pid. */
static FILE *open_temp(const char *dir, const char *name, char *path,
                       size_t len)
{
    FILE *f = NULL;

    for (int i = 0; !f && i < TEMPS_MAX; i++) {
        snprintf(path, len, "%s/.%s.%ld-%d", dir, name, (long)getpid(), i);
        f = fopen(path, "wxe");
        if (!f && errno != EEXIST)
            break;
    }
    return f;
}

/* Writes to a temporary name first, so that a reader always gets a complete
 * file. */
static int write_text(const struct pdump_run_folder *e,
                      const struct pdump_dump *dump, const char *name,
                      put_text *put)
{
    char temp[PATH_MAX + 80], path[PATH_MAX + 80];
    bool is_bad;
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", e->dir, name);
    f = open_temp(e->dir, name, temp, sizeof(temp));
    if (!f)
        return pdump_fail(PDUMP_EIO, "%s: %s", temp, strerror(errno));
    put(f, e, dump);
    is_bad = fflush(f) != 0 || ferror(f) || fsync(fileno(f)) != 0;
    if (fclose(f) != 0 || is_bad || rename(temp, path) != 0) {
        int err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));

        unlink(temp);
        return err;
    }
    return PDUMP_OK;
}

int pdump_run_folder_write(const struct pdump_run_folder *e,
                           const struct pdump_dump *dump)
{
    int err = write_text(e, dump, settings, put_settings), fd;

    if (err >= 0)
        err = write_text(e, dump, warnings, put_warnings);
    if (err < 0)
        return err;
    /* Other processes may add to the manifest at any time. */
    fd = pdump_output_file_lock(e->dir);
    err = write_text(e, dump, PDUMP_MANIFEST, put_manifest);
    pdump_output_file_unlock(fd);
    return err;
}
