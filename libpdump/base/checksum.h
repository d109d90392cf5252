/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums: detect whether bytes have changed. */
#ifndef PDUMP_CHECKSUM_H
#define PDUMP_CHECKSUM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PDUMP_CHECKSUM_LANES = 4 };

/* The state for the bytes added so far.  The result does not depend on how they
 * are divided between calls.  Starts as zeroes. */
struct pdump_checksum {
    uint64_t lanes[PDUMP_CHECKSUM_LANES];
    char rest[PDUMP_CHECKSUM_LANES * sizeof(uint64_t)]; /* not yet in a lane */
    uint64_t len;
};

PDUMP_SHARED void pdump_checksum_add(struct pdump_checksum *s,
                                     const void *bytes, size_t len);

/* Returns the checksum.  It always changes if one word changes; it misses any
 * other change with a probability of 1 in 2^64. */
PDUMP_SHARED uint64_t pdump_checksum_value(const struct pdump_checksum *s);

#endif
