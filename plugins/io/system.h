/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recognises files that belong to MPI, the loader, an interpreter or the kernel
 * and not to the program: by their path, or by the library that uses them.
 *
 * May be called from a signal handler: no malloc().
 */
#ifndef PDUMP_IO_SYSTEM_H
#define PDUMP_IO_SYSTEM_H

#include <stdbool.h>

/* Returns true if the path belongs to the system.  Libraries, settings and
 * source code that are opened for writing belong to the program. */
bool pdump_io_system_path(const char *path, bool is_written);

/* Decides by the base name of the library that makes the call.  A descriptor
 * without a path (socket, pipe, event) belongs to MPI if any part of MPI uses
 * it.  A file with a path may also be one that MPI reads or writes for the
 * program. */
bool pdump_io_system_library(const char *library, bool has_path);

/* Decides by a return address of the call. */
bool pdump_io_system_caller(const void *caller, bool has_path);

#endif
