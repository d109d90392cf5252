/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the manifest of a run's folder. */
#include "read/manifest.h"
#include "base/error.h"

#include <string.h>

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
        f = fopen(path, "re");
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

int pdump_manifest_find(const char *dir, char path[PATH_MAX])
{
    struct manifest m;

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
