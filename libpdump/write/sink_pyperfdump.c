/* SPDX-License-Identifier: BSD-3-Clause */
/* PyPerfDump's CSV layout: region,event,value without a header, for scripts
 * that were written for it; in an MPI job, the rank comes first. */
#include "base/csv.h"
#include "dump/profile_blocks.h"
#include "dump/ranks.h"
#include "stream/node_totals.h"
#include "write/sink.h"

struct lines {
    const struct pdump_dump *dump;
    const struct pdump_ranks *ranks;
    bool has_rank;
    int time; /* index of the metric, or -1 */
};

static void begin_line(FILE *f, const struct lines *l,
                       const struct pdump_profile_block *block,
                       const char *event)
{
    if (l->has_rank) {
        pdump_csv_put_int(f, l->ranks->number[block->rank]);
        putc_unlocked(',', f);
    }
    pdump_csv_put_bare(f, l->dump->regions[block->region].name);
    putc_unlocked(',', f);
    pdump_csv_put_bare(f, event);
    putc_unlocked(',', f);
}

/* PyPerfDump prints the seconds in another way with MPI than without. */
static void put_block(FILE *f, const struct lines *l,
                      const struct pdump_profile_block *block)
{
    for (int m = 0; m < l->dump->n_metrics; m++) {
        if (m == l->time || block->values[m] == PDUMP_MISSING)
            continue;
        begin_line(f, l, block, l->dump->metrics[m].name);
        pdump_csv_put_int(f, block->values[m]);
        putc_unlocked('\n', f);
    }
    if (l->time < 0 || block->values[l->time] == PDUMP_MISSING)
        return;
    begin_line(f, l, block, "Runtime");
    fprintf(f, l->has_rank ? "%.7f\n" : "%g\n",
            (double)block->values[l->time] / 1e9);
}

static int put_blocks(FILE *f, struct pdump_stream *in, bool is_of_ranks)
{
    const struct pdump_dump *dump;
    struct pdump_profile_blocks blocks;
    struct pdump_ranks ranks;
    struct lines l = { .ranks = &ranks };
    int err = pdump_stream_whole(in, &dump);

    if (err >= 0)
        err = pdump_ranks_of(dump, &ranks);
    if (err < 0)
        return err;
    l.dump = dump;
    l.has_rank = is_of_ranks && (in->n_ranks > 0 || ranks.n > 1 ||
                                 pdump_dump_metadata(dump, "ranks"));
    l.time = pdump_dump_find_metric(dump, "time");
    err = pdump_profile_blocks_of(dump, &blocks);
    for (int64_t i = 0; err >= 0 && i < blocks.n; i++)
        put_block(f, &l, &blocks.block[i]);
    if (err >= 0)
        pdump_profile_blocks_free(&blocks);
    pdump_ranks_free(&ranks);
    return err;
}

static int put_ranks(FILE *f, void *in)
{
    return put_blocks(f, in, true);
}

static int put_sums(FILE *f, void *in)
{
    return put_blocks(f, in, false);
}

static int pyperfdump_write(struct pdump_stream *in,
                            const struct pdump_new_file *file)
{
    bool is_of_ranks = !in->tables->stats || in->row_ptr[in->n_pieces] > 0;

    return pdump_node_totals_print_rows(in, file,
                                        is_of_ranks ? put_ranks : put_sums);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".csv", .write = pyperfdump_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_pyperfdump = {
    .name = "csv-pyperfdump",
    .about = "PyPerfDump's layout: [rank,]region,event,value",
    .appends = true,
    .parts = parts,
};
