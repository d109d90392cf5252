/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code of an interpreter that signal handlers have found in stacks, and its
 * records in the store.
 *
 * Entries are only added.  Code that is made where other code was is a new
 * entry.
 */
#ifndef PDUMP_SCRIPT_TABLE_H
#define PDUMP_SCRIPT_TABLE_H

#include "record/interpreter.h"
#include "store/store.h"

#include <stdatomic.h>

enum { PDUMP_SCRIPTS_MAX = 16384 };

/* Returns the number of the code, or -1 if there is no room.  For signal
 * handlers. */
int pdump_script_table_find(const struct pdump_interpreter_code *code);

/* Returns the ref of the record (struct pdump_script_record), made if new, or 0
 * if there is no room.  The code exists: it is in the stack of the caller.  For
 * signal handlers. */
uint32_t pdump_script_table_record(struct pdump_store *store,
                                   _Atomic int64_t *left, int script);

/* A new session has no records. */
void pdump_script_table_forget(void);

#endif
