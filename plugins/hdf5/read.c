/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an HDF5 file as a whole. */
#include "read.h"
#include "base/regular_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool pdump_h5_knows(const char *head, size_t len)
{
    const size_t n = sizeof(PDUMP_H5_SIGNATURE) - 1;

    return len >= n && memcmp(head, PDUMP_H5_SIGNATURE, n) == 0;
}

static int check_version(const struct pdump_h5 *h)
{
    int64_t version;
    int err = pdump_h5_get_attribute(h, PDUMP_H5_FORMAT, &version);

    if (err == PDUMP_ENOENT)
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: an HDF5 file, but not a dump of libpdump",
                          h->path);
    if (err == PDUMP_OK && version != PDUMP_H5_VERSION)
        err = pdump_fail(PDUMP_EFORMAT,
                         "%s: layout %lld; this release reads layout %d",
                         h->path, (long long)version, PDUMP_H5_VERSION);
    return err;
}

int pdump_h5_read(const char *path, struct pdump_builder *b)
{
    struct pdump_h5_counts counts = { 0 };
    int fd = pdump_regular_file_open(path), err;
    struct pdump_h5 h;

    if (fd < 0)
        return fd;
    pdump_h5_enter();
    err = pdump_h5_open(&h, fd, path);
    if (err == PDUMP_OK)
        err = check_version(&h);
    if (err == PDUMP_OK)
        err = pdump_h5_get_tables(&h, b, &counts);
    if (err == PDUMP_OK)
        err = pdump_h5_get_series(&h, b, &counts);
    free(counts.links);
    err = pdump_h5_close(&h, err);
    pdump_h5_leave();
    close(fd);
    return err;
}
