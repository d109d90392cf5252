/* SPDX-License-Identifier: BSD-3-Clause */
/* Which HDF5 is it that this module got? */
#ifndef PDUMP_HDF5_HDF5_CHECK_H
#define PDUMP_HDF5_HDF5_CHECK_H

/* Do all our calls go to the library that this module was linked with?
 * PDUMP_EPLUGIN, and both paths, if another one has come between. */
int pdump_h5_origin(void);

#endif
