/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens files that are to be read, if they are files: a pipe would be waited
 * for, and opening a device may already do something. */
#ifndef PDUMP_REGULAR_FILE_H
#define PDUMP_REGULAR_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Opens a file for reading, without waiting.  Returns its descriptor, or
 * PDUMP_EIO with the reason. */
PDUMP_SHARED int pdump_regular_file_open(const char *path);

/* The same as a stream; NULL with a message. */
FILE *pdump_regular_file_stream(const char *path);

#endif
