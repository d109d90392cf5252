/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source line of an address. */
#include "line_table.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Removes "//", "/./" and "x/../": compilers write the same file in many
 * ways. */
static void path_normalize(char *path)
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

/* A source line as debug information has it. */
struct source {
    const char *file;
    const char *folder; /* of the compilation, or NULL */
    int line;
};

static bool add_unit(struct pdump_units *units, struct pdump_unit unit)
{
    if (units->n == units->room) {
        size_t room = units->room ? units->room * 2 : 64;
        struct pdump_unit *list =
            realloc(units->list, room * sizeof(*units->list));

        if (!list)
            return false;
        units->list = list;
        units->room = room;
    }
    units->list[units->n++] = unit;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct pdump_unit *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

static void make_units(Dwfl_Module *module, struct pdump_units *units)
{
    Dwarf_Die *die = NULL;
    Dwarf_Addr bias, base, start, end;

    units->is_made = true;
    while ((die = dwfl_module_nextcu(module, die, &bias))) {
        ptrdiff_t at = 0;

        while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
            if (end > start &&
                !add_unit(units, (struct pdump_unit){ start + bias, end + bias,
                                                      die, bias }))
                break;
    }
    if (units->n)
        qsort(units->list, units->n, sizeof(*units->list), by_start);
}

static const struct pdump_unit *unit_of(const struct pdump_units *units,
                                        Dwarf_Addr address)
{
    size_t low = 0, high = units->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (units->list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < units->list[low - 1].end ? &units->list[low - 1]
                                                         : NULL;
}

/* Like line_find(), by the list of units. */
static bool units_search(Dwfl_Module *module, struct pdump_units *units,
                         Dwarf_Addr address, struct source *out)
{
    const struct pdump_unit *unit;
    Dwarf_Attribute attribute;
    Dwarf_Line *line;

    if (!units->is_made)
        make_units(module, units);
    unit = unit_of(units, address);
    line = unit ? dwarf_getsrc_die(unit->unit, address - unit->bias) : NULL;
    if (!line || dwarf_lineno(line, &out->line) != 0)
        return false;
    out->file = dwarf_linesrc(line, NULL, NULL);
    out->folder =
        dwarf_formstring(dwarf_attr(unit->unit, DW_AT_comp_dir, &attribute));
    return out->file != NULL;
}

static bool line_find(Dwfl_Module *module, struct pdump_units *units,
                      Dwarf_Addr address, struct source *out)
{
    Dwfl_Line *line = dwfl_module_getsrc(module, address);

    if (!line)
        return units_search(module, units, address, out);
    out->file = dwfl_lineinfo(line, NULL, &out->line, NULL, NULL, NULL);
    out->folder = dwfl_line_comp_dir(line);
    return out->file != NULL;
}

void pdump_lines_path(const char *source, const char *compiled_in, char *file,
                      size_t len)
{
    char path[PATH_MAX], folder[PATH_MAX];
    size_t n;

    snprintf(folder, sizeof(folder), "%s", compiled_in ? compiled_in : "");
    if (*source == '/' || !compiled_in)
        snprintf(path, sizeof(path), "%s", source);
    else
        snprintf(path, sizeof(path), "%.2000s/%.2000s", folder, source);
    path_normalize(path);
    path_normalize(folder);
    n = strlen(folder);
    while (n > 0 && folder[n - 1] == '/')
        n--;
    if (n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/')
        memmove(path, path + n + 1, strlen(path + n + 1) + 1);
    n = strlen(path);
    /* If it is too long, the end of a path says more than its beginning. */
    snprintf(file, len, "%s", n < len ? path : path + n - len + 1);
}

bool pdump_lines_find(Dwfl_Module *module, struct pdump_units *units,
                      Dwarf_Addr address, char *file, size_t len, int *line)
{
    struct source source;

    if (!line_find(module, units, address, &source))
        return false;
    *line = source.line;
    pdump_lines_path(source.file, source.folder, file, len);
    return true;
}

Dwarf_Die *pdump_lines_unit(Dwfl_Module *module, struct pdump_units *units,
                            Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *die = dwfl_module_addrdie(module, address, bias);
    const struct pdump_unit *unit;

    if (die)
        return die;
    if (!units->is_made)
        make_units(module, units);
    unit = unit_of(units, address);
    if (!unit)
        return NULL;
    *bias = unit->bias;
    return unit->unit;
}
