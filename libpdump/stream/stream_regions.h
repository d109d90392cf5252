/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions of a stream, without its stacks (dump/stacks.h): for formats that
 * do not show them. */
#ifndef PDUMP_STREAM_REGIONS_H
#define PDUMP_STREAM_REGIONS_H

#include "stream/stream.h"

/* Makes a stream of the same dump without stacks.  `from` is borrowed as long
 * as the result is used.  Given: pdump_stream_regions_free(). */
int pdump_stream_regions(struct pdump_stream *from, struct pdump_stream **out);
void pdump_stream_regions_free(struct pdump_stream *s);

#endif
