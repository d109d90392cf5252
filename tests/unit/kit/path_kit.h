/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of paths share: a format of two parts, a folder per test. */
#ifndef PDUMP_TESTS_PATH_KIT_H
#define PDUMP_TESTS_PATH_KIT_H

#include "fake.h"

#include "write/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *content = "new"; /* of every part written */
static bool has_more = true;        /* is the second part wanted? */
static bool is_full;                /* the disk */

static inline bool wants_more(const struct pdump_stream *in)
{
    (void)in;
    return has_more;
}

static inline int write_part(struct pdump_stream *in,
                             const struct pdump_new_file *file)
{
    size_t len = strlen(content);

    (void)in;
    if (write(file->fd, content, len) != (ssize_t)len)
        return pdump_fail(PDUMP_EIO, "%s: %s", file->path, strerror(errno));
    return is_full ? pdump_fail(PDUMP_EIO, "%s: disk full", file->path)
                   : PDUMP_OK;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".txt", .write = write_part },
    { .suffix = ".more.txt", .is_wanted = wants_more, .write = write_part },
    { .suffix = NULL },
};
static const struct pdump_sink sink = { .name = "test", .parts = parts };

static struct pdump_settings set;
static struct pdump_written written;
static char where[PATH_MAX];

static inline int put(void)
{
    static struct pdump_dump dump;
    struct pdump_stream *in;
    int err;

    ck_assert_int_eq(pdump_stream_of(&dump, &in), PDUMP_OK);
    err = pdump_output_file_write(&set, &sink, in, &written, where,
                                  sizeof(where));
    pdump_stream_free(in);
    return err;
}

/* Write as a new process would. */
static inline int put_anew(const char *text)
{
    written.n = 0;
    content = text;
    return put();
}

static inline void make_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

/* What is in a file, or "(none)"; valid until the next call but three. */
static inline const char *text_of(const char *path)
{
    static char text[4][100];
    static int turn;
    char *out = text[turn++ % 4];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(out, 1, 99, f) : 0;

    out[n] = '\0';
    if (f)
        fclose(f);
    return f ? out : "(none)";
}

/* Entries of a folder, hidden ones included. */
static inline int n_files(const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;

    ck_assert_ptr_nonnull(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static inline int remove_entry(const char *path, const struct stat *st,
                               int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

/* Run the suite in a folder of its own, made in the current one. */
static inline int run_in_folder(Suite *suite)
{
    char folder[] = "path.XXXXXX", temp[PATH_MAX];
    int status;

    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("temp", 0777) != 0 ||
        !realpath("temp", temp))
        return EXIT_FAILURE;
    setenv("TMPDIR", temp, 1);
    set = (struct pdump_settings){ .dir = "out", .filename = "dump" };
    status = fake_run(suite);
    if (chdir("..") != 0 ||
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return EXIT_FAILURE;
    return status;
}

/* Before each test: nothing is there. */
static inline void clean(void)
{
    pdump_log_set_quiet(true);
    pdump_log_reset();
    nftw("out", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    nftw("temp", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    mkdir("temp", 0777);
}

#endif
