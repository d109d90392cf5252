/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The format "hdf5-pyperfdump": the layout of PyPerfDump's file, for scripts
 * that were written for it.  /REGION/EVENT has the dimensions (ranks, 1, N),
 * with an element for each end_region(); /REGION/Runtime has seconds.  What a
 * rank has not filled is 0.
 */
#include "dump/profile_blocks.h"
#include "dump/ranks.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_DIMS = 3, RANKS_MAX = 1 << 20 };

struct layout {
    const struct pdump_h5 *h;
    const struct pdump_dump *dump;
    struct pdump_ranks ranks;
    struct pdump_profile_blocks blocks;
    int64_t *order; /* of the blocks: region by region */
    int64_t *begin; /* index in `order`, by region */
    int64_t *count; /* blocks of the region, by rank of the file */
    int n_ranks;    /* of the file */
};

static bool is_hex(char c)
{
    return c && strchr("0123456789abcdefABCDEF", c);
}

/* Returns the name as a link: %2F for a slash, which would begin another group,
 * and %25 for a percent sign that looks like such a code.  Given: free(). */
static char *link_of(const char *name)
{
    char *link = malloc(3 * strlen(name) + 4), *at = link;

    if (!link)
        return NULL;
    for (const char *c = name; *c; c++) {
        bool is_code = *c == '%' && is_hex(c[1]) && is_hex(c[2]);

        if (*c == '/' || is_code)
            at += sprintf(at, "%%%02X", (unsigned char)*c);
        else
            *at++ = *c;
    }
    *at = '\0';
    if (!*name || strcmp(name, ".") == 0)
        strcpy(link, *name ? "%2E" : "%");
    return link;
}

/* Returns the rank in the file.  Without a job there is one. */
static int row_of(const struct layout *l, const struct pdump_profile_block *b)
{
    int rank = l->ranks.number[b->rank];

    return rank > 0 && rank < l->n_ranks ? rank : 0;
}

static int count_ranks(const struct pdump_stream *in, struct layout *l)
{
    int n = pdump_ranks_of_job(l->dump, &l->ranks);

    if (l->ranks.n > 0 && l->ranks.number[l->ranks.n - 1] >= n)
        n = l->ranks.number[l->ranks.n - 1] + 1;
    l->n_ranks = n > in->n_ranks ? n : in->n_ranks;
    if (l->n_ranks < 1)
        l->n_ranks = 1;
    return l->n_ranks <= RANKS_MAX
               ? PDUMP_OK
               : pdump_fail(PDUMP_EFORMAT,
                            "hdf5-pyperfdump cannot have %d "
                            "ranks",
                            l->n_ranks);
}

/* Sorts the blocks by region.  Those of a region and rank stay in order. */
static int rows_sort(struct layout *l)
{
    size_t n_regions = (size_t)l->dump->n_regions;
    int64_t n = l->blocks.n;

    l->order = malloc(((size_t)n + 1) * sizeof(*l->order));
    l->begin = calloc(n_regions + 2, sizeof(*l->begin));
    l->count = calloc((size_t)l->n_ranks, sizeof(*l->count));
    if (!l->order || !l->begin || !l->count)
        return pdump_no_memory();
    for (int64_t i = 0; i < n; i++)
        l->begin[l->blocks.block[i].region + 2]++;
    for (size_t r = 2; r < n_regions + 2; r++)
        l->begin[r] += l->begin[r - 1];
    for (int64_t i = 0; i < n; i++)
        l->order[l->begin[l->blocks.block[i].region + 1]++] = i;
    return PDUMP_OK;
}

/* Returns the i-th block of the region, and in `number` which one of its rank
 * it is; for i from 0 on. */
static const struct pdump_profile_block *block_of(struct layout *l, int region,
                                                  int64_t i, int64_t *number)
{
    const struct pdump_profile_block *block =
        &l->blocks.block[l->order[l->begin[region] + i]];

    if (i == 0)
        memset(l->count, 0, (size_t)l->n_ranks * sizeof(*l->count));
    *number = l->count[row_of(l, block)]++;
    return block;
}

static int64_t n_blocks(const struct layout *l, int region)
{
    return l->begin[region + 1] - l->begin[region];
}

