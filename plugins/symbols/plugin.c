/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "symbols": finds functions and source lines of addresses with
 * libdw.  It only reads files; the process that the addresses are from need not
 * exist. */
#include "elf_file.h"
#include "line_table.h"
#include "record/symbols.h"
#include "starts.h"
#include "system/plugin.h"

#include <string.h>

PDUMP_PLUGIN_MODULE;

static struct pdump_elf *files; /* most recently used first */

static struct pdump_elf *file_of(const char *path)
{
    struct pdump_elf **link = &files, *elf;

    while (*link && strcmp((*link)->path, path) != 0)
        link = &(*link)->next;
    elf = *link;
    if (elf)
        *link = elf->next;
    else
        elf = pdump_elf_open(path);
    if (elf) {
        elf->next = files;
        files = elf;
    }
    return elf;
}

static bool symbol_find(const char *module, uint64_t offset, const char **name,
                        struct pdump_symbol *out)
{
    struct pdump_elf *elf = file_of(module);
    const struct pdump_elf_function *function;

    if (!elf || !elf->module)
        return false;
    function = pdump_elf_find(elf, offset);
    if (function) {
        *name = function->name;
        out->is_shared = function->is_shared;
    }
    out->start =
        function ? function->start : pdump_starts_find(elf->module, offset);
    return pdump_lines_find(elf->module, &elf->units, offset, out->file,
                            sizeof(out->file), &out->line) ||
           function;
}

static void files_close(void)
{
    while (files) {
        struct pdump_elf *elf = files;

        files = elf->next;
        pdump_elf_close(elf);
    }
}

static const struct pdump_symbols symbols = { .find = symbol_find,
                                              .rest = files_close };

const struct pdump_plugin pdump_plugin = {
    .name = "symbols",
    .symbols = &symbols,
};
