/* SPDX-License-Identifier: BSD-3-Clause */
/* Region and Noop: types with __enter__ and __exit__ in C. */
#ifndef PDUMP_PY_REGION_TYPE_H
#define PDUMP_PY_REGION_TYPE_H

#include "cpython.h"

/* Create the types; NULL with an exception. */
void *pdump_region_type(void);
void *pdump_noop_type(void);

/* quiet(name=None): replaces region() when nothing is recorded.  Returns a
 * function unchanged; for everything else, returns the object set by
 * use_quiet(object). */
pdump_py_fastcall pdump_quiet_region;
void *pdump_quiet_use(void *self, void *object);

/* nothing(...): returns None for any arguments. */
pdump_py_fastcall pdump_nothing;

#endif
