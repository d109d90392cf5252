/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum that tells whether bytes are those that were there before. */
#ifndef PDUMP_CHECKSUM_H
#define PDUMP_CHECKSUM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PDUMP_CHECKSUM_LANES = 4 };

/* Of the bytes so far, however they were cut.  Starts as zeroes. */
struct pdump_checksum {
    uint64_t lanes[PDUMP_CHECKSUM_LANES];
    char rest[PDUMP_CHECKSUM_LANES * sizeof(uint64_t)]; /* not yet in them */
    uint64_t len;
};

PDUMP_SHARED void pdump_checksum_add(struct pdump_checksum *s,
                                     const void *bytes, size_t len);

/* A change of one word always changes it; any other, but for one in 2^64. */
PDUMP_SHARED uint64_t pdump_checksum_value(const struct pdump_checksum *s);

#endif
