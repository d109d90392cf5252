/* SPDX-License-Identifier: BSD-3-Clause */
/* What a dump cannot do without: one gather, and H5Dwrite. */
#include "bare.h"
#include "../work.h"
#include "rank.h"

#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS_MAX = 256, NAME_MAX_LEN = 320, SMALL = 1024 };

struct column {
    char name[NAME_MAX_LEN]; /* "profile/time/sum" */
    hid_t type;              /* in memory */
    hid_t how;               /* as it was made */
    size_t width;
    hsize_t n;
    int is_row;
    char *values; /* all of them */
    size_t at;    /* of a rank's part in its message */
};

struct bare {
    struct column columns[COLUMNS_MAX]; /* of rank 0 */
    int n_columns;
    int rank, size;
    char *mine; /* what this rank sends */
    int len;
    char *all; /* what rank 0 receives */
    int64_t compressed;
};

/* For H5Lvisit: note every column that is large enough. */
static herr_t take(hid_t file, const char *name, const H5L_info_t *info,
                   void *data)
{
    struct bare *b = data;
    struct column *c = &b->columns[b->n_columns];
    hid_t set, space, type;

    (void)info;
    H5E_BEGIN_TRY
    {
        set = H5Dopen2(file, name, H5P_DEFAULT);
    }
    H5E_END_TRY
    if (set < 0)
        return 0; /* a group */
    space = H5Dget_space(set);
    type = H5Dget_type(set);
    c->n = (hsize_t)H5Sget_simple_extent_npoints(space);
    c->width = H5Tget_size(type);
    c->type = H5Tget_native_type(type, H5T_DIR_ASCEND);
    c->how = H5Dget_create_plist(set);
    c->is_row = strncmp(name, "profile/", 8) == 0;
    snprintf(c->name, sizeof(c->name), "%s", name);
    if (c->n * c->width > SMALL && b->n_columns + 1 < COLUMNS_MAX) {
        c->values = malloc(c->n * c->width);
        b->n_columns++;
        if (!c->values ||
            H5Dread(set, c->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->values) < 0)
            return -1;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return 0;
}

static int take_all(struct bare *b, const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int err;

    if (file < 0)
        return -1;
    err = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, take, b) < 0 ? -1 : 0;
    H5Fclose(file);
    for (int i = 0; i < b->n_columns; i++) {
        struct column *c = &b->columns[i];

        c->at = (size_t)b->len;
        if (c->is_row)
            b->len += (int)(c->n / (hsize_t)b->size * c->width);
    }
    return err;
}

/* Part `rank` of every column of rows becomes one message. */
static void cut(const struct bare *b, int rank, char *to)
{
    for (int i = 0; i < b->n_columns; i++) {
        const struct column *c = &b->columns[i];
        size_t len = c->n / (hsize_t)b->size * c->width;

        if (c->is_row)
            memcpy(to + c->at, c->values + (size_t)rank * len, len);
    }
}

struct bare *bare_open(const char *path)
{
    struct bare *b = calloc(1, sizeof(*b));
    int err = b ? 0 : -1;

    if (!b)
        return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &b->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b->size);
    if (b->rank == 0)
        err = take_all(b, path);
    if (err != 0)
        b->len = -1;
    MPI_Bcast(&b->len, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (b->len < 0) {
        bare_close(b);
        return NULL;
    }
    b->mine = malloc((size_t)b->len + 1);
    if (b->rank == 0)
        b->all = malloc((size_t)b->len * (size_t)b->size + 1);
    for (int i = 0; b->rank == 0 && i < b->size; i++)
        cut(b, i, b->all + (size_t)i * (size_t)b->len);
    MPI_Scatter(b->all, b->len, MPI_BYTE, b->mine, b->len, MPI_BYTE, 0,
                MPI_COMM_WORLD);
    return b;
}

void bare_close(struct bare *b)
{
    for (int i = 0; i < b->n_columns; i++) {
        free(b->columns[i].values);
        H5Tclose(b->columns[i].type);
        H5Pclose(b->columns[i].how);
    }
    free(b->mine);
    free(b->all);
    free(b);
}

static int put(hid_t file, const struct bare *b, struct column *c, hid_t links)
{
    hid_t space = H5Screate_simple(1, &c->n, NULL);
    hid_t set =
        H5Dcreate2(file, c->name, c->type, space, links, c->how, H5P_DEFAULT);
    size_t len = c->n / (hsize_t)b->size * c->width;
    int err = set < 0;

    for (int i = 0; c->is_row && i < b->size; i++)
        memcpy(c->values + (size_t)i * len,
               b->all + (size_t)i * (size_t)b->len + c->at, len);
    err = err ||
          H5Dwrite(set, c->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->values) < 0;
    H5Dclose(set);
    H5Sclose(space);
    return err ? -1 : 0;
}

static int write_file(struct bare *b, const char *path)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    int err = file < 0 ? -1 : 0;

    H5Pset_create_intermediate_group(links, 1);
    for (int i = 0; err == 0 && i < b->n_columns; i++)
        err = put(file, b, &b->columns[i], links);
    H5Pclose(links);
    return H5Fclose(file) < 0 ? -1 : err;
}

static int read_file(struct bare *b, const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int err = file < 0 ? -1 : 0;

    b->compressed = 0;
    for (int i = 0; err == 0 && i < b->n_columns; i++) {
        const struct column *c = &b->columns[i];
        char *back = malloc(c->n * c->width);
        hid_t set = H5Dopen2(file, c->name, H5P_DEFAULT);

        if (!back ||
            H5Dread(set, c->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0 ||
            memcmp(back, c->values, c->n * c->width) != 0)
            err = -1;
        b->compressed += (int64_t)H5Dget_storage_size(set);
        H5Dclose(set);
        free(back);
    }
    H5Fclose(file);
    return err;
}

static void sync_file(const char *path)
{
    int fd = open(path, O_RDONLY);

    fsync(fd);
    close(fd);
}

int bare_write(struct bare *b, const char *path, struct bare_times *out)
{
    int64_t at[5], cpu = rank_cpu();
    int err = 0;

    at[0] = work_now();
    MPI_Gather(b->mine, b->len, MPI_BYTE, b->all, b->len, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    if (b->rank > 0)
        return 0;
    at[1] = work_now();
    err = write_file(b, path);
    at[2] = work_now();
    cpu = rank_cpu() - cpu;
    sync_file(path);
    at[3] = work_now();
    if (err == 0)
        err = read_file(b, path);
    at[4] = work_now();
    *out = (struct bare_times){ at[1] - at[0], at[2] - at[1], at[3] - at[2],
                                at[4] - at[3], cpu };
    return err;
}

int64_t bare_bytes(const struct bare *b)
{
    int64_t n = 0;

    for (int i = 0; i < b->n_columns; i++)
        n += (int64_t)(b->columns[i].n * b->columns[i].width);
    return n;
}

int64_t bare_compressed(const struct bare *b)
{
    return b->compressed;
}
