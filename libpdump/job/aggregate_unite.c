/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives metrics, regions and nodes the same numbers on every rank.
 *
 * The ranks of a job mostly have the same tree; then their hashes are equal and
 * nothing needs to be sent.  Otherwise the trees are sent to rank 0, united on
 * the way, and the union is sent back.
 */
#include "job/aggregate_unite.h"
#include "dump/dump_copy.h"
#include "job/collectives.h"
#include "job/pack_dump.h"

#include <stdlib.h>

struct union_of {
    struct pdump_builder *builder;
    struct pdump_dump *tables; /* the result of the builder */
    struct pdump_pack pack;
    bool is_same;
};

static int union_unpack(struct union_of *u, const void *bytes, size_t len)
{
    struct pdump_unpack in = { .at = bytes, .end = (const char *)bytes + len };
    int err =
        pdump_unpack_int(&in) ? pdump_unpack_tree(&in, u->builder) : PDUMP_OK;

    return err < 0 ? err : pdump_unpack_processes(&in, u->builder);
}

static int tree_pack(struct pdump_pack *p, const struct pdump_dump *dump,
                     bool has_tree)
{
    *p = (struct pdump_pack){ 0 };
    pdump_pack_int(p, has_tree);
    if (has_tree)
        pdump_pack_tree(p, dump);
    pdump_pack_processes(p, dump);
    if (!p->is_bad)
        return PDUMP_OK;
    free(p->bytes);
    *p = (struct pdump_pack){ 0 };
    return pdump_no_memory();
}

static int union_add(void *data, void *bytes, size_t len)
{
    return union_unpack(data, bytes, len);
}

static int union_finish(struct union_of *u)
{
    return u->tables ? PDUMP_OK : pdump_builder_finish(u->builder, &u->tables);
}

static int union_give(void *data, const void **bytes, size_t *len)
{
    struct union_of *u = data;
    int err = union_finish(u);

    if (err >= 0)
        err = tree_pack(&u->pack, u->tables, !u->is_same);
    *bytes = u->pack.bytes;
    *len = u->pack.len;
    return err;
}

/* Starts with the processes of this rank, and with its tree if `has_tree`. */
static int union_start(struct union_of *u, const struct pdump_dump *given,
                       bool has_tree)
{
    struct pdump_dump_copy copy = { .from = given };
    int err = pdump_builder_new(&u->builder);

    copy.to = u->builder;
    if (err >= 0 && has_tree)
        err = pdump_dump_copy_tree(&copy);
    if (err >= 0)
        err = pdump_dump_copy_threads(&copy);
    if (err >= 0)
        err = pdump_dump_copy_metadata(&copy);
    if (err >= 0)
        err = pdump_dump_copy_warnings(&copy);
    pdump_dump_copy_free(&copy);
    return err;
}

/* Returns a hash that differs for different trees. */
static uint64_t tree_fingerprint(const struct pdump_pack *tree)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < tree->len / sizeof(sum); i++) {
        sum = (sum ^ ((const uint64_t *)(const void *)tree->bytes)[i]) *
              UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

/* Converts this rank's dump to the numbers of the union. */
static int dump_renumber(const void *bytes, size_t len,
                         const struct pdump_dump *given,
                         const struct pdump_dump **mine)
{
    struct pdump_unpack in = { .at = bytes, .end = (const char *)bytes + len };
    struct pdump_dump *own;
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    err = pdump_unpack_tree(&in, b);
    if (err >= 0)
        err = pdump_dump_copy_all(b, given);
    if (err >= 0)
        err = pdump_builder_finish(b, &own);
    if (err >= 0)
        *mine = own;
    pdump_builder_free(b);
    return err;
}

static int bring_back(const struct pdump_comm *comm,
                      const struct pdump_dump *given,
                      const struct pdump_dump **mine,
                      const struct pdump_dump *tables)
{
    struct pdump_pack p = { 0 };
    void *bytes;
    size_t len;
    int err;

    if (tables)
        pdump_pack_tree(&p, tables);
    bytes = p.bytes;
    len = p.len;
    err = p.is_bad ? pdump_no_memory()
                   : pdump_collectives_down(comm, &bytes, &len);
    if (err >= 0)
        err = dump_renumber(bytes, len, given, mine);
    free(bytes);
    return err;
}

int pdump_aggregate_unite(const struct pdump_comm *comm,
                          const struct pdump_dump *given,
                          const struct pdump_dump **mine,
                          struct pdump_dump **tables)
{
    static const struct pdump_collectives how = { union_add, union_give };
    struct union_of u = { 0 };
    struct pdump_pack tree = { 0 };
    bool is_root = comm->rank() == 0;
    int err;

    *mine = given;
    *tables = NULL;
    pdump_pack_tree(&tree, given);
    err = tree.is_bad ? pdump_no_memory() : comm->same(tree_fingerprint(&tree));
    u.is_same = err > 0;
    free(tree.bytes);
    if (err >= 0)
        err = union_start(&u, given, is_root || !u.is_same);
    if (err >= 0)
        err = pdump_collectives_up(comm, &how, &u);
    if (err >= 0 && is_root)
        err = union_finish(&u);
    if (err >= 0 && !u.is_same)
        err = bring_back(comm, given, mine, is_root ? u.tables : NULL);
    if (err >= 0 && is_root)
        *tables = u.tables;
    else
        pdump_dump_free(u.tables);
    free(u.pack.bytes);
    pdump_builder_free(u.builder);
    return err;
}
