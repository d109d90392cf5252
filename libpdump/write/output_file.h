/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes output files without damaging the files of others. */
#ifndef PDUMP_OUTPUT_FILE_H
#define PDUMP_OUTPUT_FILE_H

#include "config/settings.h"
#include "write/sink.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

enum { PDUMP_WRITTEN_MAX = 32 };

/* The files that this session has written and may replace: the newest of each
 * format and suffix.  The modification time distinguishes a file from a later
 * one with the same inode. */
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
    bool is_own_folder; /* the folder is that of a run: it is no link */
    /* Called when all files are written, before they are renamed to their final
     * names; or NULL. */
    void (*before_names)(void);
};

/* Locks a folder, given by a descriptor, so that only one process at a time
 * renames files in it and the parts of a run stay together.  If the lock cannot
 * be taken in time, carry on without it: renames never overwrite another
 * process's file.  Pass the result to pdump_output_file_unlock(), even if it is
 * negative. */
int pdump_output_file_lock(int folder);
void pdump_output_file_unlock(int fd);

/*
 * Writes a dump with a sink.  Each part is written in a private folder
 * (system/private_folder.h) in PDUMP_DUMP_DIR (created if missing), flushed to
 * the disk, then renamed.
 * Files of earlier runs are renamed ("perf_dump.old-1.csv") unless
 * PDUMP_OVERWRITE=1.  If anything but a regular file has the name, it stays and
 * another name is taken.  If the folder cannot be used, the temporary folder
 * is.  A warning reports every difference from the settings.  `where` gets the
 * path of the main file, which has PDUMP_ENDING if the sink is the first format
 * of the settings.
 */
PDUMP_SHARED int pdump_output_file_write(const struct pdump_settings *set,
                                         const struct pdump_sink *sink,
                                         struct pdump_stream *in,
                                         struct pdump_written *written,
                                         char *where, size_t len);

#endif
