/* SPDX-License-Identifier: BSD-3-Clause */
/* The source line of an address. */
#include "lines.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Take out "//", "/./" and "x/../": compilers write one file in many ways. */
static void normalize(char *path)
{
    bool is_absolute = *path == '/';
    char *out = path, *in = path;

    while (*in) {
        size_t n = strcspn(in, "/");
        char *next = in[n] ? in + n + 1 : in + n;

        if (n == 2 && memcmp(in, "..", 2) == 0 && out > path &&
            !(out - path >= 3 && memcmp(out - 3, "../", 3) == 0)) {
            for (out--; out > path && out[-1] != '/';)
                out--;
            if (is_absolute && out == path)
                out++;
        } else if (n == 0 ? is_absolute && out == path
                          : !(n == 1 && *in == '.')) {
            memmove(out, in, n);
            out += n;
            if (*next || n == 0)
                *out++ = '/';
        }
        in = next;
    }
    *out = '\0';
}

bool pdump_lines_find(Dwfl_Module *module, Dwarf_Addr address, char *file,
                      size_t len, int *line)
{
    Dwfl_Line *found = dwfl_module_getsrc(module, address);
    char path[PATH_MAX], folder[PATH_MAX];
    const char *name, *where;
    size_t n;

    name = found ? dwfl_lineinfo(found, NULL, line, NULL, NULL, NULL) : NULL;
    if (!name)
        return false;
    where = dwfl_line_comp_dir(found);
    snprintf(folder, sizeof(folder), "%s", where ? where : "");
    if (*name == '/' || !where)
        snprintf(path, sizeof(path), "%s", name);
    else
        snprintf(path, sizeof(path), "%.2000s/%.2000s", where, name);
    normalize(path);
    normalize(folder);
    n = strlen(folder);
    while (n > 0 && folder[n - 1] == '/')
        n--;
    if (n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/')
        memmove(path, path + n + 1, strlen(path + n + 1) + 1);
    n = strlen(path);
    /* The end of a path says more than its beginning. */
    snprintf(file, len, "%s", n < len ? path : path + n - len + 1);
    return true;
}
