/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum that tells whether bytes are those that were there before. */
#ifndef PDUMP_SUM_H
#define PDUMP_SUM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PDUMP_SUM_LANES = 4 };

/* Of the bytes so far, however they were cut.  Starts as zeroes. */
struct pdump_sum {
    uint64_t lanes[PDUMP_SUM_LANES];
    char rest[PDUMP_SUM_LANES * sizeof(uint64_t)]; /* not yet in them */
    uint64_t len;
};

PDUMP_SHARED void pdump_sum_add(struct pdump_sum *s, const void *bytes,
                                size_t len);

/* A change of one word always changes it; any other, but for one in 2^64. */
PDUMP_SHARED uint64_t pdump_sum_value(const struct pdump_sum *s);

#endif
