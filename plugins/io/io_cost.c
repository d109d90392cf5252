/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a recorded I/O call. */
#include "io_cost.h"
#include "next_symbol.h"

#include "probe/visit_cost.h"

#include <errno.h>
#include <unistd.h>

PDUMP_IO_REAL(lseek64)

_Atomic bool pdump_io_cost_is_known;

/* The cost is measured on a descriptor that the program uses. */
static int measured_fd;
static const void *measured_caller;

/* As a wrapper does it; see wrap.h. */
static __attribute__((noinline)) off64_t call_visit(int fd, off64_t offset,
                                                    int from)
{
    static struct pdump_io_function seek = {
        .callee = { .name = "lseek", .group = PDUMP_GROUP_IO },
        .bit = ~0u,
    };
    struct pdump_io io;
    off64_t at;

    io.caller = measured_caller;
    pdump_io_begin(&io, &seek, fd);
    at = REAL(lseek64)(fd, offset, from);
    if (pdump_io_end(&io)) {
        pdump_io_done(&io, at >= 0, 0); /* keeps the known position */
        errno = io.error;
    }
    return at;
}

static void calls_visit(int n)
{
    for (int i = 0; i < n; i++)
        call_visit(measured_fd, 0, SEEK_CUR);
}

static void calls_bare(int n)
{
    for (int i = 0; i < n; i++)
        REAL(lseek64)(measured_fd, 0, SEEK_CUR);
}

void pdump_io_cost_measure(const struct pdump_io *io, int fd)
{
    static atomic_bool is_busy;

    if (atomic_exchange(&is_busy, true))
        return;
    measured_fd = fd;
    measured_caller = io->caller;
    pdump_io_cost_is_known = true; /* otherwise these calls would come here */
    pdump_io_cost_is_known =
        pdump_visit_cost_measure(PDUMP_VISIT_IO_CALL, calls_visit, calls_bare);
    is_busy = false;
}
