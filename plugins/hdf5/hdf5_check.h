/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks which HDF5 library this module is bound to. */
#ifndef PDUMP_HDF5_HDF5_CHECK_H
#define PDUMP_HDF5_HDF5_CHECK_H

/* Returns PDUMP_OK if all our calls go to the library that this module was
 * linked with; PDUMP_EPLUGIN, with both paths, if some go to another one. */
int pdump_h5_origin(void);

#endif
