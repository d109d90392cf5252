/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives.  For every.c, which includes it once for each size of counts. */

/* One that blocks, does not, and can be repeated. */
#undef AT_ONCE
#undef COLLECTIVE
#define AT_ONCE(sent, got, name, small, ...)                   \
    do {                                                       \
        MPI_Request request_;                                  \
                                                               \
        CALL(sent, got, MPI_##name, __VA_ARGS__);              \
        CALL(sent, got, MPI_I##small, __VA_ARGS__, &request_); \
        finish(&request_, 0);                                  \
    } while (0)
#if HAS_MPI_4
#define COLLECTIVE(sent, got, name, small, ...)                             \
    do {                                                                    \
        MPI_Request again_;                                                 \
                                                                            \
        AT_ONCE(sent, got, name, small, __VA_ARGS__);                       \
        CALL(0, 0, MPI_##name##_init, __VA_ARGS__, MPI_INFO_NULL, &again_); \
        repeat(&again_, sent, got);                                         \
    } while (0)
#else
#define COLLECTIVE AT_ONCE
#endif

/* What stays on a rank is not sent: these are the bytes for the others.  To
 * rank i go i + 1 numbers, `own` bytes to this one, or as many come from rank
 * i. */
static void FORM(rooted)(int root)
{
    const COUNT counts[] = { 1, 2, 3 }, mine = rank + 1, two = 2, four = 4;
    const PLACE places[] = { 0, 1, 3 };
    const int is_root = rank == root, own = 4 * (rank + 1), n = size - 1;
    const int rest = 2 * size * (size + 1) - own;
    const void *out = is_root ? MPI_IN_PLACE : from;
    void *in = is_root ? MPI_IN_PLACE : to;

    COLLECTIVE(is_root ? 16 * n : 0, is_root ? 0 : 16, Bcast, bcast, to, four,
               MPI_INT, root, world);
    COLLECTIVE(is_root ? 0 : 8, is_root ? 8 * n : 0, Gather, gather, from, two,
               MPI_INT, to, two, MPI_INT, root, world);
    COLLECTIVE(is_root ? 0 : 8, is_root ? 8 * n : 0, Gather, gather, out, two,
               MPI_INT, to, two, MPI_INT, root, world);
    COLLECTIVE(is_root ? 0 : own, is_root ? rest : 0, Gatherv, gatherv, from,
               mine, MPI_INT, to, counts, places, MPI_INT, root, world);
    COLLECTIVE(is_root ? 0 : own, is_root ? rest : 0, Gatherv, gatherv, out,
               mine, MPI_INT, to, counts, places, MPI_INT, root, world);
    n_starts = 1; /* MPICH 4.0 cannot start MPI_Scatter again */
    COLLECTIVE(is_root ? 8 * n : 0, is_root ? 0 : 8, Scatter, scatter, from,
               two, MPI_INT, to, two, MPI_INT, root, world);
    COLLECTIVE(is_root ? 8 * n : 0, is_root ? 0 : 8, Scatter, scatter, from,
               two, MPI_INT, in, two, MPI_INT, root, world);
    n_starts = 2;
    COLLECTIVE(is_root ? rest : 0, is_root ? 0 : own, Scatterv, scatterv, from,
               counts, places, MPI_INT, to, mine, MPI_INT, root, world);
    COLLECTIVE(is_root ? rest : 0, is_root ? 0 : own, Scatterv, scatterv, from,
               counts, places, MPI_INT, in, mine, MPI_INT, root, world);
    COLLECTIVE(is_root ? 0 : 16, is_root ? 16 * n : 0, Reduce, reduce, from, to,
               four, MPI_INT, MPI_SUM, root, world);
    COLLECTIVE(is_root ? 0 : 16, is_root ? 16 * n : 0, Reduce, reduce, out, to,
               four, MPI_INT, MPI_SUM, root, world);
}

static void FORM(for_all)(void)
{
    const COUNT counts[] = { 1, 2, 3 }, mine = rank + 1, none = 0, two = 2;
    const COUNT equal[] = { mine, mine, mine };
    const PLACE places[] = { 0, 3, 6 }, bytes[] = { 0, 12, 24 };
    const int own = 4 * (rank + 1), n = size - 1, last = rank == n;
    const int rest = 2 * size * (size + 1) - own, many = size > 1;
    MPI_Datatype types[] = { MPI_INT, MPI_INT, MPI_FLOAT }, pair;
    MPI_Datatype of_mine[] = { types[rank], types[rank], types[rank] };

    COLLECTIVE(8 * n, 8 * n, Allgather, allgather, from, two, MPI_INT, to, two,
               MPI_INT, world);
    COLLECTIVE(0, 0, Allgather, allgather, from, none, MPI_INT, to, none,
               MPI_INT, world);
    COLLECTIVE(own * n, rest, Allgatherv, allgatherv, from, mine, MPI_INT, to,
               counts, places, MPI_INT, world);
    COLLECTIVE(8 * n, 8 * n, Alltoall, alltoall, from, two, MPI_INT, to, two,
               MPI_INT, world);
    COLLECTIVE(rest, own * n, Alltoallv, alltoallv, from, counts, places,
               MPI_INT, to, equal, places, MPI_INT, world);
    COLLECTIVE(rest, own * n, Alltoallw, alltoallw, from, counts, bytes, types,
               to, equal, bytes, of_mine, world);
    COLLECTIVE(8 * many, 8 * many, Allreduce, allreduce, from, to, two, MPI_INT,
               MPI_SUM, world);
    COLLECTIVE(0, 0, Allreduce, allreduce, from, to, none, MPI_INT, MPI_SUM,
               world);
    COLLECTIVE(last ? 0 : 8, rank ? 8 : 0, Scan, scan, from, to, two, MPI_INT,
               MPI_SUM, world);
    COLLECTIVE(last ? 0 : 8, rank ? 8 : 0, Exscan, exscan, from, to, two,
               MPI_INT, MPI_SUM, world);
    COLLECTIVE(rest, own * n, Reduce_scatter, reduce_scatter, from, to, counts,
               MPI_INT, MPI_SUM, world);
    COLLECTIVE(8 * n, 8 * n, Reduce_scatter_block, reduce_scatter_block, from,
               to, two, MPI_INT, MPI_SUM, world);
    /* 8 bytes, that lie apart. */
    PMPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    PMPI_Type_commit(&pair);
    if (size == 3) /* with less, MPICH 4.0 frees it too often */
        COLLECTIVE(16 * n, 16 * n, Allgather, allgather, from, two, pair, to,
                   two, pair, world);
    PMPI_Type_free(&pair);
}

/* MPI_IN_PLACE; what stands for the other side is not looked at. */
static void FORM(in_place)(void)
{
    const COUNT counts[] = { 1, 2, 3 }, equal[] = { 2, 2, 2 }, two = 2;
    const PLACE places[] = { 0, 3, 6 }, bytes[] = { 0, 12, 24 };
    const int own = 4 * (rank + 1), n = size - 1, last = rank == n;
    const int rest = 2 * size * (size + 1) - own, many = size > 1;
    MPI_Datatype types[3];

    for (int i = 0; i < 3; i++)
        types[i] = i + rank == 3 ? MPI_FLOAT : MPI_INT;
    COLLECTIVE(8 * n, 8 * n, Allgather, allgather, MPI_IN_PLACE, 0,
               MPI_DATATYPE_NULL, to, two, MPI_INT, world);
    COLLECTIVE(own * n, rest, Allgatherv, allgatherv, MPI_IN_PLACE, 0,
               MPI_DATATYPE_NULL, to, counts, places, MPI_INT, world);
    COLLECTIVE(8 * n, 8 * n, Alltoall, alltoall, MPI_IN_PLACE, 0,
               MPI_DATATYPE_NULL, to, two, MPI_INT, world);
    COLLECTIVE(8 * n, 8 * n, Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL,
               MPI_DATATYPE_NULL, to, equal, places, MPI_INT, world);
    COLLECTIVE(8 * n, 8 * n, Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL,
               NULL, to, equal, bytes, types, world);
    COLLECTIVE(8 * many, 8 * many, Allreduce, allreduce, MPI_IN_PLACE, to, two,
               MPI_INT, MPI_SUM, world);
    COLLECTIVE(last ? 0 : 8, rank ? 8 : 0, Scan, scan, MPI_IN_PLACE, to, two,
               MPI_INT, MPI_SUM, world);
    COLLECTIVE(last ? 0 : 8, rank ? 8 : 0, Exscan, exscan, MPI_IN_PLACE, to,
               two, MPI_INT, MPI_SUM, world);
    COLLECTIVE(rest, own * n, Reduce_scatter, reduce_scatter, MPI_IN_PLACE, to,
               counts, MPI_INT, MPI_SUM, world);
    COLLECTIVE(8 * n, 8 * n, Reduce_scatter_block, reduce_scatter_block,
               MPI_IN_PLACE, to, two, MPI_INT, MPI_SUM, world);
}

/* A datatype that has the address in itself. */
static void FORM(from_bottom)(void)
{
    const COUNT one = 1;
    int length = 5;
    MPI_Aint place;
    MPI_Datatype type = MPI_INT, whole;

    PMPI_Get_address(to, &place);
    PMPI_Type_create_struct(1, &length, &place, &type, &whole);
    PMPI_Type_commit(&whole);
    COLLECTIVE(rank ? 0 : 20 * (size - 1), rank ? 20 : 0, Bcast, bcast,
               MPI_BOTTOM, one, whole, 0, world);
    PMPI_Type_free(&whole);
}

/* Between groups of 2 and of 1; the root is the first of the two. */
static void FORM(between)(MPI_Comm both, int is_two)
{
    const COUNT counts[] = { 1, 2 }, two = 2, n = is_two ? 3 : 6;
    const COUNT mine = is_two ? rank + 1 : 1, parts[] = { n, n };
    const PLACE places[] = { 0, 3 }, bytes[] = { 0, 12 };
    MPI_Datatype types[] = { MPI_INT, MPI_INT };
    const int is_root = rank == 0, n_others = is_two ? 1 : 2;
    const int root = !is_two ? 0 : is_root ? MPI_ROOT : MPI_PROC_NULL;

    COLLECTIVE(is_root ? 8 : 0, is_two ? 0 : 8, Bcast, bcast, to, two, MPI_INT,
               root, both);
    COLLECTIVE(is_two ? 0 : 8, is_root ? 8 : 0, Gather, gather, from, two,
               MPI_INT, to, two, MPI_INT, root, both);
    COLLECTIVE(is_two ? 0 : 4, is_root ? 4 : 0, Gatherv, gatherv, from, mine,
               MPI_INT, to, counts, places, MPI_INT, root, both);
    COLLECTIVE(is_root ? 8 : 0, is_two ? 0 : 8, Scatter, scatter, from, two,
               MPI_INT, to, two, MPI_INT, root, both);
    COLLECTIVE(is_root ? 4 : 0, is_two ? 0 : 4, Scatterv, scatterv, from,
               counts, places, MPI_INT, to, mine, MPI_INT, root, both);
    COLLECTIVE(is_two ? 0 : 8, is_root ? 8 : 0, Reduce, reduce, from, to, two,
               MPI_INT, MPI_SUM, root, both);
    COLLECTIVE(8 * n_others, 8 * n_others, Allgather, allgather, from, two,
               MPI_INT, to, two, MPI_INT, both);
    COLLECTIVE(4 * mine * n_others, is_two ? 4 : 12, Allgatherv, allgatherv,
               from, mine, MPI_INT, to, counts, places, MPI_INT, both);
    COLLECTIVE(8 * n_others, 8 * n_others, Alltoall, alltoall, from, two,
               MPI_INT, to, two, MPI_INT, both);
    COLLECTIVE(is_two ? 4 * mine : 12, is_two ? 4 * mine : 12, Alltoallv,
               alltoallv, from, is_two ? &mine : counts, places, MPI_INT, to,
               is_two ? &mine : counts, places, MPI_INT, both);
    COLLECTIVE(is_two ? 4 * mine : 12, is_two ? 4 * mine : 12, Alltoallw,
               alltoallw, from, is_two ? &mine : counts, bytes, types, to,
               is_two ? &mine : counts, bytes, types, both);
    COLLECTIVE(8, 8, Allreduce, allreduce, from, to, two, MPI_INT, MPI_SUM,
               both);
    COLLECTIVE(24, 4 * n * n_others, Reduce_scatter, reduce_scatter, from, to,
               parts, MPI_INT, MPI_SUM, both);
    COLLECTIVE(24, 4 * n * n_others, Reduce_scatter_block, reduce_scatter_block,
               from, to, n, MPI_INT, MPI_SUM, both);
}

static void FORM(around)(MPI_Comm comm, int n_in, int n_out)
{
    const COUNT counts[] = { 1, 1 }, one = 1, two = 2;
    const PLACE places[] = { 0, 4 };
    const MPI_Aint bytes[] = { 0, 16 };
    MPI_Datatype types[] = { MPI_INT, MPI_INT };

    COLLECTIVE(8 * n_out, 8 * n_in, Neighbor_allgather, neighbor_allgather,
               from, two, MPI_INT, to, two, MPI_INT, comm);
    COLLECTIVE(4 * n_out, 4 * n_in, Neighbor_allgatherv, neighbor_allgatherv,
               from, one, MPI_INT, to, counts, places, MPI_INT, comm);
    COLLECTIVE(8 * n_out, 8 * n_in, Neighbor_alltoall, neighbor_alltoall, from,
               two, MPI_INT, to, two, MPI_INT, comm);
    COLLECTIVE(4 * n_out, 4 * n_in, Neighbor_alltoallv, neighbor_alltoallv,
               from, counts, places, MPI_INT, to, counts, places, MPI_INT,
               comm);
    COLLECTIVE(4 * n_out, 4 * n_in, Neighbor_alltoallw, neighbor_alltoallw,
               from, counts, bytes, types, to, counts, bytes, types, comm);
}
