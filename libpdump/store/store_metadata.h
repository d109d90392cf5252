/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the run, kept in the store: the metadata of the dump. */
#ifndef PDUMP_STORE_METADATA_H
#define PDUMP_STORE_METADATA_H

#include "config/settings.h"
#include "source/source.h"
#include "store/store.h"
#include "store/store_layout.h"

/* Store `key` = `value`; the last value of a key counts.  Thread-safe. */
int pdump_store_metadata_add(struct pdump_store *store, const char *key,
                             const char *value);

/* Store what is known at the start: command, host, date, version, clock, the
 * choice of counters, and settings that are not the default. */
int pdump_store_metadata_start(struct pdump_store *store,
                               const struct pdump_settings *set,
                               const struct pdump_sources *sources,
                               const char *clock);

#endif
