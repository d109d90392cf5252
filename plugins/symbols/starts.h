/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the starts of functions in the table for exception handling, which even
 * stripped programs have. */
#ifndef PDUMP_SYMBOLS_STARTS_H
#define PDUMP_SYMBOLS_STARTS_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/* Returns the start of the function that contains the address, or 0. */
uint64_t pdump_starts_find(Dwfl_Module *module, uint64_t address);

#endif
