/* SPDX-License-Identifier: BSD-3-Clause */
/* The text files in the folder of a run: settings, warnings, and the
 * manifest. */
#include "read/manifest.h"
#include "system/env.h"
#include "system/folder.h"
#include "system/private_folder.h"
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
    for (int i = 0;
         !e->settings->anonymous && pdump_settings_row(e->settings, i, &info);
         i++) {
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

/* Writes to a private folder first, so that a reader always gets a complete
 * file. */
static int write_text(const struct pdump_private_folder *p, const char *name,
                      const struct pdump_run_folder *e,
                      const struct pdump_dump *dump, put_text *put)
{
    struct pdump_new_file file;
    char path[PATH_MAX];
    int err = pdump_private_folder_add(p, name, false, path, &file);
    FILE *f = err >= 0 ? fdopen(file.fd, "w") : NULL;
    bool is_bad;

    if (!f) {
        if (file.fd >= 0)
            close(file.fd);
        return err < 0 ? err : pdump_no_memory();
    }
    put(f, e, dump);
    is_bad = fflush(f) != 0 || ferror(f) || fsync(fileno(f)) != 0;
    if (fclose(f) != 0 || is_bad || renameat(p->fd, name, p->place, name) != 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    return PDUMP_OK;
}

int pdump_run_folder_write(const struct pdump_run_folder *e,
                           const struct pdump_dump *dump)
{
    int folder = pdump_folder_open(e->dir, true), fd, err;
    struct pdump_private_folder p;

    if (folder < 0)
        return folder;
    err = pdump_private_folder_make(folder, e->dir, "texts", &p);
    if (err >= 0)
        err = write_text(&p, settings, e, dump, put_settings);
    if (err >= 0)
        err = write_text(&p, warnings, e, dump, put_warnings);
    if (err >= 0) {
        /* Other processes may add to the manifest at any time. */
        fd = pdump_output_file_lock(folder);
        err = write_text(&p, PDUMP_MANIFEST, e, dump, put_manifest);
        pdump_output_file_unlock(fd);
    }
    pdump_private_folder_remove(&p);
    close(folder);
    return err;
}
