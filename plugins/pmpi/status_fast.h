/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a status: the bytes of the message, and whether it was cancelled.
 *
 * PMPI_Get_elements_x() and PMPI_Test_cancelled() take a third of the time that
 * a receive costs with libpdump, and only return what the status contains.
 * This is the only file that knows where Open MPI and MPICH keep it.  For other
 * MPIs the functions are called.
 */
#ifndef PDUMP_PMPI_STATUS_FAST_H
#define PDUMP_PMPI_STATUS_FAST_H

#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>

#if defined OPEN_MPI

static inline int64_t pdump_status_bytes(const MPI_Status *status)
{
    return (int64_t)status->_ucount;
}

static inline bool pdump_status_is_cancelled(const MPI_Status *status)
{
    return status->_cancelled;
}

#elif defined MPICH_NUMVERSION

/* The lowest bit of the upper half is not part of the number. */
static inline int64_t pdump_status_bytes(const MPI_Status *status)
{
    return (int64_t)((uint64_t)(uint32_t)status->count_lo |
                     (uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1)
                         << 32);
}

static inline bool pdump_status_is_cancelled(const MPI_Status *status)
{
    return status->count_hi_and_cancelled & 1;
}

#else

static inline int64_t pdump_status_bytes(const MPI_Status *status)
{
    MPI_Count n = 0;

    if (PMPI_Get_elements_x(status, MPI_BYTE, &n) != MPI_SUCCESS || n < 0)
        return 0;
    return n;
}

static inline bool pdump_status_is_cancelled(const MPI_Status *status)
{
    int is_cancelled = 0;

    PMPI_Test_cancelled(status, &is_cancelled);
    return is_cancelled;
}

#endif

#endif
