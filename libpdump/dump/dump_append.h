/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be said of a dump that no builder has any more. */
#ifndef PDUMP_DUMP_APPEND_H
#define PDUMP_DUMP_APPEND_H

#include "dump/dump.h"

/* A new pair, and a new warning. */
int pdump_append_metadata(struct pdump_dump *tables, const char *key,
                          const char *value);
int pdump_append_warning(struct pdump_dump *tables, const char *text,
                         int64_t count);

#endif
