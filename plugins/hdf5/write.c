/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an HDF5 file as a whole, and verifies it. */
#include "write.h"

#include <stdlib.h>

static int put_all(const struct pdump_h5 *h, struct pdump_stream *in)
{
    int err = pdump_h5_put_tables(h, in);

    return err < 0 ? err : pdump_h5_put_series(h, in);
}

/* Goes through the file, unless `err` says that it could not be opened, and
 * leaves HDF5. */
static int put_and_leave(struct pdump_h5 *h, struct pdump_stream *in, int err,
                         pdump_h5_put_file *put)
{
    if (err == PDUMP_OK)
        err = put(h, in);
    err = pdump_h5_close(h, err);
    pdump_h5_leave();
    return err;
}

int pdump_h5_write_by(struct pdump_stream *in,
                      const struct pdump_new_file *file, pdump_h5_put_file *put)
{
    struct pdump_h5 h;
    int err;

    pdump_h5_enter();
    err = pdump_h5_create(&h, file);
    return put_and_leave(&h, in, err, put);
}

int pdump_h5_write(struct pdump_stream *in, const struct pdump_new_file *file)
{
    free(in->sums); /* sums of an earlier write */
    in->sums = NULL;
    return pdump_h5_write_by(in, file, put_all);
}

int pdump_h5_verify_by(struct pdump_stream *in,
                       const struct pdump_new_file *file,
                       pdump_h5_put_file *put)
{
    struct pdump_h5 h;
    int err;

    pdump_h5_enter();
    err = pdump_h5_open(&h, file->fd, file->path);
    if (err == PDUMP_EFORMAT)
        err = PDUMP_EIO; /* not a user's mistake: it was written a moment ago */
    return put_and_leave(&h, in, err, put);
}

/*
 * Goes through the stream again with the file reopened, and compares every
 * attribute, every size and every value bit by bit.  If the stream was written
 * before, rows and samples are compared by checksum instead, because otherwise
 * the other ranks would have to send them again.
 */
int pdump_h5_verify(struct pdump_stream *in, const struct pdump_new_file *file)
{
    return pdump_h5_verify_by(in, file, put_all);
}
