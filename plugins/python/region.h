/* SPDX-License-Identifier: BSD-3-Clause */
/* Region and Noop: types with __enter__ and __exit__ in C. */
#ifndef PDUMP_PY_REGION_H
#define PDUMP_PY_REGION_H

#include "cpython.h"

/* New types, NULL with an exception. */
void *pdump_region_type(void);
void *pdump_noop_type(void);

/* quiet(name=None): what region() is when nothing is recorded.  A function is
 * given back as it is, for everything else there is the object that
 * use_quiet(object) has chosen. */
pdump_py_fastcall pdump_quiet_region;
void *pdump_quiet_use(void *self, void *object);

/* nothing(...): None, whatever it is given. */
pdump_py_fastcall pdump_nothing;

#endif
