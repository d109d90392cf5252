/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "symbols" finds functions and source lines of addresses.  This
 * header has the functions of an ELF file, sorted by address. */
#ifndef PDUMP_SYMBOLS_ELF_FILE_H
#define PDUMP_SYMBOLS_ELF_FILE_H

#include "inlined.h"
#include "line_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pdump_elf_function {
    uint64_t start, size;
    const char *name; /* in the file's tables */
    int rank;         /* preference among several names of one address */
    bool is_shared;   /* another address has the same name */
};

struct pdump_elf {
    struct pdump_elf *next;
    Dwfl *dwfl;
    Dwfl_Module *module;                  /* NULL: it could not be read */
    struct pdump_elf_function *functions; /* sorted by address */
    size_t n_functions;
    struct pdump_units units;
    struct pdump_inlined inlined;
    char path[];
};

/* Opens a file and sorts its functions.  A file that cannot be read has none.
 * NULL if there is no memory. */
struct pdump_elf *pdump_elf_open(const char *path);
void pdump_elf_close(struct pdump_elf *elf);

/* Returns the function that contains the address, or NULL. */
const struct pdump_elf_function *pdump_elf_find(const struct pdump_elf *elf,
                                                uint64_t address);

#endif
