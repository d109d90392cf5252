/* SPDX-License-Identifier: BSD-3-Clause */
/* Sinks write to descriptors; tests name files. */
#ifndef PDUMP_TESTS_NEW_FILE_KIT_H
#define PDUMP_TESTS_NEW_FILE_KIT_H

#include "write/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static inline struct pdump_new_file new_file_open(const char *path, int flags)
{
    struct pdump_new_file file = { .fd = open(path, flags, 0666),
                                   .path = path };
    struct stat st;

    if (fstat(file.fd, &st) == 0)
        file.inode = (int64_t)st.st_ino;
    return file;
}

/* Calls part->write() with a file that is empty. */
static inline int new_file_write(const struct pdump_sink_part *part,
                                 struct pdump_stream *in, const char *path)
{
    struct pdump_new_file file =
        new_file_open(path, O_RDWR | O_CREAT | O_TRUNC);
    int err = part->write(in, &file);

    close(file.fd);
    return err;
}

/* Calls sink->verify() with an existing file. */
static inline int new_file_verify(const struct pdump_sink *sink,
                                  struct pdump_stream *in, const char *path)
{
    struct pdump_new_file file = new_file_open(path, O_RDONLY);
    int err = sink->verify(in, &file);

    close(file.fd);
    return err;
}

#endif
