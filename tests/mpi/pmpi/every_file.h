/* SPDX-License-Identifier: BSD-3-Clause */
/* Files.  For every.c, which includes it once for each size of counts. */

/* Where this rank has its own 40 bytes, and all are at their begin. */
static void FORM(go_home)(MPI_File file)
{
    PMPI_File_sync(file);
    PMPI_Barrier(world);
    PMPI_File_seek(file, 40 * rank, MPI_SEEK_SET);
    PMPI_File_seek_shared(file, 0, MPI_SEEK_SET);
}

static void FORM(transfers)(MPI_File file)
{
    const COUNT n = 5, none = 0, many = 30;
    const MPI_Offset here = 40 * rank;
    MPI_Status status;

    FORM(go_home)(file);
    CALL(20, 0, MPI_File_write, file, from, n, MPI_INT, MPI_STATUS_IGNORE);
    CALL(20, 0, MPI_File_write_all, file, from, n, MPI_INT, &status);
    CALL(20, 0, MPI_File_write_at, file, here, from, n, MPI_INT, &status);
    CALL(20, 0, MPI_File_write_at_all, file, here, from, n, MPI_INT,
         MPI_STATUS_IGNORE);
    FORM(go_home)(file);
    CALL(0, 20, MPI_File_read, file, to, n, MPI_INT, MPI_STATUS_IGNORE);
    CALL(0, 20, MPI_File_read_all, file, to, n, MPI_INT, &status);
    CALL(0, 20, MPI_File_read_at, file, here, to, n, MPI_INT, &status);
    CALL(0, 20, MPI_File_read_at_all, file, here, to, n, MPI_INT,
         MPI_STATUS_IGNORE);
    CALL(0, 0, MPI_File_read_at, file, here, to, none, MPI_INT, &status);
    /* There are 120 bytes. */
    CALL(0, 20, MPI_File_read_at, file, 100, to, many, MPI_INT, &status);
}

#undef AT_ONCE
#define AT_ONCE(sent, got, name, ...)                \
    do {                                             \
        MPI_Request request_;                        \
                                                     \
        CALL(sent, 0, name, __VA_ARGS__, &request_); \
        finish(&request_, got);                      \
    } while (0)

static void FORM(transfers_at_once)(MPI_File file)
{
    const COUNT n = 5;
    const MPI_Offset here = 40 * rank;

    FORM(go_home)(file);
    AT_ONCE(20, 0, MPI_File_iwrite, file, from, n, MPI_INT);
    AT_ONCE(20, 0, MPI_File_iwrite_all, file, from, n, MPI_INT);
    AT_ONCE(20, 0, MPI_File_iwrite_at, file, here, from, n, MPI_INT);
    AT_ONCE(20, 0, MPI_File_iwrite_at_all, file, here, from, n, MPI_INT);
    FORM(go_home)(file);
    AT_ONCE(0, 20, MPI_File_iread, file, to, n, MPI_INT);
    AT_ONCE(0, 20, MPI_File_iread_all, file, to, n, MPI_INT);
    AT_ONCE(0, 20, MPI_File_iread_at, file, here, to, n, MPI_INT);
    AT_ONCE(0, 20, MPI_File_iread_at_all, file, here, to, n, MPI_INT);
}

/* All ranks move one position: 4 times 4 bytes each. */
static void FORM(transfers_shared)(MPI_File file)
{
    const COUNT n = 1;

    FORM(go_home)(file);
    CALL(4, 0, MPI_File_write_shared, file, from, n, MPI_INT,
         MPI_STATUS_IGNORE);
    AT_ONCE(4, 0, MPI_File_iwrite_shared, file, from, n, MPI_INT);
    CALL(4, 0, MPI_File_write_ordered, file, from, n, MPI_INT,
         MPI_STATUS_IGNORE);
    FORM(go_home)(file);
    CALL(0, 4, MPI_File_read_shared, file, to, n, MPI_INT, MPI_STATUS_IGNORE);
    AT_ONCE(0, 4, MPI_File_iread_shared, file, to, n, MPI_INT);
    CALL(0, 4, MPI_File_read_ordered, file, to, n, MPI_INT, MPI_STATUS_IGNORE);
}

/* Bytes that are read are known at the end. */
static void FORM(transfers_split)(MPI_File file)
{
    const COUNT n = 5;
    const MPI_Offset here = 40 * rank;

    FORM(go_home)(file);
    CALL(20, 0, MPI_File_write_all_begin, file, from, n, MPI_INT);
    DO(0, 0, MPI_File_write_all_end, file, from, MPI_STATUS_IGNORE);
    CALL(20, 0, MPI_File_write_at_all_begin, file, here, from, n, MPI_INT);
    DO(0, 0, MPI_File_write_at_all_end, file, from, MPI_STATUS_IGNORE);
    CALL(20, 0, MPI_File_write_ordered_begin, file, from, n, MPI_INT);
    DO(0, 0, MPI_File_write_ordered_end, file, from, MPI_STATUS_IGNORE);
    FORM(go_home)(file);
    CALL(0, 0, MPI_File_read_all_begin, file, to, n, MPI_INT);
    DO(0, 20, MPI_File_read_all_end, file, to, MPI_STATUS_IGNORE);
    CALL(0, 0, MPI_File_read_at_all_begin, file, here, to, n, MPI_INT);
    DO(0, 20, MPI_File_read_at_all_end, file, to, MPI_STATUS_IGNORE);
    CALL(0, 0, MPI_File_read_ordered_begin, file, to, n, MPI_INT);
    DO(0, 20, MPI_File_read_ordered_end, file, to, MPI_STATUS_IGNORE);
}

static void FORM(transfer)(MPI_File file)
{
    EXTENT extent;

    CALL(0, 0, MPI_File_get_type_extent, file, MPI_INT, &extent);
    FORM(transfers)(file);
    FORM(transfers_at_once)(file);
    FORM(transfers_shared)(file);
    FORM(transfers_split)(file);
}
