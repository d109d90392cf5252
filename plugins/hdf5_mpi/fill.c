/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All ranks write their rows into one existing file.
 *
 * MPI opens a name.  The file is in a folder that no other user can enter, and
 * each rank compares its inode before and after MPI has opened it.
 *
 * MPI and HDF5 both report success when the disk is full and data is lost.  So
 * each rank reopens the file and reads its own rows back, independently.  All
 * ranks make the same collective calls, whatever they have to write and
 * whatever has failed; between the steps they vote.
 */
#include "disk_space.h"
#include "job/comm.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fill {
    const struct pdump_dump *mine;
    const struct pdump_stream *shape;
    int piece;                  /* -1: this rank has none */
    struct pdump_new_file file; /* its descriptor, while it is used alone */
    const struct pdump_comm *comm;
};

/* Combines the errors of all ranks.  A rank that has not failed itself reports
 * that another one has. */
static int ranks_vote(const struct fill *f, int err)
{
    int all = f->comm->agree(err);

    if (all < 0 && err == PDUMP_OK)
        return pdump_fail(all, "%s: another rank could not write it",
                          f->file.path);
    return all;
}

static bool is_file(const struct fill *f, int bad, const struct stat *st)
{
    return bad == 0 && S_ISREG(st->st_mode) &&
           (int64_t)st->st_ino == f->file.inode;
}

static int file_differs(const struct fill *f)
{
    return pdump_fail(PDUMP_EIO, "%s: rank %d has another file of that name",
                      f->file.path, f->comm->rank());
}

/* Opens the file that rank 0 has made for a step of this rank alone.  Each step
 * opens it anew: only then has a network file system what others wrote. */
static int file_use(const struct fill *f, int (*step)(const struct fill *f))
{
    struct fill own = *f;
    struct stat st;
    int err;

    own.file.fd =
        open(f->file.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (own.file.fd < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s on rank %d", f->file.path,
                          strerror(errno), f->comm->rank());
    err =
        is_file(f, fstat(own.file.fd, &st), &st) ? step(&own) : file_differs(f);
    close(own.file.fd);
    return err;
}

/* Each rank first tries to open the file by itself: a collective open that
 * fails on some ranks may never return on the others. */
static int file_reach(const struct fill *f)
{
    return f->comm->rank() == 0 ? pdump_h5_space_take(&f->file, f->shape)
                                : PDUMP_OK;
}

static int space_return(const struct fill *f)
{
    return pdump_h5_space_return(&f->file);
}

/* Hints for collective buffering: one process per node writes for its
 * neighbours. */
static MPI_Info make_hints(void)
{
    MPI_Info info = MPI_INFO_NULL;

    if (PMPI_Info_create(&info) != MPI_SUCCESS)
        return MPI_INFO_NULL;
    PMPI_Info_set(info, "romio_cb_write", "enable");
    PMPI_Info_set(info, "cb_config_list", "*:1");
    return info;
}

static int open_together(const struct fill *f, struct pdump_h5 *h)
{
    MPI_Comm group = *(const MPI_Comm *)f->comm->native();
    MPI_Info hints = make_hints();
    hid_t list = pdump_h5_access();
    int err = PDUMP_OK;
    struct stat st;

    *h = (struct pdump_h5){ .file = -1,
                            .path = f->file.path,
                            .mode = PDUMP_H5_FILL,
                            .transfer = H5Pcreate(H5P_DATASET_XFER),
                            .driver = -1 };
    if (H5Pset_fapl_mpio(list, group, hints) < 0 ||
        H5Pset_all_coll_metadata_ops(list, true) < 0 ||
        H5Pset_coll_metadata_write(list, true) < 0 ||
        H5Pset_dxpl_mpio(h->transfer, H5FD_MPIO_COLLECTIVE) < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, "parallel access");
    /* This is collective: a rank that failed above has to make the call,
     * too. */
    h->file = H5Fopen(f->file.path, H5F_ACC_RDWR, list);
    if (h->file < 0 && err == PDUMP_OK)
        err = pdump_h5_fail(h, PDUMP_EIO, "cannot be opened by all ranks");
    if (err == PDUMP_OK && !is_file(f, lstat(f->file.path, &st), &st))
        err = file_differs(f);
    H5Pclose(list);
    if (hints != MPI_INFO_NULL)
        PMPI_Info_free(&hints);
    return err;
}

/* Writes or compares rows, samples or events, collectively or for this rank
 * alone. */
static int put_series(const struct fill *f, const struct pdump_h5 *h,
                      enum pdump_h5_what what)
{
    const int64_t *ptr = pdump_h5_series_ptr(f->shape, what);
    bool is_together = h->mode == PDUMP_H5_FILL;
    struct pdump_h5_series *s = NULL;
    int err;

    if (ptr[f->shape->n_pieces] == 0)
        return PDUMP_OK;
    err = pdump_h5_series_open(h, f->shape, what, &s);
    if (is_together)
        err = ranks_vote(f, err);
    if (err == PDUMP_OK)
        err = pdump_h5_series_piece(s, f->piece, f->mine);
    return pdump_h5_series_close(s, err);
}

static int put_all(const struct fill *f, const struct pdump_h5 *h)
{
    int err = PDUMP_OK;

    for (int what = PDUMP_H5_ALL_ROWS;
         err == PDUMP_OK && what <= PDUMP_H5_ALL_EVENTS; what++) {
        err = put_series(f, h, what);
        if (h->mode == PDUMP_H5_FILL)
            err = ranks_vote(f, err);
    }
    return err;
}

static int write_together(const struct fill *f)
{
    struct pdump_h5 h;
    int err = ranks_vote(f, file_use(f, file_reach));

    if (err < 0)
        return err;
    err = ranks_vote(f, open_together(f, &h));
    if (err == PDUMP_OK)
        err = put_all(f, &h);
    H5Pclose(h.transfer);
    /* All ranks close with the same error, so that either all of them flush or
     * none. */
    err = pdump_h5_close(&h, ranks_vote(f, err));
    if (f->comm->rank() == 0 && err == PDUMP_OK)
        err = file_use(f, space_return);
    return ranks_vote(f, err);
}

static int read_back(const struct fill *f)
{
    struct pdump_h5 h;
    int err;

    err = pdump_h5_open(&h, f->file.fd, f->file.path);
    if (err == PDUMP_EFORMAT)
        err = PDUMP_EIO; /* not a user's mistake: it was written a moment ago */
    if (err == PDUMP_OK)
        err = put_all(f, &h);
    return pdump_h5_close(&h, err);
}

int pdump_h5_fill(const struct pdump_dump *mine,
                  const struct pdump_stream *shape, int piece,
                  const struct pdump_new_file *file,
                  const struct pdump_comm *comm)
{
    const struct fill f = { mine, shape, piece, *file, comm };
    int err;

    pdump_h5_enter();
    err = write_together(&f);
    if (err == PDUMP_OK)
        err = ranks_vote(&f, piece < 0 ? PDUMP_OK : file_use(&f, read_back));
    pdump_h5_leave();
    return err;
}
