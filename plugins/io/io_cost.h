/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a recorded I/O call. */
#ifndef PDUMP_IO_IO_COST_H
#define PDUMP_IO_IO_COST_H

#include "io_record.h"

extern _Atomic bool pdump_io_cost_is_known;

/* Called before a call on a descriptor, until the cost is known: measures it
 * by calls that change nothing, once the session has begun. */
void pdump_io_cost_measure(const struct pdump_io *io, int fd);

#endif
