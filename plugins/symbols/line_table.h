/* SPDX-License-Identifier: BSD-3-Clause */
/* The source line of an address. */
#ifndef PDUMP_SYMBOLS_LINE_TABLE_H
#define PDUMP_SYMBOLS_LINE_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the code of the compilation units is, if the file has no table that
 * tells: clang writes none. */
struct pdump_units {
    struct pdump_unit {
        Dwarf_Addr start, end; /* in the module */
        Dwarf_Die *unit;
        Dwarf_Addr bias;
    } * list; /* by address */
    size_t n, room;
    bool is_made;
};

/* False if debug information does not tell.  The file is relative to where it
 * was compiled, if it is below.  `units` is zeroed at first, and belongs to the
 * module; free(units->list). */
bool pdump_lines_find(Dwfl_Module *module, struct pdump_units *units,
                      Dwarf_Addr address, char *file, size_t len, int *line);

#endif
