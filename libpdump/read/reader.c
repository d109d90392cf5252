/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the reader for a file. */
#include "read/reader.h"
#include "base/regular_file.h"
#include "read/csv_side.h"
#include "read/manifest.h"
#include "system/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct pdump_reader *const readers[] = {
    &pdump_reader_csv,
    &pdump_reader_store,
};

/* Files that modules read.  They are recognised by their first bytes, so that a
 * module is loaded only for its own files. */
static const struct {
    const char *module;
    const char *signature;
} modules[] = {
    { "hdf5", "\211HDF\r\n\032\n" },
};

enum {
    N_MODULES = sizeof(modules) / sizeof(modules[0]),
    N_READERS = sizeof(readers) / sizeof(readers[0]),
    HEAD_SIZE = 4096,
};

/* Reads the first bytes of a file.  Returns their number or a pdump_error. */
static int read_head(const char *path, char *head)
{
    FILE *f = pdump_regular_file_stream(path);
    int n;

    if (!f)
        return PDUMP_EIO;
    n = (int)fread(head, 1, HEAD_SIZE, f);
    if (ferror(f))
        n = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    fclose(f);
    return n;
}

static int find_in_module(const char *path, const char *module,
                          const struct pdump_reader **out)
{
    const struct pdump_plugin *plugin;
    int err = pdump_plugin_load(NULL, NULL, module, &plugin);
    char why[400];

    if (err >= 0 && plugin->readers && plugin->readers[0]) {
        *out = plugin->readers[0];
        return PDUMP_OK;
    }
    snprintf(why, sizeof(why), "%s",
             err < 0 ? pdump_last_error() : "its module has no reader");
    return pdump_fail(PDUMP_EPLUGIN, "%s: cannot read %s here: %s", path,
                      module, why);
}

bool pdump_reader_knows(const char *path)
{
    char head[HEAD_SIZE];
    int n = read_head(path, head);

    for (int i = 0; n > 0 && i < N_READERS; i++)
        if (readers[i]->knows(head, (size_t)n))
            return true;
    for (int i = 0; n > 0 && i < N_MODULES; i++) {
        size_t len = strlen(modules[i].signature);

        if ((size_t)n >= len && memcmp(head, modules[i].signature, len) == 0)
            return true;
    }
    return false;
}

static int find_reader(const char *path, const struct pdump_reader **out)
{
    char head[HEAD_SIZE];
    int n = read_head(path, head);

    if (n < 0)
        return n;
    if (n == 0)
        return pdump_fail(PDUMP_EFORMAT, "%s: the file is empty", path);
    for (int i = 0; i < N_READERS; i++)
        if (readers[i]->knows(head, (size_t)n)) {
            *out = readers[i];
            return PDUMP_OK;
        }
    for (int i = 0; i < N_MODULES; i++) {
        size_t len = strlen(modules[i].signature);

        if ((size_t)n >= len && memcmp(head, modules[i].signature, len) == 0)
            return find_in_module(path, modules[i].module, out);
    }
    return pdump_fail(PDUMP_EFORMAT, "%s:1: not a dump of libpdump", path);
}

/* An error in the dump as a whole has no line: add the name of the file. */
static int reader_finish(struct pdump_builder *b, const char *path,
                         struct pdump_dump **out)
{
    int err = pdump_builder_finish(b, out);
    char why[256];

    if (err != PDUMP_EFORMAT)
        return err;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(err, "%s: %s", path, why);
}

int pdump_reader_load(const char *path, struct pdump_dump **out)
{
    const struct pdump_reader *reader = NULL;
    struct pdump_builder *b;
    char inside[PATH_MAX];
    struct stat st;
    int err = PDUMP_OK;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        err = pdump_manifest_find(path, inside);
        path = inside;
    }
    if (err >= 0 && pdump_csv_is_side(path, NULL))
        err = pdump_csv_side_fail(path);
    if (err >= 0)
        err = find_reader(path, &reader);
    if (err < 0)
        return err;
    err = pdump_builder_new(&b);
    if (err < 0)
        return err;
    err = reader->read(path, b);
    if (err >= 0)
        err = reader_finish(b, path, out);
    pdump_builder_free(b);
    return err;
}

bool pdump_reader_is_live(const char *path)
{
    for (int i = 0; i < N_READERS; i++)
        if (readers[i]->is_live && readers[i]->is_live(path))
            return true;
    return false;
}

int pdump_load(const char *path, struct pdump_dump **out)
{
    struct pdump_error_kept kept;

    if (!path || !out)
        return pdump_fail(PDUMP_EINVAL, "no path or no result");
    pdump_error_keep(&kept);
    return pdump_error_settle(&kept, pdump_reader_load(path, out));
}
