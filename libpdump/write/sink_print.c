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

static int read_back(const char *path, const struct pdump_checksum *sum)
{
    struct pdump_checksum found = { .len = 0 };
    char buffer[1 << 14];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC), err = PDUMP_OK;

    if (fd < 0)
        return failed(path, errno);
    while ((n = read(fd, buffer, sizeof(buffer))) > 0)
        pdump_checksum_add(&found, buffer, (size_t)n);
    if (n < 0)
        err = failed(path, errno);
    else if (pdump_checksum_value(&found) != pdump_checksum_value(sum))
        err = pdump_fail(PDUMP_EIO,
                         "%s: the file differs from what was written to it",
                         path);
    close(fd);
    return err;
}

int pdump_sink_print(const char *path, int (*put)(FILE *f, void *data),
                     void *data)
{
    struct printed to = {
        .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
    };
    int err;

    if (to.fd < 0)
        return failed(path, errno);
    err = print_with(&to, path, put, data);
    if (close(to.fd) != 0 && err == PDUMP_OK)
        err = failed(path, errno);
    return err == PDUMP_OK ? read_back(path, &to.sum) : err;
}
