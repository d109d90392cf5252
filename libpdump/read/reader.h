/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam for files in: a reader converts a file to a dump.
 *
 * This is the central header of read/, which reads files.
 */
#ifndef PDUMP_READER_H
#define PDUMP_READER_H

#include "dump/builder.h"

#include <stdbool.h>
#include <stddef.h>

struct pdump_reader {
    const char *name;
    /* Returns true if the first `len` bytes of a file look like this format. */
    bool (*knows)(const char *head, size_t len);
    /* Adds everything in `path` to the builder.  The message of PDUMP_EFORMAT
     * names the file, the line and the error. */
    int (*read)(const char *path, struct pdump_builder *b);
    /* Returns true if a process still records into `path`, so that it will be
     * different when it is read again.  NULL: never. */
    bool (*is_live)(const char *path);
};

/* Reads `path` with the reader that knows its format. */
PDUMP_SHARED int pdump_reader_load(const char *path, struct pdump_dump **out);

/* Returns true if the file begins as one that can be read.  Does not load the
 * module for it. */
PDUMP_SHARED bool pdump_reader_knows(const char *path);

/* Returns true if `path` will be different when it is read again. */
bool pdump_reader_is_live(const char *path);

extern const struct pdump_reader pdump_reader_csv;   /* reader_csv.c */
extern const struct pdump_reader pdump_reader_store; /* reader_store.c */

#endif
