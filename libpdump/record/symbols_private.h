/* SPDX-License-Identifier: BSD-3-Clause */
/* Lookups without the module that uses libdw (symbols_dladdr.c). */
#ifndef PDUMP_SYMBOLS_PRIVATE_H
#define PDUMP_SYMBOLS_PRIVATE_H

#include "record/symbols.h"

/* As pdump_symbols.find, for exported symbols of loaded modules. */
bool pdump_symbols_dladdr(const char *module, uint64_t offset,
                          const char **name, struct pdump_symbol *out);

/* As pdump_symbols.parts; without the module, or if another thread does not
 * leave it in time, what the loader knows.  take() is called by one thread at a
 * time. */
bool pdump_symbols_parts(const struct pdump_symbol_address *address,
                         pdump_symbol_take *take, void *data);

/* Returns true if a place of this process was asked for. */
bool pdump_symbols_has_places(void);

/* Write a symbol as people write it: C++ demangled, Fortran's module procedures
 * as MODULE::NAME, without versions of libraries and suffixes of compiler
 * clones.  A name that is too long is cut, with a hash at the end to keep it
 * unique. */
void pdump_symbols_pretty(const char *symbol, char *buf, size_t len);

#endif
