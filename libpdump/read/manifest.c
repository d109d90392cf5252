/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the manifest of a run's folder. */
#include "read/manifest.h"
#include "base/error.h"
#include "base/regular_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct manifest {
    char run[80];
    char dump[NAME_MAX + 1]; /* the first dump */
    int n_dumps;
};

FILE *pdump_manifest_open(const char *dir)
{
    char path[PATH_MAX], line[sizeof(PDUMP_MANIFEST_TITLE) + 1];
    FILE *f = NULL;

    if (snprintf(path, sizeof(path), "%s/%s", dir, PDUMP_MANIFEST) <
        (int)sizeof(path))
        f = pdump_regular_file_stream(path);
    if (!f || (fgets(line, sizeof(line), f) &&
               strcmp(line, PDUMP_MANIFEST_TITLE "\n") == 0))
        return f;
    fclose(f);
    return NULL;
}

const char *pdump_manifest_dump(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    return strncmp(line, "dump: ", 6) == 0 && line[6] && !strchr(line, '/')
               ? line + 6
               : NULL;
}

static bool read_manifest(const char *dir, struct manifest *out)
{
    char line[PATH_MAX];
    FILE *f = pdump_manifest_open(dir);

    memset(out, 0, sizeof(*out));
    if (!f)
        return false;
    while (fgets(line, sizeof(line), f)) {
        const char *dump = pdump_manifest_dump(line);

        if (dump && out->n_dumps++ == 0)
            snprintf(out->dump, sizeof(out->dump), "%.*s", NAME_MAX, dump);
        else if (strncmp(line, "run: ", 5) == 0)
            snprintf(out->run, sizeof(out->run), "%.79s", line + 5);
    }
    fclose(f);
    return true;
}

bool pdump_manifest_is_of(const char *dir, const char *run)
{
    struct manifest m;

    return read_manifest(dir, &m) && (!run || strcmp(m.run, run) == 0);
}

/* A run makes files and folders, and links to files in them.  Anything else
 * could be waited for, do something when it is opened, or lead elsewhere. */
static const char *entry_refuse(int folder, const char *name)
{
    char target[PATH_MAX];
    struct stat st;
    ssize_t n;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return NULL;
    if (!S_ISLNK(st.st_mode))
        return "is neither a file nor a folder";
    n = readlinkat(folder, name, target, sizeof(target) - 1);
    target[n < 0 ? 0 : n] = '\0';
    return n < 0 || *target == '/' || strstr(target, "..")
               ? "is a link that leads out of the folder"
               : NULL;
}

static int folder_check(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    int err = PDUMP_OK;

    while (dir && err >= 0 && (entry = readdir(dir))) {
        const char *why = entry_refuse(dirfd(dir), entry->d_name);

        if (why)
            err = pdump_fail(PDUMP_EIO,
                             "%s/%s %s; this folder is not read (name the "
                             "file of the dump)",
                             path, entry->d_name, why);
    }
    if (dir)
        closedir(dir);
    return err;
}

int pdump_manifest_find(const char *dir, char path[PATH_MAX])
{
    int err = folder_check(dir);
    struct manifest m;

    if (err < 0)
        return err;

    if (!read_manifest(dir, &m))
        return pdump_fail(
            PDUMP_EIO, "%s: a folder, and not one of a run of libpdump", dir);
    if (m.n_dumps != 1)
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: there are %d dumps in it; name %s/FILE", dir,
                          m.n_dumps, dir);
    if (snprintf(path, PATH_MAX, "%s/%s", dir, m.dump) >= PATH_MAX)
        return pdump_fail(PDUMP_EIO, "%.60s...: name too long", dir);
    return PDUMP_OK;
}
