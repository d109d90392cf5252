/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of regions. */
#ifndef PDUMP_REGION_GROUP_H
#define PDUMP_REGION_GROUP_H

enum pdump_group {
    PDUMP_GROUP_USER,
    PDUMP_GROUP_PARAMETER,
    PDUMP_GROUP_STEP,
    PDUMP_GROUP_OVERFLOW, /* regions for which there was no room */
    PDUMP_GROUP_MPI,
    PDUMP_GROUP_IO,
    PDUMP_GROUP_FUNCTION, /* of compiled code; named by its code place */
    PDUMP_GROUP_PROGRAM,
    PDUMP_GROUP_MARKER, /* not a region: the name of a marker */
    PDUMP_GROUPS,
};

#endif
