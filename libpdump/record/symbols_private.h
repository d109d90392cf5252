/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that symbols_dladdr.c finds where the module with libdw is not there.
 */
#ifndef PDUMP_SYMBOLS_PRIVATE_H
#define PDUMP_SYMBOLS_PRIVATE_H

#include "record/symbols.h"

/* As pdump_symbols.find: exported symbols of what is loaded here. */
bool pdump_symbols_dladdr(const char *module, uint64_t offset,
                          const char **name, struct pdump_symbol *out);

/* Has there been a place of this process? */
bool pdump_symbols_has_places(void);

/* A symbol as people write it: C++ demangled, Fortran's modules as
 * MODULE::NAME, without what the compiler adds to clones.  Too long a name is
 * cut, with a number that tells it from others. */
void pdump_symbols_pretty(const char *symbol, char *buf, size_t len);

#endif
