/* SPDX-License-Identifier: BSD-3-Clause */
/* Stdio streams: their descriptors and positions.  All functions preserve
 * errno. */
#ifndef PDUMP_IO_STDIO_STREAM_H
#define PDUMP_IO_STDIO_STREAM_H

#include "io_record.h"

#include <stdio.h>

/* Returns -1 for a stream without a descriptor, such as one in memory. */
int pdump_io_stream_fd(FILE *stream);

/* Returns the position, buffered data included; -1 if the stream has none. */
int64_t pdump_io_stream_position(FILE *stream);

/* Like pdump_io_begin(), for a stream. */
void pdump_io_stream_begin(struct pdump_io *io,
                           struct pdump_io_function *function, FILE *stream);

/* Returns how far the stream has advanced since the last call, if that is more
 * than `bytes` and at most `most`; else returns `bytes`. */
int64_t pdump_io_stream_went(FILE *stream, int64_t bytes, int64_t most);

/* Like pdump_io_moved(), for a stream.  `is_short`: fewer bytes than requested,
 * because of an error or the end of the file. */
void pdump_io_stream_moved(struct pdump_io *io, FILE *stream, int64_t bytes,
                           bool is_short);

#endif
