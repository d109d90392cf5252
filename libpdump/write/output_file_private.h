/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a file that is being written, shared with output_rename.c. */
#ifndef PDUMP_OUTPUT_FILE_PRIVATE_H
#define PDUMP_OUTPUT_FILE_PRIVATE_H

#include "system/private_folder.h"
#include "write/output_file.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

enum { PDUMP_PARTS_MAX = 8, PDUMP_NAMES_MAX = 10000 };

/* The files of one format while they are written. */
struct pdump_output_file {
    const struct pdump_sink *sink;
    struct pdump_stream *in;
    struct pdump_written *written;
    const char *dir;
    int place; /* descriptor of `dir`, or -1 */
    bool may_replace;
    bool is_astray; /* in the temporary folder */
    char base[NAME_MAX];
    char ending[NAME_MAX]; /* of the first part; "": that of the format */
    char note[PATH_MAX];   /* why it has another name, or "" */
    struct pdump_private_folder new;
    bool is_written[PDUMP_PARTS_MAX]; /* false for a part that is not wanted */
    bool is_placed[PDUMP_PARTS_MAX];
    int n_parts;
    off_t begin; /* of what this session writes, in a file of several */
};

/* Returns true if the job's sink and session have written the file. */
bool pdump_output_is_ours(const struct pdump_output_file *job,
                          const struct stat *st);

/* For sinks that append (output_append.c).  The first puts the output of
 * earlier sessions of this process in front of the new file; the second is
 * called when the file has its name. */
int pdump_output_append(struct pdump_output_file *job);
void pdump_output_appended(const struct pdump_output_file *job,
                           const char *path);

/* Returns what follows the base in the name of a part. */
const char *pdump_output_suffix(const struct pdump_output_file *job, int part);

/* Writes the name of a part in the private folder: "new.csv". */
void pdump_output_new_name(const struct pdump_output_file *job, int part,
                           char out[NAME_MAX + 1]);

/* Renames the written parts to their final names; `where` gets the path of the
 * first.  Files of others are renamed, or another name is taken.  PDUMP_ESTATE
 * if a name was taken meanwhile: call again. */
int pdump_output_rename(struct pdump_output_file *job, char *where, size_t len);

/* Removes the files of the job's sink in its folder that are listed in
 * `before`. */
void pdump_output_remove(const struct pdump_output_file *job,
                         const struct pdump_written *before);

#endif
