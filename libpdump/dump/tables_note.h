/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be said of a dump that no builder has any more. */
#ifndef PDUMP_TABLES_NOTE_H
#define PDUMP_TABLES_NOTE_H

#include "dump/dump.h"

/* A new pair, and a new warning. */
int pdump_tables_metadata(struct pdump_dump *tables, const char *key,
                          const char *value);
int pdump_tables_warning(struct pdump_dump *tables, const char *text,
                         int64_t count);

#endif
