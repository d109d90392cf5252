/* SPDX-License-Identifier: BSD-3-Clause */
/* The source line of an address. */
#ifndef PDUMP_SYMBOLS_LINES_H
#define PDUMP_SYMBOLS_LINES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/* False if debug information does not tell.  The file is relative to where it
 * was compiled, if it is below. */
bool pdump_lines_find(Dwfl_Module *module, Dwarf_Addr address, char *file,
                      size_t len, int *line);

#endif
