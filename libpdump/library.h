/* SPDX-License-Identifier: BSD-3-Clause */
/* Which libraries are loaded, without a wait for the loader's lock that
 * constructors run under. */
#ifndef PDUMP_LIBRARY_H
#define PDUMP_LIBRARY_H

#include "error.h"

#include <stdbool.h>

/* Its base name, valid as long as it is loaded; "" for the program itself and
 * for what is in no library. */
PDUMP_SHARED const char *pdump_library_of(const void *address);

/* Is there one whose base name begins so? */
PDUMP_SHARED bool pdump_library_is_loaded(const char *begin);

#endif
