/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrappers of the functions on streams.  Their internal reads and writes do not
 * go through our wrappers, so nothing is counted twice.  Positions are those of
 * the stream.
 */
#include "stdio_stream.h"
#include "wrap.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
FUNCTION(fopen, PDUMP_IO_STDIO)
FUNCTION(freopen, PDUMP_IO_STDIO)
FUNCTION(fdopen, PDUMP_IO_STDIO)
FUNCTION(fclose, PDUMP_IO_STDIO)
FUNCTION(fread, PDUMP_IO_STDIO)
FUNCTION(fwrite, PDUMP_IO_STDIO)
FUNCTION(fgets, PDUMP_IO_STDIO)
FUNCTION(fgetc, PDUMP_IO_STDIO)
FUNCTION(getline, PDUMP_IO_STDIO)
FUNCTION(fputs, PDUMP_IO_STDIO)
FUNCTION(puts, PDUMP_IO_STDIO)
FUNCTION(fputc, PDUMP_IO_STDIO)
FUNCTION(fseek, PDUMP_IO_STDIO)
FUNCTION(fflush, PDUMP_IO_STDIO)

/* Some C libraries define these as macros. */
#undef fgetc
#undef getc
#undef getchar
#undef fputc
#undef putc
#undef putchar
#undef fread_unlocked
#undef fwrite_unlocked

/* Headers declare these only with _FORTIFY_SOURCE and optimisation. */
size_t __fread_chk(void *data, size_t room, size_t size, size_t n,
                   FILE *stream);
size_t __fread_unlocked_chk(void *data, size_t room, size_t size, size_t n,
                            FILE *stream);
char *__fgets_chk(char *line, size_t room, int n, FILE *stream);
char *__fgets_unlocked_chk(char *line, size_t room, int n, FILE *stream);
ssize_t __getdelim(char **line, size_t *n, int end, FILE *stream);

#define OPENS(name, params, args)                                       \
    PDUMP_IO_REAL(name)                                                 \
    WRAP(FILE *, name, params, pdump_io_begin_path(&io, &on_fopen, AT_FDCWD, path), \
         REAL(name) args,                                               \
         pdump_io_opened(&io, path, result ? pdump_io_stream_fd(result) : -1))

OPENS(fopen, (const char *path, const char *mode), (path, mode))
OPENS(fopen64, (const char *path, const char *mode), (path, mode))

/* Whatever the result, the old descriptor is closed. */
static void stream_forget(FILE *stream)
{
    int fd = pdump_io_stream_fd(stream);

    if (fd >= 0)
        pdump_io_forget((unsigned)fd, (unsigned)fd);
}

#define REOPENS(name)                                                     \
    PDUMP_IO_REAL(name)                                                   \
    WRAP(FILE *, name, (const char *path, const char *mode, FILE *stream), \
         pdump_io_begin_path(&io, &on_freopen, AT_FDCWD, path);                     \
         stream_forget(stream), REAL(name)(path, mode, stream),                  \
         pdump_io_opened(&io, path, result ? pdump_io_stream_fd(result) : -1))

REOPENS(freopen)
REOPENS(freopen64)

PDUMP_IO_REAL(fdopen)
WRAP(FILE *, fdopen, (int fd, const char *mode),
     pdump_io_begin(&io, &on_fdopen, fd), REAL(fdopen)(fd, mode),
     pdump_io_done(&io, result != NULL, 0))

PDUMP_IO_REAL(fclose)
WRAP(int, fclose, (FILE *stream), pdump_io_stream_begin(&io, &on_fclose, stream);
     stream_forget(stream), REAL(fclose)(stream), pdump_io_done(&io, result == 0, 0))

PDUMP_IO_REAL(fflush)
WRAP(int, fflush, (FILE *stream),
     if (stream) pdump_io_stream_begin(&io, &on_fflush, stream);
     else pdump_io_begin_file(&io, &on_fflush, PDUMP_IO_STREAMS),
     REAL(fflush)(stream), pdump_io_done(&io, result == 0, 0))

/* The last record may have been read only partly. */
static void items_moved(struct pdump_io *io, FILE *stream, size_t size, size_t n,
                  size_t result)
{
    int64_t bytes = (int64_t)(result * size);

    if (result < n && size > 1)
        bytes = pdump_io_stream_went(stream, bytes, bytes + (int64_t)size - 1);
    pdump_io_stream_moved(io, stream, bytes, result < n);
}

