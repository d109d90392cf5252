/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that moves data, on 3 ranks, in all its forms; collectives and
 * neighbours also on 1 and 2.
 *
 * What has a twin with large counts is written once, in every_*.h, and is here
 * for both.  An argument names the part that is run.
 */
#include "ledger.h"

#include <mpi.h>

#define HAS_MPI_4 (MPI_VERSION >= 4)

/* A call, and the bytes that it sends and receives. */
#define DO(sent, got, name, ...) \
    (did(#name, sent, got, 0), (void)name(__VA_ARGS__))

enum { N = 64 };

static const MPI_Comm world = MPI_COMM_WORLD;
static int rank, size, left, right, from[N], to[N];

/* A request that is done, with so many bytes in. */
static void finish(MPI_Request *request, long got)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, got, 1);
}

/* A persistent one, twice if n_starts does not say otherwise. */
static int n_starts = 2;

static void repeat(MPI_Request *request, long sent, long got)
{
    for (int i = 0; i < n_starts; i++) {
        DO(sent, got, MPI_Start, request);
        finish(request, 0);
    }
    DO(0, 0, MPI_Request_free, request);
}

#define COUNT int
#define PLACE int
#define EXTENT MPI_Aint
#define FORM(name) name
#define CALL(sent, got, name, ...) DO(sent, got, name, __VA_ARGS__)
#include "every_collective.h"
#include "every_file.h"
#include "every_message.h"
#include "every_window.h"

#if HAS_MPI_4
#undef COUNT
#undef PLACE
#undef EXTENT
#undef FORM
#undef CALL
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define EXTENT MPI_Count
#define FORM(name) name##_c
#define CALL(sent, got, name, ...) DO(sent, got, name##_c, __VA_ARGS__)
#include "every_collective.h"
#include "every_file.h"
#include "every_message.h"
#include "every_window.h"
#define BOTH(part, ...) (part(__VA_ARGS__), part##_c(__VA_ARGS__))
#else
#define BOTH(part, ...) part(__VA_ARGS__)
#endif

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int is_complete)
{
    (void)extra, (void)is_complete;
    return MPI_SUCCESS;
}

/* A request that is none of MPI's; and a look that does not end it. */
static void own_request(void)
{
    MPI_Request request;
    int is_done = 0;

    DO(0, 0, MPI_Grequest_start, query, release, cancel, NULL, &request);
    DO(0, 0, MPI_Grequest_complete, request);
    DO(0, 0, MPI_Request_get_status, request, &is_done, MPI_STATUS_IGNORE);
    finish(&request, 0);
}

static void messages(void)
{
    MPI_Datatype type;

    BOTH(send_all, MPI_INT, 4);
    /* 2 of 3, and another type where the first one was. */
    PMPI_Type_vector(2, 1, 3, MPI_INT, &type);
    PMPI_Type_commit(&type);
    BOTH(send_all, type, 8);
    PMPI_Type_free(&type);
    PMPI_Type_contiguous(3, MPI_INT, &type);
    PMPI_Type_commit(&type);
    BOTH(send_all, type, 12);
    PMPI_Type_free(&type);
    BOTH(send_nothing);
    own_request();
}

#if HAS_MPI_4
/* 2 partitions of 3 integers. */
static void partitioned(void)
{
    int is_there = 0;
    MPI_Request in, out;

    DO(0, 0, MPI_Precv_init, to, 2, 3, MPI_INT, left, 7, world, MPI_INFO_NULL,
       &in);
    DO(0, 0, MPI_Psend_init, from, 2, 3, MPI_INT, right, 7, world,
       MPI_INFO_NULL, &out);
    for (int i = 0; i < 3; i++) {
        DO(0, 24, MPI_Start, &in);
        DO(24, 0, MPI_Start, &out);
        met(1, right, 24);
        met(0, left, 24);
        if (i == 0)
            DO(0, 0, MPI_Pready_range, 0, 1, out);
        else if (i == 1)
            DO(0, 0, MPI_Pready_list, 2, (int[]){ 1, 0 }, out);
        for (int part = 0; i == 2 && part < 2; part++)
            DO(0, 0, MPI_Pready, part, out);
        while (!is_there)
            DO(0, 0, MPI_Parrived, in, 1, &is_there);
        finish(&out, 0);
        finish(&in, 0);
    }
    DO(0, 0, MPI_Request_free, &in);
    DO(0, 0, MPI_Request_free, &out);
}
#else
static void partitioned(void) {}
#endif

