/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder per test, and dumps that are written there and read back. */
#ifndef PDUMP_TESTS_FOLDER_KIT_H
#define PDUMP_TESTS_FOLDER_KIT_H

#include "new_file_kit.h"

#include "read/reader.h"
#include "write/sink.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "check_XXXXXX";

static inline void enter_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static inline void leave_folder(void)
{
    DIR *dir = opendir(".");
    const struct dirent *entry;

    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlink(entry->d_name);
    closedir(dir);
    ck_assert_int_eq(chdir(".."), 0);
    rmdir(folder);
}

/* All parts of a format, each as `name` and its suffix. */
static inline void folder_write(const struct pdump_dump *dump,
                                const char *format, const char *name)
{
    const struct pdump_sink *sink;
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    ck_assert_int_eq(pdump_sink_find(format, &sink), PDUMP_OK);
    for (const struct pdump_sink_part *p = sink->parts; p->suffix; p++) {
        char path[64];

        snprintf(path, sizeof(path), "%s%s", name, p->suffix);
        if (!p->is_wanted || p->is_wanted(in))
            ck_assert_int_eq(new_file_write(p, in, path), PDUMP_OK);
    }
    pdump_stream_free(in);
}

static inline struct pdump_dump *folder_load(const char *path)
{
    struct pdump_dump *dump = NULL;

    ck_assert_msg(pdump_load(path, &dump) == PDUMP_OK, "%s",
                  pdump_last_error());
    return dump;
}

#endif
