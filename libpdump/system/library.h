/* SPDX-License-Identifier: BSD-3-Clause */
/* Which libraries are loaded, found without waiting for the loader's lock,
 * which is held while constructors run. */
#ifndef PDUMP_LIBRARY_H
#define PDUMP_LIBRARY_H

#include "base/error.h"

#include <stdbool.h>

/* Returns the base name of the library that contains `address`, valid as long
 * as the library is loaded; "" for the program itself and for addresses in no
 * library. */
PDUMP_SHARED const char *pdump_library_of(const void *address);

/* Returns true if a library is loaded whose base name begins with `begin`. */
PDUMP_SHARED bool pdump_library_is_loaded(const char *begin);

#endif
