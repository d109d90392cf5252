/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of modules, noted in the store. */
#ifndef PDUMP_MODULE_RECORD_H
#define PDUMP_MODULE_RECORD_H

#include "store/store.h"

#include <stdint.h>

/* Returns the record of a module of module_table.h, made at first, and what is
 * to be subtracted from its addresses.  If there is none (module -1, no room),
 * both are 0.  For signal handlers. */
uint32_t pdump_module_record_of(struct pdump_store *store, int module,
                                uintptr_t *base);

/* Forget the records; a new store has none. */
void pdump_module_record_forget(void);

#endif
