/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds entries of any table to a builder. */
#ifndef PDUMP_BUILDER_ADD_H
#define PDUMP_BUILDER_ADD_H

#include "dump/builder.h"
#include "dump/dump_schema.h"

/* Calls the builder's function for an entry of this table, up to
 * PDUMP_TABLE_WARNINGS.  Returns what that function does, or PDUMP_EFORMAT if
 * an enumeration of the entry has an unknown value. */
PDUMP_SHARED int pdump_builder_add(struct pdump_builder *b,
                                   enum pdump_table table, const void *entry);

#endif