static void collectives(void)
{
    MPI_Request request;

    DO(0, 0, MPI_Barrier, world);
    DO(0, 0, MPI_Ibarrier, world, &request);
    finish(&request, 0);
#if HAS_MPI_4
    DO(0, 0, MPI_Barrier_init, world, MPI_INFO_NULL, &request);
    repeat(&request, 0, 0);
#endif
    BOTH(rooted, 0);
    BOTH(rooted, size - 1);
    BOTH(for_all);
    BOTH(in_place);
    BOTH(from_bottom);
}

/* Two groups: {0, 1} and {2}. */
static void groups(void)
{
    int is_in_first = rank < 2;
    MPI_Comm part, both, all;

    PMPI_Comm_split(world, is_in_first, 0, &part);
    DO(0, 0, MPI_Intercomm_create, part, 0, world, is_in_first ? 2 : 0, 1,
       &both);
    BOTH(between, both, is_in_first);
    DO(0, 0, MPI_Intercomm_merge, both, !is_in_first, &all);
    PMPI_Comm_free(&all);
    PMPI_Comm_free(&part);
    PMPI_Comm_free(&both);
}

/* A ring, with two neighbours each; and a star, where all send to rank 0. */
static void neighbours(void)
{
    int sources[2] = { 1, 2 }, weights[2] = { 1, 1 }, zero = 0, is_ring = 1;
    MPI_Comm ring, star;

    DO(0, 0, MPI_Cart_create, world, 1, &size, &is_ring, 0, &ring);
    BOTH(around, ring, 2, 2);
    DO(0, 0, MPI_Dist_graph_create_adjacent, world, rank == 0 ? size - 1 : 0,
       sources, weights, rank == 0 ? 0 : 1, &zero, weights, MPI_INFO_NULL, 0,
       &star);
    BOTH(around, star, rank == 0 ? size - 1 : 0, rank == 0 ? 0 : 1);
    PMPI_Comm_free(&ring);
    PMPI_Comm_free(&star);
}

/* Ways to open and close a window's time; memory that comes later. */
static void other_windows(void)
{
    static int exposed[N];
    const int result = 1;
    int flag = 0, name_length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Group group, all;
    MPI_Info info;
    MPI_Win win;

    PMPI_Win_create(exposed, sizeof(exposed), 4, MPI_INFO_NULL, world, &win);
    DO(0, 0, MPI_Win_set_name, win, "window");
    DO(0, 0, MPI_Win_get_name, win, name, &name_length);
    DO(0, 0, MPI_Win_get_info, win, &info);
    DO(0, 0, MPI_Win_set_info, win, info);
    PMPI_Info_free(&info);
    DO(0, 0, MPI_Win_get_group, win, &all);
    PMPI_Group_incl(all, 1, &right, &group);
    DO(0, 0, MPI_Win_lock, MPI_LOCK_SHARED, right, 0, win);
    DO(4, 4, MPI_Fetch_and_op, from, to, MPI_INT, right, 0, MPI_SUM, win);
    met(1, right, 4);
    met(0, right, 4);
    DO(0, 4, MPI_Fetch_and_op, NULL, to + 1, MPI_INT, right, 0, MPI_NO_OP, win);
    met(0, right, 4);
    DO(4, 4, MPI_Compare_and_swap, from, &result, to + 2, MPI_INT, right, 1,
       win);
    met(1, right, 4);
    met(0, right, 4);
    DO(0, 0, MPI_Win_flush, right, win);
    DO(0, 0, MPI_Win_flush_all, win);
    DO(0, 0, MPI_Win_flush_local, right, win);
    DO(0, 0, MPI_Win_flush_local_all, win);
    DO(0, 0, MPI_Win_sync, win);
    DO(0, 0, MPI_Win_unlock, right, win);
    PMPI_Group_free(&group);
    /* To the right, from the left; a wait first, then tests. */
    for (int i = 0; i < 2; i++) {
        PMPI_Group_incl(all, 1, &left, &group);
        DO(0, 0, MPI_Win_post, group, 0, win);
        PMPI_Group_free(&group);
        PMPI_Group_incl(all, 1, &right, &group);
        DO(0, 0, MPI_Win_start, group, 0, win);
        DO(8, 0, MPI_Put, from, 2, MPI_INT, right, 0, 2, MPI_INT, win);
        met(1, right, 8);
        DO(0, 0, MPI_Win_complete, win);
        if (i == 0)
            DO(0, 0, MPI_Win_wait, win);
        while (i == 1 && !flag)
            DO(0, 0, MPI_Win_test, win, &flag);
        PMPI_Group_free(&group);
    }
    PMPI_Group_free(&all);
    PMPI_Win_free(&win);
    DO(0, 0, MPI_Win_create_dynamic, MPI_INFO_NULL, world, &win);
    DO(0, 0, MPI_Win_attach, win, exposed, sizeof(exposed));
    DO(0, 0, MPI_Win_detach, win, exposed);
    PMPI_Win_free(&win);
}

