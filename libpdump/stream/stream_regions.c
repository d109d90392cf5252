/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions of a stream, without its stacks. */
#include "stream/stream_regions.h"
#include "dump/dump_copy.h"
#include "dump/stacks.h"

#include <stdlib.h>

struct regions {
    struct pdump_stream stream; /* must be first: freed as this */
    struct pdump_stream *from;
    struct pdump_dump *tables;
    struct pdump_dump *records; /* of the current piece */
    struct pdump_dump piece;    /* the tables with these records */
    int64_t *row_ptr;
    bool *has_row;
};

/* Copies the records of a piece.  Its tables get the same numbers as those of
 * the stream, because both are copied in the same order. */
static int take_records(const struct pdump_dump *piece, struct pdump_dump **out)
{
    struct pdump_dump_copy copy = { .from = piece, .has_no_stacks = true };
    int err = pdump_builder_new(&copy.to);

    if (err >= 0)
        err = pdump_dump_copy_records(&copy);
    err = pdump_builder_close(copy.to, err, out);
    pdump_dump_copy_free(&copy);
    return err;
}

static int take_piece(struct pdump_stream *s, int i,
                      const struct pdump_dump **out)
{
    struct regions *r = (struct regions *)s;
    const struct pdump_dump *piece;
    int err = r->from->piece(r->from, i, &piece);

    pdump_dump_free(r->records);
    r->records = NULL;
    if (err >= 0)
        err = take_records(piece, &r->records);
    if (err < 0)
        return err;
    r->piece = *r->tables;
    r->piece.rows = r->records->rows;
    r->piece.n_rows = r->records->n_rows;
    r->piece.columns = r->records->columns;
    r->piece.samples = r->records->samples;
    r->piece.n_samples = r->records->n_samples;
    r->piece.sample_values = r->records->sample_values;
    r->piece.lanes = r->records->lanes;
    r->piece.n_lanes = r->records->n_lanes;
    *out = &r->piece;
    return PDUMP_OK;
}

/* Returns the number of rows that are not of stacks. */
static int64_t count_rows(const struct pdump_dump *piece)
{
    int64_t n = 0;

    for (int64_t i = 0; i < piece->n_rows; i++)
        n += !pdump_stacks_has_node(piece, piece->rows[i].node);
    return n;
}

/* Finds where the rows of each piece begin. */
static int find_rows(struct regions *r)
{
    int64_t n = 0;
    int err = PDUMP_OK;

    for (int i = 0; i < r->from->n_pieces && err >= 0; i++) {
        const struct pdump_dump *piece;

        r->row_ptr[i] = n;
        err = r->from->piece(r->from, i, &piece);
        if (err >= 0)
            n += count_rows(piece);
    }
    r->row_ptr[r->from->n_pieces] = n;
    return err;
}

static void find_nodes(struct regions *r)
{
    const struct pdump_dump *all = r->from->tables;
    int to = 0;

    for (int node = 0; r->from->has_row && node < all->n_nodes; node++)
        if (!pdump_stacks_has_node(all, node))
            r->has_row[to++] = r->from->has_row[node];
}

void pdump_stream_regions_free(struct pdump_stream *s)
{
    struct regions *r = (struct regions *)s;

    if (!r)
        return;
    pdump_stream_forget(s);
    pdump_dump_free(r->records);
    pdump_dump_free(r->tables);
    free(r->row_ptr);
    free(r->has_row);
    free(s->sums);
    free(r);
}

int pdump_stream_regions(struct pdump_stream *from, struct pdump_stream **out)
{
    struct regions *r = calloc(1, sizeof(*r));
    int err = r ? pdump_stacks_leave_out(from->tables, &r->tables)
                : pdump_no_memory();

    if (err < 0) {
        free(r);
        return err;
    }
    r->from = from;
    r->row_ptr = calloc((size_t)from->n_pieces + 1, sizeof(*r->row_ptr));
    r->has_row = calloc((size_t)from->tables->n_nodes + 1, sizeof(*r->has_row));
    err = r->row_ptr && r->has_row ? find_rows(r) : pdump_no_memory();
    r->stream = *from;
    r->stream.tables = r->tables;
    r->stream.row_ptr = r->row_ptr;
    r->stream.has_row = from->has_row ? r->has_row : NULL;
    r->stream.fill = NULL;
    r->stream.piece = take_piece;
    r->stream.whole = NULL;
    r->stream.whole_max = from->whole ? INT64_MAX : from->whole_max;
    r->stream.sums = NULL;
    if (err < 0) {
        pdump_stream_regions_free(&r->stream);
        return err;
    }
    find_nodes(r);
    *out = &r->stream;
    return PDUMP_OK;
}
