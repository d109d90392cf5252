/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heirs: threads that were started inside of instrumenter.enable().  Their
 * functions are recorded, too, also after the block.
 *
 * Python numbers its threads when they are started, in ascending order.  So a
 * thread is an heir if its number is above those of all threads that were there
 * when the block began, and not above those that were there when it ended.
 *
 * All of this runs under the GIL.
 */
#ifndef PDUMP_HEIRS_H
#define PDUMP_HEIRS_H

#include <stdbool.h>

/* Call these when the first block begins, and when the last one has ended. */
void pdump_heirs_begin(void);
void pdump_heirs_end(void);

/* Returns true if a thread of the last block still runs. */
bool pdump_heirs_are_there(void);

/* Returns 'y' or 'n' for the calling thread. */
char pdump_heirs_look(void);

/* Returns true if the calling thread is an heir.  `known` belongs to the
 * thread, and is 0 before the first call. */
static inline bool pdump_heirs_have(char *known)
{
    if (__builtin_expect(!*known, 0))
        *known = pdump_heirs_look();
    return *known == 'y';
}

#endif
