/* SPDX-License-Identifier: BSD-3-Clause */
/* The HDF5 file as a whole: written, then compared with what it should have. */
#include "write.h"

#include <stdlib.h>

static int put_all(const struct pdump_h5 *h, struct pdump_stream *in)
{
    int err = pdump_h5_put_tables(h, in);

    return err < 0 ? err : pdump_h5_put_series(h, in);
}

int pdump_h5_write(struct pdump_stream *in, const char *path)
{
    struct pdump_h5 h;
    int err;

    free(in->sums); /* of what was written before */
    in->sums = NULL;
    pdump_h5_enter();
    err = pdump_h5_create(&h, path);
    if (err == PDUMP_OK)
        err = put_all(&h, in);
    err = pdump_h5_close(&h, err);
    pdump_h5_leave();
    return err;
}

/*
 * The same walk over the stream, with the file opened anew: every attribute,
 * every size and every value is read and compared, bit by bit; rows and samples
 * by the sums of what was stored for them, if the stream was written before:
 * other ranks would have to send them again.
 */
int pdump_h5_verify(struct pdump_stream *in, const char *path)
{
    struct pdump_h5 h;
    int err;

    pdump_h5_enter();
    err = pdump_h5_open(&h, path);
    if (err == PDUMP_EFORMAT)
        err = PDUMP_EIO; /* it was written a moment ago */
    if (err == PDUMP_OK)
        err = put_all(&h, in);
    err = pdump_h5_close(&h, err);
    pdump_h5_leave();
    return err;
}