static int make_dataset(const struct layout *l, hid_t group, const char *name,
                        enum pdump_schema_type type, const hsize_t dims[N_DIMS],
                        hid_t *out)
{
    const hsize_t most[N_DIMS] = { dims[0], 1, H5S_UNLIMITED };
    hsize_t chunk[N_DIMS] = { dims[0], 1, PDUMP_H5_CHUNK / dims[0] + 1 };
    hid_t space, how;
    int err = PDUMP_OK;

    if (l->h->mode != PDUMP_H5_MAKE)
        return pdump_h5_dataset(l->h, group, name, type, N_DIMS, dims, true,
                                out);
    if (chunk[2] > dims[2])
        chunk[2] = dims[2];
    space = H5Screate_simple(N_DIMS, dims, most);
    how = H5Pcreate(H5P_DATASET_CREATE);
    *out = -1;
    H5Pset_obj_track_times(how, false);
    if (H5Pset_chunk(how, N_DIMS, chunk) >= 0)
        *out = H5Dcreate2(group, name, pdump_h5_file_type(type), space,
                          H5P_DEFAULT, how, H5P_DEFAULT);
    if (*out < 0)
        err = pdump_h5_fail(l->h, PDUMP_EIO, name);
    H5Pclose(how);
    H5Sclose(space);
    return err;
}

/* Writes or compares a metric of a region. */
static int put_metric(struct layout *l, hid_t group, int region, int metric,
                      int64_t n)
{
    bool is_time = strcmp(l->dump->metrics[metric].name, "time") == 0;
    enum pdump_schema_type type =
        is_time ? PDUMP_SCHEMA_REAL : PDUMP_SCHEMA_INT64;
    const hsize_t dims[N_DIMS] = { (hsize_t)l->n_ranks, 1, (hsize_t)n };
    int64_t all = l->n_ranks * n, number;
    union {
        int64_t whole;
        double real;
    } *values = calloc((size_t)all, sizeof(*values));
    char *name = link_of(is_time ? "Runtime" : l->dump->metrics[metric].name);
    hid_t set = -1;
    int err = values && name ? PDUMP_OK : pdump_no_memory();

    for (int64_t i = 0; err >= 0 && i < n_blocks(l, region); i++) {
        const struct pdump_profile_block *b = block_of(l, region, i, &number);
        int64_t at = row_of(l, b) * n + number, value = b->values[metric];

        if (value != PDUMP_MISSING && is_time)
            values[at].real = (double)value / 1e9;
        else if (value != PDUMP_MISSING)
            values[at].whole = value;
    }
    if (err >= 0)
        err = make_dataset(l, group, name, type, dims, &set);
    if (err >= 0)
        err = pdump_h5_transfer(l->h, set, name, type, H5S_ALL, H5S_ALL, all,
                                values);
    err = pdump_h5_done(l->h, set, name, err);
    free(name);
    free(values);
    return err;
}

static int put_region(struct layout *l, int region)
{
    char *name = link_of(l->dump->regions[region].name);
    int64_t n = 0, number;
    hid_t group = -1;
    int err = name ? PDUMP_OK : pdump_no_memory();

    for (int64_t i = 0; i < n_blocks(l, region); i++) {
        block_of(l, region, i, &number);
        n = number >= n ? number + 1 : n;
    }
    if (err >= 0 && n > 0)
        err = pdump_h5_group(l->h, l->h->file, name, &group);
    for (int m = 0; err >= 0 && n > 0 && m < l->dump->n_metrics; m++)
        err = put_metric(l, group, region, m, n);
    if (group >= 0)
        H5Gclose(group);
    free(name);
    return err;
}

static int put_all(const struct pdump_h5 *h, struct pdump_stream *in)
{
    struct layout l = { .h = h };
    int err = pdump_stream_whole(in, &l.dump);

    if (err < 0)
        return err;
    if (l.dump->stats && l.dump->n_rows == 0)
        return pdump_fail(PDUMP_EFORMAT,
                          "hdf5-pyperfdump has the figures of each rank, and "
                          "PDUMP_RANKS=stats keeps none");
    err = pdump_ranks_of(l.dump, &l.ranks);
    if (err < 0)
        return err;
    err = pdump_profile_blocks_of(l.dump, &l.blocks);
    if (err >= 0)
        err = count_ranks(in, &l);
    if (err >= 0)
        err = rows_sort(&l);
    for (int i = 0; err >= 0 && i < l.dump->n_regions; i++)
        err = put_region(&l, i);
    free(l.order);
    free(l.begin);
    free(l.count);
    pdump_profile_blocks_free(&l.blocks);
    pdump_ranks_free(&l.ranks);
    return err;
}

int pdump_h5_pyperfdump_write(struct pdump_stream *in,
                              const struct pdump_new_file *file)
{
    return pdump_h5_write_by(in, file, put_all);
}

int pdump_h5_pyperfdump_verify(struct pdump_stream *in,
                               const struct pdump_new_file *file)
{
    return pdump_h5_verify_by(in, file, put_all);
}
