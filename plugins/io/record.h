/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of a call: a visit of its region and a row of the table "io".
 *
 * A wrapper begins with one of the pdump_io_begin functions, makes the real
 * call, asks pdump_io_end(), and if that is true says what happened with one of
 * those below it.  All leave errno as the real call did, or as it was before.
 */
#ifndef PDUMP_IO_RECORD_H
#define PDUMP_IO_RECORD_H

#include "file_table.h"
#include "probe/detail.h"

#include <sys/types.h>

/* A function that is stood in front of.  Static. */
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

/* A call on a descriptor; on a file that is yet to be opened, by this path
 * below that folder; on nothing or on several files, by a number of
 * file_table.h. */
void pdump_io_begin(struct pdump_io *io, struct pdump_io_function *function,
                    int fd);
void pdump_io_begin_path(struct pdump_io *io,
                         struct pdump_io_function *function, int folder,
                         const char *path);
void pdump_io_begin_file(struct pdump_io *io,
                         struct pdump_io_function *function, uint32_t file);

/* False: there is nothing to say.  Else errno is to be set to io->error at
 * last. */
bool pdump_io_end(struct pdump_io *io);

/* So many bytes went, from the descriptor's position on; -1: an error. */
void pdump_io_moved(struct pdump_io *io, int fd, int64_t bytes);
/* The same from an offset on, which leaves the position alone; unless it is
 * negative. */
void pdump_io_moved_at(struct pdump_io *io, int fd, int64_t offset,
                       int64_t bytes);
/* Bytes that went from a second descriptor of the call. */
void pdump_io_drawn(int fd, int64_t bytes);
/* The position is this now; -1: an error. */
void pdump_io_sought(struct pdump_io *io, int fd, int64_t position);
/* This descriptor was opened by that path; -1: an error. */
void pdump_io_opened(struct pdump_io *io, const char *path, int fd);
/* A descriptor became another one, too; -1: an error. */
void pdump_io_copied(struct pdump_io *io, int from, int to);
/* It was done, with so many bytes of a mapping or a change of size. */
void pdump_io_done(struct pdump_io *io, bool is_good, int64_t bytes);

/* Before a close, which makes room for others: its descriptors are forgotten,
 * unless a child of vfork() closes its own. */
void pdump_io_forget(unsigned first, unsigned last);

#endif
