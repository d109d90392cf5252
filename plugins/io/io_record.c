/* SPDX-License-Identifier: BSD-3-Clause */
/* Records a call as a visit of its region and a row of the table "io". */
#include "io_record.h"
#include "call_owner.h"
#include "descriptor_table.h"
#include "io_cost.h"
#include "next_symbol.h"
#include "probe/call_hot.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BINS = 32 };

enum {
    CALLS,
    TIME,
    TIME_MIN,
    TIME_MAX,
    TIME_SUMSQ,
    BYTES,
    SEQUENTIAL,
    ERRORS,
    SIZES,
};

static const struct pdump_detail_field fields[] = {
    PDUMP_DETAIL_CALL_FIELDS,
    { "bytes", "B", PDUMP_FIELD_SUM, 1, false },
    { "sequential", "1", PDUMP_FIELD_SUM, 1, false },
    { "errors", "1", PDUMP_FIELD_SUM, 1, false },
    { "sizes", "1", PDUMP_FIELD_SUM, BINS, false },
};

static void row_label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "%s", pdump_io_files_name((uint32_t)key));
}

static struct pdump_detail_table table = {
    .name = "io",
    .about = "calls that read, write, open and close files, per file",
    .key = "file",
    .fields = fields,
    .n_fields = sizeof(fields) / sizeof(fields[0]),
    .label = row_label,
};

PDUMP_IO_REAL(lseek64)

/* Bits: the descriptors 0 to 2 that have been closed or replaced. */
static _Atomic unsigned replaced;

static void descriptor_replace(unsigned fd)
{
    if (fd <= STDERR_FILENO)
        atomic_fetch_or(&replaced, 1u << fd);
}

/* Returns true if the file belongs to MPI or the system.  A negative descriptor
 * means that it could not be opened. */
static bool is_system(uint32_t file, int fd, const void *caller)
{
    bool has_path = file >= PDUMP_IO_FIRST;
    const char *path = pdump_io_files_name(file);
    int flags;

    if (!has_path)
        return (file == PDUMP_IO_PIPE || file == PDUMP_IO_SOCKET ||
                file == PDUMP_IO_ANONYMOUS) &&
               pdump_io_system_caller(caller, false);
    if (pdump_io_filter_lists(&pdump_io_filter, path))
        return false;
    flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    return pdump_io_system_path(path, flags >= 0 &&
                                          (flags & O_ACCMODE) != O_RDONLY) ||
           pdump_io_system_caller(caller, true);
}

/* Files of MPI and of the system share one number, unless the user wants a row
 * for each. */
static uint32_t file_fold(uint32_t file, int fd, const void *caller)
{
    if (pdump_io_filter.system == PDUMP_IO_ONE_BY_ONE ||
        !is_system(file, fd, caller))
        return file;
    return pdump_io_filter.system == PDUMP_IO_LEFT_OUT ? PDUMP_IO_HIDDEN
                                                       : PDUMP_IO_SYSTEM;
}

/* Returns PDUMP_IO_HIDDEN if the filter excludes the file. */
static uint32_t seen_as(uint32_t file, int fd, const void *caller)
{
    return pdump_io_filter_takes(&pdump_io_filter, file)
               ? file_fold(file, fd, caller)
               : PDUMP_IO_HIDDEN;
}

/* Looks up a descriptor that was opened without our seeing it. */
static uint32_t descriptor_look(int fd, const void *caller)
{
    bool is_first = fd >= 0 && fd <= STDERR_FILENO && !(replaced & 1u << fd);
    uint32_t file = pdump_io_files_look(fd, NULL);
    off64_t position = REAL(lseek64)(fd, 0, SEEK_CUR);
    bool is_open = file != PDUMP_IO_NONE;

    if (is_first && is_open)
        file = PDUMP_IO_STDIN + (uint32_t)fd;
    file = seen_as(file, fd, caller);
    if (is_open)
        pdump_io_table_set(fd, file, position < 0 ? 0 : position);
    return file;
}

static uint32_t file_of(int fd, const void *caller)
{
    const struct pdump_io_descriptor *d = pdump_io_table_at(fd);
    uint32_t file =
        d ? atomic_load_explicit(&d->file, memory_order_relaxed) : 0;

    return file ? file : descriptor_look(fd, caller);
}

