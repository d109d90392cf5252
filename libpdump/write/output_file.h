/* SPDX-License-Identifier: BSD-3-Clause */
/* Where output goes, and how it gets there without hurting anybody's files. */
#ifndef PDUMP_OUTPUT_FILE_H
#define PDUMP_OUTPUT_FILE_H

#include "config/settings.h"
#include "write/sink.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

enum { PDUMP_WRITTEN_MAX = 32 };

/* The files this session has written, which it may replace: the newest of each
 * format and suffix.  The time tells a file from a later one with the same
 * inode. */
struct pdump_written {
    struct {
        const struct pdump_sink *sink;
        const char *suffix;
        dev_t device;
        ino_t inode;
        struct timespec modified;
        bool is_astray; /* in the temporary folder */
    } file[PDUMP_WRITTEN_MAX];
    int n;
    /* Called when all files are written, before they are renamed to their final
     * names; or NULL. */
    void (*before_names)(void);
};

/* The folders above it, as far as they can be made. */
int pdump_output_file_make_parents(const char *path);

/* rm -r */
void pdump_output_file_remove_folder(const char *path);

/* mkdir -p */
int pdump_output_file_make_dir(const char *dir);

/* One process at a time gives names in a folder, so that the parts of a run
 * stay together.  Who cannot have the lock in time goes on without: no name is
 * ever taken from anybody.  For pdump_output_file_unlock(), whatever it is. */
int pdump_output_file_lock(const char *dir);
void pdump_output_file_unlock(int fd);

/*
 * Write a dump with a sink: each part to a temporary name in PDUMP_DUMP_DIR
 * (created if missing), flushed to the disk, then renamed.  Files of earlier
 * runs are renamed away ("perf_dump.old-1.csv") unless PDUMP_OVERWRITE=1; what
 * is no regular file stays, and another name is taken.  If the folder cannot
 * be used, the temporary folder is.  Whatever differs from the wish is told by
 * a warning.  `where` gets the path of the main file.
 */
PDUMP_SHARED int pdump_output_file_write(const struct pdump_settings *set,
                                         const struct pdump_sink *sink,
                                         struct pdump_stream *in,
                                         struct pdump_written *written,
                                         char *where, size_t len);

#endif
