/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that fill one HDF5 file together, through the sink of the module for
 * their MPI: `fill FILE RANKS REGIONS SAMPLES [CASE]`.  RANKS ranks have rows,
 * further ones have none.  Prints "filled", or why not, on rank 0.
 *
 * Cases: irregular (samples differ), events (more than a block of them),
 * unreachable (the last rank cannot find the file), another (it finds another
 * file of that name).
 */
#include "dump_kit.h"
#include "new_file_kit.h"
#include "read/reader.h"
#include "write/sink.h"

#include <mpi.h>

static int rank, size;

static int get_rank(void)
{
    return rank;
}

static int get_size(void)
{
    return size;
}

static int agree(int err)
{
    int least;

    MPI_Allreduce(&err, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

static const void *native(void)
{
    static MPI_Comm world;

    world = MPI_COMM_WORLD;
    return &world;
}

static const struct pdump_comm comm = {
    .name = "test",
    .rank = get_rank,
    .size = get_size,
    .agree = agree,
    .native = native,
};

/* Everything is there, for all who read it. */
static int compare(const struct pdump_dump *dump, struct pdump_stream *in,
                   const struct pdump_sink *sink, const char *path)
{
    struct pdump_dump *back;
    int err = new_file_verify(sink, in, path);

    if (err == PDUMP_OK)
        err = pdump_reader_load(path, &back);
    if (err < 0)
        return err;
    if (!kit_same(dump, back))
        err = pdump_fail(PDUMP_EIO, "differs: %s", kit_difference);
    pdump_dump_free(back);
    return err;
}

static int fill(struct pdump_stream *in, const struct pdump_sink *sink,
                const char *path, const char *name)
{
    struct pdump_stream shape = *in;
    struct pdump_new_file file;
    const struct pdump_dump *mine = NULL;
    int piece = rank < in->n_pieces ? rank : -1, err = PDUMP_OK;

    shape.is_hollow = true;
    if (rank == 0)
        err = new_file_write(&sink->parts[0], &shape, path);
    if (agree(err) < 0)
        return err < 0 ? err : PDUMP_EPEER;
    if (piece >= 0)
        err = in->piece(in, piece, &mine);
    if (agree(err) < 0)
        return PDUMP_ENOMEM;
    file = new_file_open(path, O_RDONLY);
    close(file.fd);
    if (rank == size - 1 && strcmp(name, "unreachable") == 0)
        file.path = "/nowhere/x.h5";
    if (rank == size - 1 && strcmp(name, "another") == 0)
        file.inode++;
    return sink->fill(mine, &shape, piece, &file, &comm);
}

static int run(char **argv, const char *name)
{
    struct kit_options how = { .n_ranks = atoi(argv[2]),
                               .n_regions = atoi(argv[3]),
                               .n_samples = atoi(argv[4]),
                               .is_irregular = strcmp(name, "irregular") == 0,
                               .has_stats = true,
                               .n_events = strcmp(name, "events") ? 0 : 90000 };
    struct pdump_dump *dump = kit_dump(how);
    const struct pdump_sink *sink;
    struct pdump_stream *in;
    int err = pdump_sink_find_filling("hdf5", &sink);

    if (agree(err) < 0)
        return err;
    err = pdump_stream_of(dump, &in);
    if (err < 0)
        return err;
    in->n_ranks = how.n_ranks;
    err = fill(in, sink, argv[1], name);
    if (rank == 0 && err == PDUMP_OK)
        err = compare(dump, in, sink, argv[1]);
    pdump_stream_free(in);
    pdump_dump_free(dump);
    return err;
}

int main(int argc, char **argv)
{
    int err;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    err = argc < 5 ? PDUMP_EINVAL : run(argv, argc > 5 ? argv[5] : "");
    if (err < 0)
        printf("rank %d: %s\n", rank, pdump_last_error());
    else if (rank == 0)
        printf("filled\n");
    err = agree(err);
    MPI_Finalize();
    return err < 0;
}
