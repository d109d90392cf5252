/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the stores of earlier runs that ended without their dump. */
#ifndef PDUMP_STORE_LEFTOVER_H
#define PDUMP_STORE_LEFTOVER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Returns the number by which stores identify an output folder. */
PDUMP_SHARED uint64_t pdump_store_leftover_number(const char *folder);

/*
 * Looks beside the store `own` for stores of the user's dead processes whose
 * output folder has the number `number`, and returns how many runs they belong
 * to.  If there are any, `first` is a pattern that matches the stores of one of
 * these runs.  Lists the folder once, and opens only a limited number of
 * stores.
 */
PDUMP_SHARED int pdump_store_leftover_find(const char *own, uint64_t number,
                                           char *first, size_t len);

#endif
