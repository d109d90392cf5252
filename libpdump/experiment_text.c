/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts in the folder of a run: settings, warnings, and the manifest. */
#include "experiment_text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TITLE "libpdump run 1"

enum { DUMPS_MAX = 64 };

static const char manifest[] = "manifest.txt";
static const char settings[] = "settings.txt";
static const char warnings[] = "warnings.txt";

/* What a manifest says. */
struct manifest {
    char run[80];
    char dumps[DUMPS_MAX][NAME_MAX];
    int n_dumps;
};

static void add_dump(struct manifest *m, const char *name)
{
    for (int i = 0; i < m->n_dumps; i++)
        if (strcmp(m->dumps[i], name) == 0)
            return;
    if (*name && m->n_dumps < DUMPS_MAX)
        snprintf(m->dumps[m->n_dumps++], NAME_MAX, "%.*s", NAME_MAX - 1, name);
}

static bool read_manifest(const char *dir, struct manifest *out)
{
    char path[PATH_MAX], line[PATH_MAX];
    bool is_ours;
    FILE *f;

    memset(out, 0, sizeof(*out));
    if (snprintf(path, sizeof(path), "%s/%s", dir, manifest) >=
        (int)sizeof(path))
        return false;
    f = fopen(path, "re");
    is_ours =
        f && fgets(line, sizeof(line), f) && strcmp(line, TITLE "\n") == 0;
    while (is_ours && fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "run: ", 5) == 0)
            snprintf(out->run, sizeof(out->run), "%.79s", line + 5);
        else if (strncmp(line, "dump: ", 6) == 0 && !strchr(line, '/'))
            add_dump(out, line + 6);
    }
    if (f)
        fclose(f);
    return is_ours;
}

bool pdump_experiment_is_of(const char *dir, const char *run)
{
    struct manifest m;

    return read_manifest(dir, &m) && (!run || strcmp(m.run, run) == 0);
}

int pdump_experiment_find(const char *dir, char path[PATH_MAX])
{
    struct manifest m;

    if (!read_manifest(dir, &m))
        return pdump_fail(
            PDUMP_EIO, "%s: a folder, and not one of a run of libpdump", dir);
    if (m.n_dumps != 1)
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: there are %d dumps in it; name %s/FILE", dir,
                          m.n_dumps, dir);
    if (snprintf(path, PATH_MAX, "%s/%s", dir, m.dumps[0]) >= PATH_MAX)
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", dir);
    return PDUMP_OK;
}

/* On one line, whatever is in it. */
static void put_line(FILE *f, const char *key, const char *value)
{
    fprintf(f, "%s", key);
    for (; *value; value++)
        fputc(iscntrl((unsigned char)*value) ? ' ' : *value, f);
    fputc('\n', f);
}

static void put_settings(FILE *f, const struct pdump_experiment *e,
                         const struct pdump_dump *dump)
{
    struct pdump_setting_info info;

    (void)dump;
    for (int i = 0; pdump_settings_row(e->settings, i, &info); i++) {
        const char *value = *info.value ? info.value : getenv(info.name);
        char key[80];

        snprintf(key, sizeof(key), "%s=", info.name);
        put_line(f, key, value ? value : "");
    }
}

static void put_warnings(FILE *f, const struct pdump_experiment *e,
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

        if (entry->d_name[0] == '.' || strcmp(entry->d_name, manifest) == 0 ||
            fstatat(dirfd(dir), entry->d_name, &st, 0) != 0)
            continue;
        snprintf(size, sizeof(size), "file: %lld ", (long long)st.st_size);
        put_line(f, size, entry->d_name);
    }
    if (dir)
        closedir(dir);
}

static void put_manifest(FILE *f, const struct pdump_experiment *e,
                         const struct pdump_dump *dump)
{
    static const char *const facts[] = { "command", "start", "host", "ranks",
                                         "version" };
    struct manifest before;

    read_manifest(e->dir, &before); /* what others of the run have written */
    add_dump(&before, e->main);
    fprintf(f, "%s\n", TITLE);
    put_line(f, "run: ", e->run);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *value = pdump_dump_metadata(dump, facts[i]);
        char key[20];

        snprintf(key, sizeof(key), "%s: ", facts[i]);
        if (value && *value)
            put_line(f, key, value);
    }
    for (int i = 0; i < before.n_dumps; i++)
        put_line(f, "dump: ", before.dumps[i]);
    put_files(f, e->dir);
}

typedef void put_text(FILE *f, const struct pdump_experiment *e,
                      const struct pdump_dump *dump);

/* Under another name first: who reads it meanwhile sees it whole. */
static int write_text(const struct pdump_experiment *e,
                      const struct pdump_dump *dump, const char *name,
                      put_text *put)
{
    char temp[PATH_MAX + 80], path[PATH_MAX + 80];
    bool is_bad;
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", e->dir, name);
    snprintf(temp, sizeof(temp), "%s/.%s.%ld", e->dir, name, (long)getpid());
    f = fopen(temp, "wxe");
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

int pdump_experiment_write(const struct pdump_experiment *e,
                           const struct pdump_dump *dump)
{
    int err = write_text(e, dump, settings, put_settings);

    if (err >= 0)
        err = write_text(e, dump, warnings, put_warnings);
    return err < 0 ? err : write_text(e, dump, manifest, put_manifest);
}
