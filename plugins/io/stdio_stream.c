/* SPDX-License-Identifier: BSD-3-Clause */
/* Stdio streams: their descriptors and positions. */
#include "stdio_stream.h"
#include "descriptor_table.h"
#include "next_symbol.h"

#include <errno.h>

PDUMP_IO_REAL(ftello64)

int pdump_io_stream_fd(FILE *stream)
{
    int error = errno, fd = fileno_unlocked(stream);

    errno = error;
    return fd;
}

int64_t pdump_io_stream_position(FILE *stream)
{
    int error = errno;
    int64_t position = REAL(ftello64)(stream);

    errno = error;
    return position;
}

int64_t pdump_io_stream_went(FILE *stream, int64_t bytes, int64_t most)
{
    const struct pdump_io_descriptor *d =
        pdump_io_table_at(pdump_io_stream_fd(stream));
    int64_t way = d ? pdump_io_stream_position(stream) - d->position : 0;

    return way > bytes && way <= most ? way : bytes;
}

void pdump_io_stream_begin(struct pdump_io *io,
                           struct pdump_io_function *function, FILE *stream)
{
    int fd = pdump_io_stream_fd(stream);

    if (fd >= 0)
        pdump_io_begin(io, function, fd);
    else
        pdump_io_begin_file(io, function, PDUMP_IO_ANONYMOUS);
}

void pdump_io_stream_moved(struct pdump_io *io, FILE *stream, int64_t bytes,
                           bool is_short)
{
    pdump_io_moved(io, pdump_io_stream_fd(stream),
                   is_short && ferror_unlocked(stream) ? -1 : bytes);
}
