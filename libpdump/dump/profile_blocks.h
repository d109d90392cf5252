/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump as PyPerfDump would write it: a sequence of blocks in each rank, one
 * per start_region() and end_region(), with the sum over its profiles.
 *
 * Other samples, such as steps, are blocks of their own.  A region of which no
 * visit was kept is one block in each process, with its sums.
 */
#ifndef PDUMP_PROFILE_BLOCKS_H
#define PDUMP_PROFILE_BLOCKS_H

#include "dump/dump.h"

struct pdump_profile_block {
    int rank; /* index in the ranks of pdump_ranks_of() */
    int region;
    int64_t number;  /* within the rank, from 0 */
    int64_t *values; /* by metric, may be PDUMP_MISSING */
};

struct pdump_profile_blocks {
    struct pdump_profile_block *block; /* by number, then by rank */
    int64_t n;
    int64_t room;
};

/* On success, the caller ends with pdump_profile_blocks_free(). */
PDUMP_SHARED int pdump_profile_blocks_of(const struct pdump_dump *dump,
                                         struct pdump_profile_blocks *out);
PDUMP_SHARED void pdump_profile_blocks_free(struct pdump_profile_blocks *b);

#endif
