/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a file for a sink, and checks that every byte is in it.
 *
 * A full disk makes some call fail.  A disk or network file system that lost
 * data without an error is detected by reading the file back.  A checksum of
 * the bytes is computed while they are written, so that takes no memory.
 */
#include "base/checksum.h"
#include "write/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18 };

struct printed {
    int fd;
    struct pdump_checksum sum;
};

static int failed(const char *path, int err)
{
    return pdump_fail(PDUMP_EIO, "%s: %s", path,
                      err ? strerror(err) : "write failed");
}

/* A write function for stdio: returns 0 on failure. */
static ssize_t put_bytes(void *cookie, const char *bytes, size_t len)
{
    struct printed *to = cookie;
    size_t done = 0;

    while (done < len) {
        ssize_t n = write(to->fd, bytes + done, len - done);

        if (n < 0 && errno != EINTR)
            return 0;
        done += n > 0 ? (size_t)n : 0;
    }
    pdump_checksum_add(&to->sum, bytes, len);
    return (ssize_t)len;
}

/* Writes numbers with a decimal point, whatever the program's locale. */
static int put_with_point(FILE *f, int (*put)(FILE *f, void *data), void *data)
{
    locale_t before = uselocale((locale_t)0);
    locale_t copy = duplocale(before);
    locale_t ours = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : (locale_t)0;
    int err;

    if (ours)
        uselocale(ours);
    err = put(f, data);
    uselocale(before);
    if (ours || copy)
        freelocale(ours ? ours : copy);
    return err;
}

static int print_with(struct printed *to, const char *path,
                      int (*put)(FILE *f, void *data), void *data)
{
    const cookie_io_functions_t functions = { .write = put_bytes };
    FILE *f = fopencookie(to, "w", functions);
    char *buffer = malloc(BUFFER_SIZE);
    int err;

    if (f && buffer) {
        setvbuf(f, buffer, _IOFBF, BUFFER_SIZE);
        errno = 0;
        err = put_with_point(f, put, data);
        if ((fflush(f) != 0 || ferror(f)) && err == PDUMP_OK)
            err = failed(path, errno);
    } else {
        err = pdump_no_memory();
    }
    if (f)
        fclose(f);
    free(buffer);
    return err;
}

static int read_back(const struct pdump_new_file *file,
                     const struct pdump_checksum *sum)
{
    struct pdump_checksum found = { .len = 0 };
    char buffer[1 << 14];
    off_t at = 0;
    ssize_t n;

    while ((n = pread(file->fd, buffer, sizeof(buffer), at)) > 0) {
        pdump_checksum_add(&found, buffer, (size_t)n);
        at += n;
    }
    if (n < 0)
        return failed(file->path, errno);
    if (pdump_checksum_value(&found) != pdump_checksum_value(sum))
        return pdump_fail(PDUMP_EIO,
                          "%s: the file differs from what was written to it",
                          file->path);
    return PDUMP_OK;
}

int pdump_sink_print(const struct pdump_new_file *file,
                     int (*put)(FILE *f, void *data), void *data)
{
    struct printed to = { .fd = file->fd };
    int err = print_with(&to, file->path, put, data);

    return err == PDUMP_OK ? read_back(file, &to.sum) : err;
}
