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

/* Returns false if the file is known to be another than the one that the
 * address is from. */
static bool is_same(Dwfl_Module *module, const unsigned char *id, size_t n_id)
{
    const unsigned char *found;
    GElf_Addr address;
    int n = dwfl_module_build_id(module, &found, &address);

    return n <= 0 || n_id == 0 ||
           ((size_t)n == n_id && memcmp(found, id, n_id) == 0);
}

/* The part for the i-th of n functions at the address. */
static void make_part(struct pdump_elf *elf, uint64_t offset, Dwarf_Die *dies,
                      int i, int n, struct pdump_symbol_part *out)
{
    const struct pdump_elf_function *function =
        i == 0 ? pdump_elf_find(elf, offset) : NULL;
    const char *name = function ? function->name
                       : n > 0  ? pdump_inlined_name(&dies[i])
                                : NULL;

    *out = (struct pdump_symbol_part){ .name = name ? name : "" };
    out->is_shared = function && function->is_shared;
    if (i == 0)
        out->start =
            function ? function->start : pdump_starts_find(elf->module, offset);
    if (n > 0)
        pdump_inlined_definition(&dies[i], out->file, sizeof(out->file),
                                 &out->line);
    if (i + 1 < n)
        pdump_inlined_call(&dies[i + 1], out->at_file, sizeof(out->at_file),
                           &out->at_line);
    else
        pdump_lines_find(elf->module, &elf->units, offset, out->at_file,
                         sizeof(out->at_file), &out->at_line);
}

static bool symbol_parts(const struct pdump_symbol_address *at,
                         pdump_symbol_take *take, void *data)
{
    struct pdump_elf *elf = file_of(at->module);
    static Dwarf_Die dies[PDUMP_INLINED_MAX];
    static struct pdump_symbol_part part;
    int n;

    if (!elf || !elf->module || !is_same(elf->module, at->id, at->n_id))
        return false;
    n = pdump_inlined_find(elf->module, &elf->units, &elf->inlined, at->offset,
                           dies);
    for (int i = 0; i < n || i == 0; i++) {
        make_part(elf, at->offset, dies, i, n, &part);
        take(data, &part);
    }
    return true;
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
                                              .parts = symbol_parts,
                                              .rest = files_close };

const struct pdump_plugin pdump_plugin = {
    .name = "symbols",
    .symbols = &symbols,
};
