/* SPDX-License-Identifier: BSD-3-Clause */
/* What kind of thing a region is. */
#ifndef PDUMP_REGION_GROUP_H
#define PDUMP_REGION_GROUP_H

enum pdump_group {
    PDUMP_GROUP_USER,
    PDUMP_GROUP_PARAMETER,
    PDUMP_GROUP_STEP,
    PDUMP_GROUP_OVERFLOW, /* what did not fit */
    PDUMP_GROUP_MPI,
    PDUMP_GROUP_IO,
    PDUMP_GROUP_FUNCTION, /* of compiled code; its name is a place in it */
    PDUMP_GROUP_PROGRAM,
    PDUMP_GROUP_MARKER, /* no region: the name of a moment */
    PDUMP_GROUPS,
};

#endif