/* Returns true if the call is to be recorded at all. */
static bool is_wanted(struct pdump_io *io,
                      const struct pdump_io_function *function)
{
    io->state = PDUMP_IO_UNTOUCHED;
    io->error = errno;
    io->file = PDUMP_IO_UNKNOWN;
    if (!pdump_io_process_is_ours())
        return false;
    io->state = PDUMP_IO_UNSEEN;
    return pdump_io_filter.classes & function->bit &&
           !pdump_io_process_is_own_call(io->caller) &&
           !pdump_io_process_is_early() && !pdump_io_process_is_dying();
}

static void call_begin(struct pdump_io *io, struct pdump_io_function *function,
                       uint32_t file)
{
    io->file = file;
    if (file != PDUMP_IO_HIDDEN &&
        pdump_call_begin(&io->call, &function->callee))
        io->state = PDUMP_IO_SEEN;
    pdump_io_process_is_known();
    errno = io->error;
}

void pdump_io_begin(struct pdump_io *io, struct pdump_io_function *function,
                    int fd)
{
    if (!is_wanted(io, function))
        return;
    if (__builtin_expect(!pdump_io_cost_is_known, 0))
        pdump_io_cost_measure(io, fd);
    call_begin(io, function, file_of(fd, io->caller));
}

/* Returns true if the patterns exclude the path.  Symbolic links, and paths
 * relative to other folders, are resolved once the file is open.  Not inlined:
 * signal handlers may have small stacks. */
static __attribute__((noinline)) bool is_left_out(int folder, const char *path)
{
    char whole[2 * PATH_MAX], here[PATH_MAX];

    if (path[0] != '/') {
        if (folder != AT_FDCWD || !getcwd(here, sizeof(here)))
            return false;
        snprintf(whole, sizeof(whole), "%s/%s", here, path);
        path = whole;
    }
    return !pdump_io_filter_takes_path(&pdump_io_filter, path);
}

void pdump_io_begin_path(struct pdump_io *io,
                         struct pdump_io_function *function, int folder,
                         const char *path)
{
    if (is_wanted(io, function))
        call_begin(io, function,
                   pdump_io_filter.patterns && path && is_left_out(folder, path)
                       ? PDUMP_IO_HIDDEN
                       : PDUMP_IO_UNKNOWN);
}

void pdump_io_begin_file(struct pdump_io *io,
                         struct pdump_io_function *function, uint32_t file)
{
    if (is_wanted(io, function))
        call_begin(io, function, seen_as(file, -1, io->caller));
}

bool pdump_io_end(struct pdump_io *io)
{
    if (io->state == PDUMP_IO_UNTOUCHED)
        return false;
    io->error = errno;
    if (io->state == PDUMP_IO_SEEN)
        pdump_call_end(&io->call);
    return true;
}

static int bin_of(int64_t bytes)
{
    int bin = bytes > 0 ? 64 - __builtin_clzll((uint64_t)bytes) : 0;

    return bin < BINS ? bin : BINS - 1;
}

static void add_square(int64_t *sum, int64_t time)
{
    double value;

    memcpy(&value, sum, sizeof(value));
    value += (double)time * (double)time;
    memcpy(sum, &value, sizeof(value));
}

enum { NOT_MOVED, ANYWHERE, SEQUENTIALLY };

/* Adds the call to the timeline, if its thread keeps events. */
static void event_add(const struct pdump_io *io, int64_t value)
{
    if (pdump_hot_call_is_traced(&io->call))
        pdump_timeline_io(io->call.start + io->call.time,
                          pdump_io_files_name(io->file), value);
}

/* Adds the call to its row; `bytes` is negative if it failed. */
static void row_add_figures(struct pdump_io *io, int64_t bytes, int how)
{
    int64_t time = io->call.time, *row;

    row = pdump_detail_row(&io->call, &table, io->file);
    if (!row)
        return;
    row[CALLS]++;
    row[TIME] += time;
    row[TIME_MIN] = time < row[TIME_MIN] ? time : row[TIME_MIN];
    row[TIME_MAX] = time > row[TIME_MAX] ? time : row[TIME_MAX];
    add_square(&row[TIME_SUMSQ], time);
    if (bytes < 0) {
        row[ERRORS]++;
    } else if (how != NOT_MOVED) {
        row[BYTES] += bytes;
        row[SEQUENTIAL] += how == SEQUENTIALLY;
        row[SIZES + bin_of(bytes)]++;
    } else {
        row[BYTES] += bytes;
    }
    pdump_detail_done(&io->call);
}

