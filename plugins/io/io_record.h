/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library to preload for I/O: wrappers record every call as a visit of its
 * region and a row of the table "io".
 *
 * A wrapper calls one of the pdump_io_begin functions, makes the real call, and
 * calls pdump_io_end().  If that returns true, it reports the result with one
 * of the functions below.  All functions preserve errno.
 */
#ifndef PDUMP_IO_IO_RECORD_H
#define PDUMP_IO_IO_RECORD_H

#include "file_table.h"
#include "probe/call_detail.h"

#include <sys/types.h>

/* A wrapped function.  Static. */
struct pdump_io_function {
    struct pdump_callee callee;
    unsigned bit; /* PDUMP_IO_POSIX or PDUMP_IO_STDIO */
};

struct pdump_io {
    const void *caller; /* set by the wrapper */
    struct pdump_call call;
    uint32_t file;
    int error; /* errno of the real call */
    enum { PDUMP_IO_UNTOUCHED, PDUMP_IO_UNSEEN, PDUMP_IO_SEEN } state;
};

/* Begins a call: on a descriptor; on a file that will be opened, by its path
 * relative to `folder`; or on no file or several files, by a number of
 * file_table.h. */
void pdump_io_begin(struct pdump_io *io, struct pdump_io_function *function,
                    int fd);
void pdump_io_begin_path(struct pdump_io *io,
                         struct pdump_io_function *function, int folder,
                         const char *path);
void pdump_io_begin_file(struct pdump_io *io,
                         struct pdump_io_function *function, uint32_t file);

/* Ends the call.  Returns false if there is nothing to report.  Otherwise the
 * caller must set errno to io->error at its end. */
bool pdump_io_end(struct pdump_io *io);

/* Reports bytes read or written at the descriptor's position; -1: an error. */
void pdump_io_moved(struct pdump_io *io, int fd, int64_t bytes);
/* Reports bytes read or written at an offset, which does not change the
 * position.  A negative offset means pdump_io_moved(). */
void pdump_io_moved_at(struct pdump_io *io, int fd, int64_t offset,
                       int64_t bytes);
/* Reports bytes read from a second descriptor of the call. */
void pdump_io_drawn(int fd, int64_t bytes);
/* Reports a new position; -1: an error. */
void pdump_io_sought(struct pdump_io *io, int fd, int64_t position);
/* Reports that `path` was opened as descriptor fd; -1: an error. */
void pdump_io_opened(struct pdump_io *io, const char *path, int fd);
/* Reports that a descriptor was duplicated; `to` is -1 after an error. */
void pdump_io_copied(struct pdump_io *io, int from, int to);
/* Reports any other call; `bytes` is the size of a mapping or the change of
 * size. */
void pdump_io_done(struct pdump_io *io, bool is_good, int64_t bytes);

/* Called before a close, because another thread may get the same descriptors
 * right after it.  Forgets the descriptors, except in a child of vfork(). */
void pdump_io_forget(unsigned first, unsigned last);

#endif
