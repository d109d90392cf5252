/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings the details of all ranks into the tables of rank 0.
 *
 * If there are not too many, the rows of every rank arrive unchanged.
 * Otherwise they are united over ranks on the way, so that no rank ever has
 * more than one row per node and label, nor more bytes than the limit.
 */
#include "job/aggregate_details.h"
#include "dump/dump_copy.h"
#include "job/collectives.h"
#include "job/pack_dump.h"

#include <stdlib.h>

enum { LEAST_MAX = 16 << 20 };

struct gathering {
    struct pdump_builder *builder; /* of the tables, or of united details */
    struct pdump_dump *dump;       /* the finished dump */
    struct pdump_pack pack;
};

static int details_unpack(struct pdump_builder *b, const void *bytes,
                          size_t len, int first_thread)
{
    struct pdump_unpack in = { .at = bytes, .end = (const char *)bytes + len };

    return pdump_unpack_details(&in, b, first_thread);
}

/* Starts a builder with the nodes and, on rank 0, all other tables: these are a
 * finished dump, and only a builder can add details. */
static int gathering_start(struct gathering *g, const struct pdump_dump *tables,
                           bool is_root)
{
    struct pdump_dump_copy copy = { .from = tables };
    int err = pdump_builder_new(&g->builder);

    copy.to = g->builder;
    if (err >= 0)
        err = pdump_dump_copy_tree(&copy);
    if (err >= 0 && is_root)
        err = pdump_dump_copy_threads(&copy);
    if (err >= 0 && is_root)
        err = pdump_dump_copy_metadata(&copy);
    if (err >= 0 && is_root)
        err = pdump_dump_copy_warnings(&copy);
    pdump_dump_copy_free(&copy);
    return err;
}

/* Packs threads, length and details, to be appended to those of other ranks. */
static int line_start(struct gathering *g, const struct pdump_dump *mine)
{
    struct pdump_pack p = { 0 };

    pdump_pack_details(&p, mine, false);
    pdump_pack_int(&g->pack, mine->n_threads);
    pdump_pack_int(&g->pack, (int64_t)p.len);
    pdump_pack_bytes(&g->pack, p.bytes, p.len);
    free(p.bytes);
    return p.is_bad || g->pack.is_bad ? pdump_no_memory() : PDUMP_OK;
}

static int line_add(void *data, void *bytes, size_t len)
{
    struct gathering *g = data;

    pdump_pack_bytes(&g->pack, bytes, len);
    return g->pack.is_bad ? pdump_no_memory() : PDUMP_OK;
}

static int line_give(void *data, const void **bytes, size_t *len)
{
    struct gathering *g = data;

    *bytes = g->pack.bytes;
    *len = g->pack.len;
    return PDUMP_OK;
}

static int line_end(struct gathering *g)
{
    struct pdump_unpack in = { .at = g->pack.bytes,
                               .end = g->pack.bytes + g->pack.len };
    int64_t thread = 0;
    int err = PDUMP_OK;

    while (err >= 0 && in.at < in.end) {
        int64_t n_threads = pdump_unpack_int(&in);
        int64_t len = pdump_unpack_int(&in);
        const void *bytes =
            len < 0 ? NULL : pdump_unpack_bytes(&in, (size_t)len);

        err = bytes
                  ? details_unpack(g->builder, bytes, (size_t)len, (int)thread)
                  : pdump_fail(PDUMP_EFORMAT,
                               "a message of another rank is damaged");
        thread += n_threads;
    }
    return err;
}

static int sum_add(void *data, void *bytes, size_t len)
{
    struct gathering *g = data;

    return details_unpack(g->builder, bytes, len, -1);
}

static int sum_give(void *data, const void **bytes, size_t *len)
{
    struct gathering *g = data;
    int err = pdump_builder_finish(g->builder, &g->dump);

    if (err >= 0)
        pdump_pack_details(&g->pack, g->dump, true);
    *bytes = g->pack.bytes;
    *len = g->pack.len;
    return err >= 0 && g->pack.is_bad ? pdump_no_memory() : err;
}

/* Unites the rank's own details over threads, as those of other ranks are. */
static int sum_start(struct gathering *g, const struct pdump_dump *mine,
                     int64_t max)
{
    struct pdump_pack p = { 0 };
    int err;

    pdump_builder_limit_details(g->builder, max < LEAST_MAX ? LEAST_MAX : max);
    pdump_pack_details(&p, mine, false);
    err = p.is_bad ? pdump_no_memory() : sum_add(g, p.bytes, p.len);
    free(p.bytes);
    return err;
}

static int details_note(struct pdump_builder *b,
                        enum pdump_aggregate_details_way way)
{
    int err = PDUMP_OK;

    if (way == PDUMP_AGGREGATE_DETAILS_TOO_LARGE)
        err = pdump_builder_warning(
            b,
            "the details of all ranks need more than PDUMP_GATHER_MAX: they "
            "were united over ranks",
            1);
    if (err >= 0 && way != PDUMP_AGGREGATE_DETAILS_EACH)
        err = pdump_builder_metadata(b, "details", "united over ranks");
    return err;
}

/* On rank 0: finishes when all details have arrived. */
static int gathering_finish(struct gathering *g,
                            enum pdump_aggregate_details_way way,
                            struct pdump_dump **tables)
{
    int err = way == PDUMP_AGGREGATE_DETAILS_EACH ? line_end(g) : PDUMP_OK;

    if (err >= 0)
        err = details_note(g->builder, way);
    if (err >= 0)
        err = pdump_builder_finish(g->builder, &g->dump);
    if (err < 0)
        return err;
    pdump_dump_free(*tables);
    *tables = g->dump;
    g->dump = NULL;
    return PDUMP_OK;
}

int pdump_aggregate_details(const struct pdump_comm *comm,
                            const struct pdump_dump *mine,
                            enum pdump_aggregate_details_way way, int64_t max,
                            struct pdump_dump **tables)
{
    static const struct pdump_collectives lines = { line_add, line_give };
    static const struct pdump_collectives sums = { sum_add, sum_give };
    bool is_root = comm->rank() == 0,
         is_each = way == PDUMP_AGGREGATE_DETAILS_EACH;
    struct gathering g = { 0 };
    int err = PDUMP_OK;

    if (way == PDUMP_AGGREGATE_DETAILS_NONE)
        return PDUMP_OK;
    if (is_root || !is_each)
        err = gathering_start(&g, is_root ? *tables : mine, is_root);
    if (err >= 0)
        err = is_each ? line_start(&g, mine) : sum_start(&g, mine, max);
    if (err >= 0)
        err = pdump_collectives_up(comm, is_each ? &lines : &sums, &g);
    if (err >= 0 && is_root)
        err = gathering_finish(&g, way, tables);
    pdump_dump_free(g.dump);
    free(g.pack.bytes);
    pdump_builder_free(g.builder);
    return err;
}
