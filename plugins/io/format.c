/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers of printf(), scanf() and their families. */
#include "stdio_stream.h"
#include "wrap.h"

#include <stdarg.h>
#include <stdio.h>

/* clang-format off */
FUNCTION(printf, PDUMP_IO_STDIO)
FUNCTION(fprintf, PDUMP_IO_STDIO)
FUNCTION(dprintf, PDUMP_IO_POSIX)
FUNCTION(scanf, PDUMP_IO_STDIO)
FUNCTION(fscanf, PDUMP_IO_STDIO)

/* What precedes the format: as parameters of the function with dots, as
 * parameters of the function with a va_list, and as arguments. */
#define FORMAT (const char *format, ...), \
    (const char *format, va_list list), (format, list)
#define FLAG (int flag, const char *format, ...), \
    (int flag, const char *format, va_list list), (flag, format, list)
#define STREAM (FILE *stream, const char *format, ...), \
    (FILE *stream, const char *format, va_list list), (stream, format, list)
#define STREAM_FLAG (FILE *stream, int flag, const char *format, ...), \
    (FILE *stream, int flag, const char *format, va_list list), \
    (stream, flag, format, list)
#define FD (int fd, const char *format, ...), \
    (int fd, const char *format, va_list list), (fd, format, list)
#define FD_FLAG (int fd, int flag, const char *format, ...), \
    (int fd, int flag, const char *format, va_list list), \
    (fd, flag, format, list)

/* Defines a function with dots and the one with a va_list; both call the latter
 * one of the C library.  They are declared here because no header has all of
 * them. */
#define BOTH(...) BOTH_OF(__VA_ARGS__)
#define BOTH_OF(dots, lists, with_dots, with_list, args, begin, finish) \
    int dots with_dots;                                                 \
    int lists with_list;                                                \
    PDUMP_IO_REAL(lists)                                                \
    WRAP(int, lists, with_list, begin, REAL(lists) args, finish)        \
    WRAP(int, dots, with_dots,                                          \
         va_list list; va_start(list, format); begin,                   \
         REAL(lists) args; va_end(list), finish)

#define PRINTS(dots, lists, plain, head, stream)                        \
    BOTH(dots, lists, head,                                             \
         pdump_io_stream_begin(&io, &on_##plain, stream),               \
         pdump_io_moved(&io, pdump_io_stream_fd(stream), result))

PRINTS(printf, vprintf, printf, FORMAT, stdout)
PRINTS(__printf_chk, __vprintf_chk, printf, FLAG, stdout)
PRINTS(fprintf, vfprintf, fprintf, STREAM, stream)
PRINTS(__fprintf_chk, __vfprintf_chk, fprintf, STREAM_FLAG, stream)

#define PRINTS_TO(dots, lists, head)                                    \
    BOTH(dots, lists, head, pdump_io_begin(&io, &on_dprintf, fd),       \
         pdump_io_moved(&io, fd, result))

PRINTS_TO(dprintf, vdprintf, FD)
PRINTS_TO(__dprintf_chk, __vdprintf_chk, FD_FLAG)

/* The bytes are the distance that the stream has advanced, if it has a
 * position. */
static void scan_end(struct pdump_io *io, FILE *stream, int64_t before,
                    int n_items)
{
    int64_t after = before < 0 ? -1 : pdump_io_stream_position(stream);

    pdump_io_stream_moved(io, stream, after < before ? 0 : after - before,
                          n_items < 0);
}

#define SCANS(dots, lists, plain, head, stream)                         \
    BOTH(dots, lists, head,                                             \
         int64_t before = pdump_io_stream_position(stream);             \
         pdump_io_stream_begin(&io, &on_##plain, stream),               \
         scan_end(&io, stream, before, result))

/* Headers rename scanf() to these, since C99 and since C23. */
SCANS(__isoc99_scanf, __isoc99_vscanf, scanf, FORMAT, stdin)
SCANS(__isoc23_scanf, __isoc23_vscanf, scanf, FORMAT, stdin)
SCANS(__isoc99_fscanf, __isoc99_vfscanf, fscanf, STREAM, stream)
SCANS(__isoc23_fscanf, __isoc23_vfscanf, fscanf, STREAM, stream)
/* clang-format on */
