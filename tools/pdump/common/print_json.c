/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a dump as JSON on standard output.
 *
 * Sinks write files.  They cannot write to /dev/stdout: opening it truncates
 * the file that standard output may be, and fails on sockets.  So the file is
 * written to a temporary folder and copied.
 */
#include "common/print_json.h"

#include "system/env.h"
#include "write/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int copy(const struct command *self, const char *path)
{
    FILE *f = fopen(path, "re");
    char buf[65536];
    size_t n;
    int bad;

    if (!f)
        return command_fail(self, "%s: %s", path, strerror(errno));
    while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
        fwrite(buf, 1, n, stdout);
    bad = ferror(f);
    fclose(f);
    if (bad)
        return command_fail(self, "%s: cannot be read back", path);
    return COMMAND_OK;
}

int json_print(const struct command *self, const struct pdump_dump *dump)
{
    const struct pdump_sink *sink;
    char *dir = NULL, *path = NULL;
    int code;

    if (asprintf(&dir, "%s/pdump.XXXXXX", pdump_env_temporary()) < 0)
        return command_fail(self, "out of memory");
    if (!mkdtemp(dir)) {
        code = command_fail(self, "%s: %s", dir, strerror(errno));
        free(dir);
        return code;
    }
    if (asprintf(&path, "%s/dump.json", dir) < 0)
        code = command_fail(self, "out of memory");
    else if (pdump_sink_find("json", &sink) < 0 ||
             pdump_sink_write(&sink->parts[0], dump, path) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    else
        code = copy(self, path);
    if (path)
        unlink(path);
    rmdir(dir);
    free(path);
    free(dir);
    return code;
}
