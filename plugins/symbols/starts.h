/* SPDX-License-Identifier: BSD-3-Clause */
/* Where functions begin, by the table that exceptions are found with: it stays
 * in a program that was stripped. */
#ifndef PDUMP_SYMBOLS_STARTS_H
#define PDUMP_SYMBOLS_STARTS_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/* The start of the function that has the address, or 0. */
uint64_t pdump_starts_find(Dwfl_Module *module, uint64_t address);

#endif
