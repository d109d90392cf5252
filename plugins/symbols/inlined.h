/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that the compiler has put into the function at an
 * address. */
#ifndef PDUMP_SYMBOLS_INLINED_H
#define PDUMP_SYMBOLS_INLINED_H

#include "line_table.h"

#include <elfutils/libdwfl.h>

enum { PDUMP_INLINED_MAX = 64 }; /* functions at one address */

/* The functions of the compilation units that were looked at. */
struct pdump_inlined {
    struct pdump_inlined_unit {
        Dwarf_Off offset; /* of the unit */
        struct pdump_inlined_range {
            Dwarf_Addr start, end;
            Dwarf_Die function;
        } * list; /* sorted by address */
        size_t n, room;
    } * units; /* sorted by offset */
    size_t n, room;
};

/* Writes the entries at the address, from the function that contains it to the
 * innermost one in that.  Returns their number, at most PDUMP_INLINED_MAX; 0 if
 * there is no debug information.  `inlined` is zeroed at first and belongs to
 * the module, like `units` (line_table.h). */
int pdump_inlined_find(Dwfl_Module *module, struct pdump_units *units,
                       struct pdump_inlined *inlined, Dwarf_Addr address,
                       Dwarf_Die *out);
void pdump_inlined_free(struct pdump_inlined *inlined);

/* Returns the name of a function as in a table of symbols, or NULL. */
const char *pdump_inlined_name(Dwarf_Die *function);

/* Write file and line of its definition, and of the call that was replaced by
 * it; the path is as that of pdump_lines_find().  Return false if unknown. */
bool pdump_inlined_definition(Dwarf_Die *function, char *file, size_t len,
                              int *line);
bool pdump_inlined_call(Dwarf_Die *function, char *file, size_t len, int *line);

#endif