static void windows(void)
{
    BOTH(one_sided);
    other_windows();
}

static void other_file_calls(MPI_File file)
{
    MPI_Datatype type, file_type;
    MPI_Offset offset;
    MPI_Group group;
    MPI_Info info;
    char how[MPI_MAX_DATAREP_STRING];
    int number;

    DO(0, 0, MPI_File_preallocate, file, 120);
    /* In Open MPI 4.1 each rank looks how large the file is, and waits for all
     * others if it is not larger than that: none may cut it before. */
    PMPI_Barrier(world);
    DO(0, 0, MPI_File_set_size, file, 120);
    DO(0, 0, MPI_File_get_size, file, &offset);
    DO(0, 0, MPI_File_get_amode, file, &number);
    DO(0, 0, MPI_File_get_group, file, &group);
    PMPI_Group_free(&group);
    DO(0, 0, MPI_File_get_info, file, &info);
    DO(0, 0, MPI_File_set_info, file, info);
    PMPI_Info_free(&info);
    DO(0, 0, MPI_File_set_view, file, 0, MPI_INT, MPI_INT, "native",
       MPI_INFO_NULL);
    DO(0, 0, MPI_File_get_view, file, &offset, &type, &file_type, how);
    DO(0, 0, MPI_File_seek, file, 1, MPI_SEEK_SET);
    DO(0, 0, MPI_File_get_position, file, &offset);
    DO(0, 0, MPI_File_get_byte_offset, file, 1, &offset);
    DO(0, 0, MPI_File_seek_shared, file, 1, MPI_SEEK_SET);
    DO(0, 0, MPI_File_get_position_shared, file, &offset);
    DO(0, 0, MPI_File_set_atomicity, file, 0);
    DO(0, 0, MPI_File_get_atomicity, file, &number);
    DO(0, 0, MPI_File_sync, file);
}

static void files(void)
{
    MPI_File file;

    DO(0, 0, MPI_File_open, world, "every.file",
       MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    BOTH(transfer, file);
    other_file_calls(file);
    DO(0, 0, MPI_File_close, &file);
    PMPI_Barrier(world);
    if (rank == 0)
        DO(0, 0, MPI_File_delete, "every.file", MPI_INFO_NULL);
}

/* A message in a communicator: who sent it is told by rank in the world. */
static void send_within(MPI_Comm comm, int my_right, int my_left)
{
    DO(12, 12, MPI_Sendrecv, from, 3, MPI_INT, (rank + 1) % 3, 1, to, 3,
       MPI_INT, (rank + 2) % 3, 1, comm, MPI_STATUS_IGNORE);
    met(1, my_right, 12);
    met(0, my_left, 12);
}

static void communicators(void)
{
    MPI_Comm made;
    MPI_Group all, backwards;
    MPI_Request request;
    int order[3] = { 2, 1, 0 };

    PMPI_Comm_group(world, &all);
    PMPI_Group_incl(all, 3, order, &backwards);
    DO(0, 0, MPI_Comm_create_group, world, backwards, 5, &made);
    /* This rank is 2 - rank there. */
    DO(12, 12, MPI_Sendrecv, from, 3, MPI_INT, 2 - right, 1, to, 3, MPI_INT,
       2 - left, 1, made, MPI_STATUS_IGNORE);
    met(1, right, 12);
    met(0, left, 12);
    DO(0, 0, MPI_Comm_free, &made);
    DO(0, 0, MPI_Comm_create, world, backwards, &made);
    DO(12, 12, MPI_Sendrecv, from, 3, MPI_INT, 2 - right, 1, to, 3, MPI_INT,
       MPI_ANY_SOURCE, 1, made, MPI_STATUS_IGNORE);
    met(1, right, 12);
    met(0, left, 12);
    DO(0, 0, MPI_Comm_free, &made);
    PMPI_Group_free(&backwards);
    PMPI_Group_free(&all);
    DO(0, 0, MPI_Comm_idup, world, &made, &request);
    finish(&request, 0);
    send_within(made, right, left);
    DO(0, 0, MPI_Comm_free, &made);
    DO(0, 0, MPI_Comm_split_type, world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
       &made);
    send_within(made, right, left);
    DO(0, 0, MPI_Comm_free, &made);
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    { "messages", messages },
    { "partitioned", partitioned },
    { "collectives", collectives },
    { "groups", groups },
    { "neighbours", neighbours },
    { "windows", windows },
    { "files", files },
    { "communicators", communicators },
};

int main(int argc, char **argv)
{
    static char room[1 << 16];

    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_size(world, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    PMPI_Buffer_attach(room, sizeof(room));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0)
            parts[i].run();
    tell(rank);
    MPI_Finalize();
    return 0;
}
