/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a dump that was written really in its file? */
#ifndef PDUMP_VERIFY_H
#define PDUMP_VERIFY_H

#include "dump.h"

/* Read `path` and compare every row and every sample with the dump's.
 * PDUMP_EIO, and what differs, if something does. */
int pdump_verify_file(const struct pdump_dump *dump, const char *path);

#endif
