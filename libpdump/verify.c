/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is a dump that was written really in its file?
 *
 * Every call that writes has succeeded when this is asked; what is looked for
 * is a disk, or a file system of a network, that did not do what it said.
 */
#include "verify.h"
#include "reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_same_node(const struct pdump_dump *a, int i,
                         const struct pdump_dump *b, int j)
{
    const struct pdump_dump_region *of_a = &a->regions[a->nodes[i].region];
    const struct pdump_dump_region *of_b = &b->regions[b->nodes[j].region];

    return a->nodes[i].depth == b->nodes[j].depth &&
           strcmp(of_a->name, of_b->name) == 0;
}

/* Row i of `a`, and row i + at of what was read. */
static bool is_same_row(const struct pdump_dump *a, int64_t i,
                        const struct pdump_dump *b, int64_t at)
{
    const struct pdump_dump_row *row = &a->rows[i], *back = &b->rows[at + i];

    if (row->visits != back->visits || row->is_open != back->is_open ||
        !is_same_node(a, row->node, b, back->node))
        return false;
    for (int m = 0; m < a->n_metrics; m++)
        if (a->columns[m].sum[i] != b->columns[m].sum[at + i] ||
            a->columns[m].min[i] != b->columns[m].min[at + i] ||
            a->columns[m].max[i] != b->columns[m].max[at + i])
            return false;
    return true;
}

static bool is_same_sample(const struct pdump_dump *a, int64_t i,
                           const struct pdump_dump *b, int64_t at)
{
    const struct pdump_dump_sample *sample = &a->samples[i];
    const struct pdump_dump_sample *back = &b->samples[at + i];

    if (sample->number != back->number || sample->start != back->start ||
        !is_same_node(a, sample->node, b, back->node))
        return false;
    for (int m = 0; m < a->n_metrics; m++)
        if (a->sample_values[m][i] != b->sample_values[m][at + i])
            return false;
    return true;
}

static bool is_same_stat(const struct pdump_dump_stat *a,
                         const struct pdump_dump_stat *b)
{
    if (a->n <= 0 || b->n <= 0)
        return a->n <= 0 && b->n <= 0;
    return a->n == b->n && a->sum == b->sum && a->min == b->min &&
           a->max == b->max && a->rank_of_min == b->rank_of_min &&
           a->rank_of_max == b->rank_of_max &&
           (a->sumsq == b->sumsq || (isnan(a->sumsq) && isnan(b->sumsq)));
}

/* A table without a value is as good as none. */
static int compare_stats(const struct pdump_dump *a, const struct pdump_dump *b,
                         const char *path)
{
    static const struct pdump_dump_stat none = { 0 };

    for (int node = 0; a->stats && node < a->n_nodes; node++)
        for (int m = 0; m <= a->n_metrics; m++) {
            const struct pdump_dump_stat *back =
                b->stats && node < b->n_nodes ? &b->stats[m][node] : &none;

            if (!is_same_stat(&a->stats[m][node], back) ||
                (back->n > 0 && !is_same_node(a, node, b, node)))
                return pdump_fail(PDUMP_EIO,
                                  "%s: the statistics of node %d are not what "
                                  "was written",
                                  path, node);
        }
    return PDUMP_OK;
}

static int compare_piece(const struct pdump_dump *piece, int64_t row,
                         int64_t sample, const struct pdump_dump *back,
                         const char *path)
{
    for (int64_t i = 0; i < piece->n_rows; i++)
        if (!is_same_row(piece, i, back, row))
            return pdump_fail(PDUMP_EIO,
                              "%s: row %" PRId64 " is not what was written",
                              path, row + i);
    for (int64_t i = 0; i < piece->n_samples; i++)
        if (!is_same_sample(piece, i, back, sample))
            return pdump_fail(PDUMP_EIO,
                              "%s: sample %" PRId64 " is not what was written",
                              path, sample + i);
    return PDUMP_OK;
}

static int compare(struct pdump_stream *in, const struct pdump_dump *back,
                   const char *path)
{
    int64_t n_rows = in->row_ptr[in->n_pieces];
    int err;

    if (back->n_metrics != in->tables->n_metrics || back->n_rows != n_rows ||
        back->n_samples != in->sample_ptr[in->n_pieces])
        return pdump_fail(PDUMP_EIO,
                          "%s: only %" PRId64 " of %" PRId64
                          " rows can be read back",
                          path, back->n_rows, n_rows);
    err = compare_stats(in->tables, back, path);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (err >= 0)
            err = compare_piece(piece, in->row_ptr[i], in->sample_ptr[i], back,
                                path);
    }
    return err;
}

int pdump_verify_file(struct pdump_stream *in, const char *path)
{
    struct pdump_dump *back;
    char why[256];
    int err = pdump_reader_load(path, &back);

    if (err == PDUMP_ENOMEM)
        return err;
    if (err < 0) {
        snprintf(why, sizeof(why), "%s", pdump_last_error());
        return pdump_fail(PDUMP_EIO, "what was written cannot be read: %s",
                          why);
    }
    err = compare(in, back, path);
    pdump_dump_free(back);
    return err;
}