/* Functions on records of `size` bytes. */
#define RECORDS(name, plain, params, args)                          \
    PDUMP_IO_REAL(name)                                             \
    WRAP(size_t, name, params, pdump_io_stream_begin(&io, &on_##plain, stream),     \
         REAL(name) args,                                           \
         items_moved(&io, stream, size, n, result))

RECORDS(fread, fread, (void *data, size_t size, size_t n, FILE *stream),
        (data, size, n, stream))
RECORDS(fread_unlocked, fread,
        (void *data, size_t size, size_t n, FILE *stream),
        (data, size, n, stream))
RECORDS(__fread_chk, fread,
        (void *data, size_t room, size_t size, size_t n, FILE *stream),
        (data, room, size, n, stream))
RECORDS(__fread_unlocked_chk, fread,
        (void *data, size_t room, size_t size, size_t n, FILE *stream),
        (data, room, size, n, stream))
RECORDS(fwrite, fwrite, (const void *data, size_t size, size_t n, FILE *stream),
        (data, size, n, stream))
RECORDS(fwrite_unlocked, fwrite,
        (const void *data, size_t size, size_t n, FILE *stream),
        (data, size, n, stream))

/* A line that neither ends in a newline nor fills the buffer is the last line,
 * or has a NUL in it. */
static void got_line(struct pdump_io *io, FILE *stream, const char *line, int n)
{
    int64_t bytes = line ? (int64_t)strlen(line) : 0;

    if (line && bytes < n - 1 && (bytes == 0 || line[bytes - 1] != '\n'))
        bytes = pdump_io_stream_went(stream, bytes, n - 1);
    pdump_io_stream_moved(io, stream, bytes, !line);
}

/* Functions on lines. */
#define GETS(name, params, args)                                          \
    PDUMP_IO_REAL(name)                                                   \
    WRAP(char *, name, params, pdump_io_stream_begin(&io, &on_fgets, stream),             \
         REAL(name) args,                                                 \
         got_line(&io, stream, result, n))

GETS(fgets, (char *line, int n, FILE *stream), (line, n, stream))
GETS(fgets_unlocked, (char *line, int n, FILE *stream), (line, n, stream))
GETS(__fgets_chk, (char *line, size_t room, int n, FILE *stream),
     (line, room, n, stream))
GETS(__fgets_unlocked_chk, (char *line, size_t room, int n, FILE *stream),
     (line, room, n, stream))

#define GETS_LINE(name, params, args)                               \
    PDUMP_IO_REAL(name)                                             \
    WRAP(ssize_t, name, params, pdump_io_stream_begin(&io, &on_getline, stream),    \
         REAL(name) args,                                           \
         pdump_io_stream_moved(&io, stream, result < 0 ? 0 : result, result < 0))

GETS_LINE(getline, (char **line, size_t *n, FILE *stream), (line, n, stream))
GETS_LINE(getdelim, (char **line, size_t *n, int end, FILE *stream),
          (line, n, end, stream))
GETS_LINE(__getdelim, (char **line, size_t *n, int end, FILE *stream),
          (line, n, end, stream))

#define PUTS(name, plain, params, args, stream, more)                    \
    PDUMP_IO_REAL(name)                                                  \
    WRAP(int, name, params, pdump_io_stream_begin(&io, &on_##plain, stream),             \
         REAL(name) args,                                                \
         pdump_io_moved(&io, pdump_io_stream_fd(stream),                              \
                        result < 0 ? -1 : (int64_t)strlen(text) + more))

PUTS(fputs, fputs, (const char *text, FILE *stream), (text, stream), stream, 0)
PUTS(fputs_unlocked, fputs, (const char *text, FILE *stream), (text, stream),
     stream, 0)
PUTS(puts, puts, (const char *text), (text), stdout, 1)

/* Functions on single characters. */
#define ONE(name, plain, params, args, stream)                       \
    PDUMP_IO_REAL(name)                                              \
    WRAP(int, name, params, pdump_io_stream_begin(&io, &on_##plain, stream),         \
         REAL(name) args, pdump_io_stream_moved(&io, stream, result != EOF, result == EOF))

ONE(fgetc, fgetc, (FILE *stream), (stream), stream)
ONE(getc, fgetc, (FILE *stream), (stream), stream)
ONE(getchar, fgetc, (void), (), stdin)
ONE(fputc, fputc, (int c, FILE *stream), (c, stream), stream)
ONE(putc, fputc, (int c, FILE *stream), (c, stream), stream)
ONE(putchar, fputc, (int c), (c), stdout)

#define SEEKS(name, type)                                              \
    PDUMP_IO_REAL(name)                                                \
    WRAP(int, name, (FILE *stream, type offset, int whence),           \
         pdump_io_stream_begin(&io, &on_fseek, stream),                                \
         REAL(name)(stream, offset, whence),                           \
         pdump_io_sought(&io, pdump_io_stream_fd(stream),                           \
                         result != 0          ? -1                     \
                         : whence == SEEK_SET ? (int64_t)offset        \
                                              : pdump_io_stream_position(stream)))

SEEKS(fseek, long)
SEEKS(fseeko, off_t)
SEEKS(fseeko64, off64_t)
/* clang-format on */

PDUMP_IO_REAL(rewind)
PDUMP_API void rewind(FILE *stream)
{
    struct pdump_io io;

    io.caller = __builtin_return_address(0);
    pdump_io_stream_begin(&io, &on_fseek, stream);
    REAL(rewind)(stream);
    if (pdump_io_end(&io)) {
        pdump_io_sought(&io, pdump_io_stream_fd(stream), 0);
        errno = io.error;
    }
}

/* pclose() closes a descriptor: it must be forgotten, but is not counted. */
PDUMP_IO_REAL(pclose)
PDUMP_API int pclose(FILE *stream)
{
    stream_forget(stream);
    return REAL(pclose)(stream);
}
