/* SPDX-License-Identifier: BSD-3-Clause */
/* Another HDF5 in the global scope, to be preloaded: without versions, so that
 * it takes the calls of everybody.  Whoever makes one is harmed. */
#include <stdlib.h>

int H5open(void);
int H5Fcreate(void);
int H5Dwrite(void);
int H5Pset_fapl_mpio(void);

int H5open(void)
{
    abort();
}

int H5Fcreate(void)
{
    abort();
}

int H5Dwrite(void)
{
    abort();
}

int H5Pset_fapl_mpio(void)
{
    abort();
}
