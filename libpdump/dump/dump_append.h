/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds metadata and warnings to a finished dump. */
#ifndef PDUMP_DUMP_APPEND_H
#define PDUMP_DUMP_APPEND_H

#include "dump/dump.h"

/* Each function adds an entry, even if an equal one exists. */
int pdump_append_metadata(struct pdump_dump *tables, const char *key,
                          const char *value);
int pdump_append_warning(struct pdump_dump *tables, const char *text,
                         int64_t count);

#endif
