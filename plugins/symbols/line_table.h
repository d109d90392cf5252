/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source line of an address. */
#ifndef PDUMP_SYMBOLS_LINE_TABLE_H
#define PDUMP_SYMBOLS_LINE_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/* The address ranges of the compilation units, for files without a table of
 * them: clang writes none. */
struct pdump_units {
    struct pdump_unit {
        Dwarf_Addr start, end; /* as addresses of the module */
        Dwarf_Die *unit;
        Dwarf_Addr bias;
    } * list; /* sorted by address */
    size_t n, room;
    bool is_made;
};

/* Returns false if there is no debug information for the address.  The path of
 * the file is made relative to the folder of the compilation if it is below
 * that.  `units` is zeroed at first, and belongs to the module;
 * free(units->list). */
bool pdump_lines_find(Dwfl_Module *module, struct pdump_units *units,
                      Dwarf_Addr address, char *file, size_t len, int *line);

/* Returns the compilation unit of an address, or NULL; `bias` is what its
 * addresses are less than those of the module. */
Dwarf_Die *pdump_lines_unit(Dwfl_Module *module, struct pdump_units *units,
                            Dwarf_Addr address, Dwarf_Addr *bias);

/* Writes a path of debug information: relative to the folder of the
 * compilation (NULL: unknown) if it is below that. */
void pdump_lines_path(const char *source, const char *folder, char *file,
                      size_t len);

#endif
