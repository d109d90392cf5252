/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow. */
#ifndef PDUMP_ARRAY_H
#define PDUMP_ARRAY_H

#include "base/error.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Resize the array at *pointer to `room` elements of `size` bytes. */
static inline int pdump_array_set(void *pointer, int64_t room, size_t size)
{
    void *array;

    memcpy(&array, pointer, sizeof(array));
    array = realloc(array, (size_t)room * size);
    if (!array)
        return pdump_no_memory();
    memcpy(pointer, &array, sizeof(array));
    return PDUMP_OK;
}

/* Make room for element n of the array that *pointer points to.  Arrays double
 * when n is a power of two, so their capacity is not stored. */
static inline int pdump_array_make(void *pointer, int64_t n, size_t size)
{
    const int64_t first = 16;

    if (n >= INT_MAX)
        return pdump_fail(PDUMP_EINVAL, "more than %d entries in a table",
                          INT_MAX);
    if (n != 0 && (n < first || (n & (n - 1)) != 0))
        return PDUMP_OK;
    return pdump_array_set(pointer, n ? 2 * n : first, size);
}

#endif
