# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_HDF5: serial or parallel HDF5.
AC_DEFUN([PDUMP_WITH_HDF5], [
    PDUMP_WITH_MODULE([hdf5], [HDF5], [hdf5-serial hdf5-openmpi hdf5-mpich hdf5],
        [install libhdf5-dev])
])
