/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are not the program's, but of MPI, of the loader, of an
 * interpreter or of the kernel: by their path, or by the library that uses
 * them.
 *
 * May be called from a signal handler: no malloc().
 */
#ifndef PDUMP_IO_SYSTEM_H
#define PDUMP_IO_SYSTEM_H

#include <stdbool.h>

/* By its path.  Libraries, settings and source code are the program's own where
 * it writes them. */
bool pdump_io_system_path(const char *path, bool is_written);

/* By the base name of the library that makes the call.  What has no path
 * (sockets, pipes, events) is MPI's if any part of MPI uses it.  What has a
 * path may also be a file that MPI reads or writes for the program. */
bool pdump_io_system_library(const char *library, bool has_path);

/* The same by a return address of the call. */
bool pdump_io_system_caller(const void *caller, bool has_path);

#endif
