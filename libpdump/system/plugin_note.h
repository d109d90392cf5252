/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ELF note that identifies a module.  It is read from the file before the
 * module is loaded, because loading runs the module's constructors.
 */
#ifndef PDUMP_PLUGIN_NOTE_H
#define PDUMP_PLUGIN_NOTE_H

#include <stdbool.h>
#include <stdint.h>

enum { PDUMP_PLUGIN_ABI = 1, PDUMP_PLUGIN_NOTE = 1 };

struct pdump_plugin_note {
    uint32_t name_size; /* these three as in every ELF note */
    uint32_t size;
    uint32_t type;        /* PDUMP_PLUGIN_NOTE */
    char name[8];         /* "pdump" */
    uint32_t abi;         /* PDUMP_PLUGIN_ABI */
    uint32_t plugin_size; /* of struct pdump_plugin */
    char release[24];     /* PDUMP_VERSION */
};

/* Returns true if the ELF file has such a note, which is copied to *out. */
bool pdump_plugin_note_read(int fd, struct pdump_plugin_note *out);

#endif