/* `value` is for the timeline. */
static void row_add_as(struct pdump_io *io, int64_t bytes, int how,
                       int64_t value)
{
    if (io->state != PDUMP_IO_SEEN || io->file == PDUMP_IO_HIDDEN)
        return;
    row_add_figures(io, bytes, how);
    event_add(io, value);
}

static void row_add(struct pdump_io *io, int64_t bytes, int how)
{
    row_add_as(io, bytes, how, bytes);
}

static int64_t atomic_get(const _Atomic int64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void atomic_put(_Atomic int64_t *to, int64_t value)
{
    atomic_store_explicit(to, value, memory_order_relaxed);
}

static void position_move(struct pdump_io *io, struct pdump_io_descriptor *d,
                          int64_t at, int64_t bytes)
{
    bool goes_on = d && at == atomic_get(&d->end);

    if (d && bytes > 0)
        atomic_put(&d->end, at + bytes);
    row_add(io, bytes, goes_on ? SEQUENTIALLY : ANYWHERE);
}

void pdump_io_moved(struct pdump_io *io, int fd, int64_t bytes)
{
    struct pdump_io_descriptor *d = pdump_io_table_at(fd);
    int64_t at = d ? atomic_get(&d->position) : 0;

    if (d && bytes > 0)
        atomic_put(&d->position, at + bytes);
    position_move(io, d, at, bytes);
}

void pdump_io_moved_at(struct pdump_io *io, int fd, int64_t offset,
                       int64_t bytes)
{
    if (offset < 0)
        pdump_io_moved(io, fd, bytes);
    else
        position_move(io, pdump_io_table_at(fd), offset, bytes);
}

void pdump_io_drawn(int fd, int64_t bytes)
{
    struct pdump_io_descriptor *d = pdump_io_table_at(fd);

    if (!d || bytes <= 0)
        return;
    atomic_put(&d->position, atomic_get(&d->position) + bytes);
    atomic_put(&d->end, atomic_get(&d->position));
}

void pdump_io_sought(struct pdump_io *io, int fd, int64_t position)
{
    struct pdump_io_descriptor *d = pdump_io_table_at(fd);

    if (d && position >= 0)
        atomic_put(&d->position, position);
    row_add_as(io, position < 0 ? -1 : 0, NOT_MOVED, position);
}

void pdump_io_opened(struct pdump_io *io, const char *path, int fd)
{
    if (io->error == EFAULT)
        path = NULL; /* the pointer is invalid */
    /* If this call is not recorded, the file is looked up when it is used. */
    if (io->state == PDUMP_IO_SEEN && fd >= 0)
        io->file = seen_as(pdump_io_files_look(fd, path), fd, io->caller);
    else if (io->state == PDUMP_IO_SEEN)
        io->file = path ? file_fold(pdump_io_files_add(path, strlen(path)), fd,
                                    io->caller)
                        : PDUMP_IO_NONE;
    if (fd >= 0) {
        descriptor_replace((unsigned)fd);
        pdump_io_table_set(fd, io->file, 0);
    }
    row_add(io, fd < 0 ? -1 : 0, NOT_MOVED);
}

void pdump_io_copied(struct pdump_io *io, int from, int to)
{
    if (to >= 0 && to != from) {
        file_of(from, io->caller);
        descriptor_replace((unsigned)to);
        pdump_io_table_copy(from, to);
    }
    row_add(io, to < 0 ? -1 : 0, NOT_MOVED);
}

void pdump_io_done(struct pdump_io *io, bool is_good, int64_t bytes)
{
    row_add(io, is_good ? bytes : -1, NOT_MOVED);
}

void pdump_io_forget(unsigned first, unsigned last)
{
    if (!pdump_io_process_is_ours())
        return;
    for (unsigned fd = first; fd <= STDERR_FILENO && fd <= last; fd++)
        descriptor_replace(fd);
    pdump_io_table_forget(first, last);
}
