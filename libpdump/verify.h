/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a dump that was written really in its file? */
#ifndef PDUMP_VERIFY_H
#define PDUMP_VERIFY_H

#include "stream.h"

/* Read `path` and compare every row, sample and statistic with the stream's.
 * PDUMP_EIO, and what differs, if something does. */
PDUMP_SHARED int pdump_verify_file(struct pdump_stream *in, const char *path);

#endif
