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

static bool is_same_row(const struct pdump_dump *a, const struct pdump_dump *b,
                        int64_t i)
{
    if (a->rows[i].visits != b->rows[i].visits ||
        a->rows[i].is_open != b->rows[i].is_open ||
        !is_same_node(a, a->rows[i].node, b, b->rows[i].node))
        return false;
    for (int m = 0; m < a->n_metrics; m++)
        if (a->columns[m].sum[i] != b->columns[m].sum[i] ||
            a->columns[m].min[i] != b->columns[m].min[i] ||
            a->columns[m].max[i] != b->columns[m].max[i])
            return false;
    return true;
}

static bool is_same_sample(const struct pdump_dump *a,
                           const struct pdump_dump *b, int64_t i)
{
    if (a->samples[i].number != b->samples[i].number ||
        a->samples[i].start != b->samples[i].start ||
        !is_same_node(a, a->samples[i].node, b, b->samples[i].node))
        return false;
    for (int m = 0; m < a->n_metrics; m++)
        if (a->sample_values[m][i] != b->sample_values[m][i])
            return false;
    return true;
}

static int compare(const struct pdump_dump *dump, const struct pdump_dump *back,
                   const char *path)
{
    if (back->n_metrics != dump->n_metrics || back->n_rows != dump->n_rows ||
        back->n_samples != dump->n_samples)
        return pdump_fail(PDUMP_EIO,
                          "%s: only %" PRId64 " of %" PRId64
                          " rows can be read back",
                          path, back->n_rows, dump->n_rows);
    for (int64_t i = 0; i < dump->n_rows; i++)
        if (!is_same_row(dump, back, i))
            return pdump_fail(PDUMP_EIO,
                              "%s: row %" PRId64 " is not what was written",
                              path, i);
    for (int64_t i = 0; i < dump->n_samples; i++)
        if (!is_same_sample(dump, back, i))
            return pdump_fail(PDUMP_EIO,
                              "%s: sample %" PRId64 " is not what was written",
                              path, i);
    return PDUMP_OK;
}

int pdump_verify_file(const struct pdump_dump *dump, const char *path)
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
    err = compare(dump, back, path);
    pdump_dump_free(back);
    return err;
}
