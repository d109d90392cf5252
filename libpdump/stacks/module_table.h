/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The libraries in which signal handlers have found code, and the program.
 *
 * Entries are only added.  A library that is loaded at the address of one that
 * was unloaded is a new entry.
 */
#ifndef PDUMP_MODULE_TABLE_H
#define PDUMP_MODULE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PDUMP_MODULES_MAX = 2000,
    PDUMP_MODULE_ID_MAX = 20, /* bytes of a build ID */
};

struct pdump_module {
    uintptr_t start;
    uintptr_t end;
    uintptr_t base;   /* what is added to the addresses in its file */
    uintptr_t header; /* .eh_frame_hdr, or 0 */
    uintptr_t link;   /* struct link_map */
    /* Words that differ in another library at the same place: the build ID, or
     * else those of its ELF header. */
    uintptr_t mark_at;
    uint64_t mark;
    unsigned char id[PDUMP_MODULE_ID_MAX];
    uint32_t n_id;
    _Atomic uint32_t record; /* in the store, or 0 */
};

/* In a child: a lock may be held by a thread that it does not have. */
void pdump_module_table_forked(void);

/* Prepare look-ups; not in a signal handler.  Returns false if this C library
 * cannot look up code in signal handlers. */
bool pdump_module_table_open(void);

/* Returns the number of the module that has code at the address, or -1.  For
 * signal handlers. */
int pdump_module_table_find(uintptr_t address);

/* Returns a module by its number.  Static. */
struct pdump_module *pdump_module_table_at(int module);

/* Returns the number of modules so far. */
int pdump_module_table_count(void);

/* Returns true if the n modules, at most PDUMP_SAFE_READ_WORDS, are still what
 * was read when they were added.  If not, those that are not get new entries
 * when they are found again.  For signal handlers. */
bool pdump_module_table_check(const uint16_t *list, int n);

/* Writes the path of the module's file.  For signal handlers. */
bool pdump_module_table_path(const struct pdump_module *m, char *path,
                             size_t len);

#endif
