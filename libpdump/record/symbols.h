/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code places: addresses as text that is equal on every rank, and their names.
 *
 * While the program runs, a place is "MODULE+0xOFFSET": the file that contains
 * the code, and the address in it.  When a dump is made, by any process, the
 * module pdump_symbols.so finds the function and the line.
 */
#ifndef PDUMP_SYMBOLS_H
#define PDUMP_SYMBOLS_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { PDUMP_PLACE_MAX = PATH_MAX + 24 };

struct pdump_symbol {
    char function[256]; /* demangled; "" if only the line is known */
    char file[512];     /* relative to the compile folder, if below it; or "" */
    int line;           /* 0: unknown */
    bool is_shared;     /* other functions of the module have the same name */
    uint64_t start;     /* of the function in its module; 0: unknown */
};

/* An address in a file. */
struct pdump_symbol_address {
    const char *module;      /* the path of the file */
    const unsigned char *id; /* its build ID, or NULL: unknown */
    size_t n_id;
    uint64_t offset; /* the address in it */
};

/* A function at an address: the one that contains it, or one that the compiler
 * has put into that. */
struct pdump_symbol_part {
    const char *name; /* as in the file, borrowed; "" if unknown */
    bool is_shared;   /* as in struct pdump_symbol */
    uint64_t start;   /* likewise; 0 for functions in others */
    char file[512];   /* where it is defined; "" if unknown */
    int line;
    char at_file[512]; /* the line at the address, or that of the call of the
                        * next function in it */
    int at_line;
};
typedef void pdump_symbol_take(void *data,
                               const struct pdump_symbol_part *part);

/* The interface of the module "symbols".  Called by one thread at a time. */
struct pdump_symbols {
    /* As pdump_symbols_find(), except for out->function: *name is the symbol as
     * it is in the file, borrowed until the next call of either function, or
     * "". */
    bool (*find)(const char *module, uint64_t offset, const char **name,
                 struct pdump_symbol *out);
    /* Passes the functions at an address to take(), the outermost first.
     * Returns false if the file cannot be read, or has another build ID. */
    bool (*parts)(const struct pdump_symbol_address *address,
                  pdump_symbol_take *take, void *data);
    /* Close all files; they are opened again when needed. */
    void (*rest)(void);
};

/* Write the place of a code address in this process; pass a return address - 1.
 * PDUMP_ENOENT, and "0xADDRESS", if it is in no file.  Takes a lock of the
 * loader, so call it once per call site. */
PDUMP_SHARED int pdump_symbols_place(uintptr_t address, char *buf, size_t len);

/* Look up function and line at a place.  Returns false if neither is known; the
 * start of the function may still be.  The result is cached.  Thread-safe. */
PDUMP_SHARED bool pdump_symbols_find(const char *place,
                                     struct pdump_symbol *out);

/* Write the name of the function at a place, as used for regions: with file and
 * line if other functions have the same name.  If it has no name, write the
 * place where the function starts, or else the place itself, and return false.
 * Otherwise as pdump_symbols_find(). */
bool pdump_symbols_name(const char *place, char *buf, size_t len,
                        struct pdump_symbol *out);

/* Advice for the user about functions without names.  Static. */
const char *pdump_symbols_advice(void);

/* Load the module, if there are places to name.  Called before destructors run.
 */
void pdump_symbols_load(void);

/* Close the files that were opened for lookups. */
void pdump_symbols_rest(void);

/* Called around fork(). */
void pdump_symbols_lock(struct timespec until);
void pdump_symbols_unlock(void);
void pdump_symbols_in_child(void);

#endif
