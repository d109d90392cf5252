/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is being written, and how output_rename.c gives it its name. */
#ifndef PDUMP_OUTPUT_FILE_PRIVATE_H
#define PDUMP_OUTPUT_FILE_PRIVATE_H

#include "write/output_file.h"

#include <limits.h>
#include <stdbool.h>

enum { PDUMP_PARTS_MAX = 8, PDUMP_NAMES_MAX = 10000 };

/* A format on its way to the disk. */
struct pdump_output_file {
    const struct pdump_sink *sink;
    struct pdump_stream *in;
    struct pdump_written *written;
    const char *dir;
    bool may_replace;
    bool is_astray; /* not where it was wished */
    char base[NAME_MAX];
    char note[PATH_MAX]; /* why it is not the wished one, or "" */
    char temp[PDUMP_PARTS_MAX][PATH_MAX]; /* "" for a part that is not wanted */
    bool is_placed[PDUMP_PARTS_MAX];
    int n_parts;
};

/* Rename the parts that are written to what they are to be called: `where` gets
 * the path of the first.  Files of others are renamed away, or evaded.
 * PDUMP_ESTATE if a name was taken meanwhile: call again. */
int pdump_output_rename(struct pdump_output_file *job, char *where, size_t len);

/* Remove what the job's sink had written in its folder `before`. */
void pdump_output_remove(const struct pdump_output_file *job,
                         const struct pdump_written *before);

#endif
