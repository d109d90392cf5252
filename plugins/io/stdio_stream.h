/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams: the descriptors below them, and where they are.  All keep errno. */
#ifndef PDUMP_IO_STDIO_STREAM_H
#define PDUMP_IO_STDIO_STREAM_H

#include "record.h"

#include <stdio.h>

/* -1 for one that has none, as those in memory. */
int pdump_io_stream_fd(FILE *stream);

/* Its position, what is in its buffer included; -1 if it has none. */
int64_t pdump_io_stream_position(FILE *stream);

/* As pdump_io_begin(). */
void pdump_io_stream_begin(struct pdump_io *io,
                           struct pdump_io_function *function, FILE *stream);

/* How far the stream has gone on since the last call, if that is more than
 * `bytes` and not more than `most`; else `bytes`. */
int64_t pdump_io_stream_went(FILE *stream, int64_t bytes, int64_t most);

/* As pdump_io_moved().  Less than was asked for is an error, or the end. */
void pdump_io_stream_moved(struct pdump_io *io, FILE *stream, int64_t bytes,
                           bool is_short);

#endif
