/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON format: one document with all tables of a dump. */
#include "base/json.h"
#include "dump/ranks.h"
#include "write/sink.h"
#include "write/sink_json_details.h"

#include <stdlib.h>

enum { JSON_VERSION = 1 };

/* Opens a table, or starts its next line. */
static void next_element(FILE *f, bool is_first)
{
    fputs_unlocked(is_first ? "\n    " : ",\n    ", f);
}

static void put_list(FILE *f, const char *before, enum pdump_table table,
                     const struct pdump_dump *dump)
{
    const char *entry;
    int n = pdump_schema_list(&pdump_schema[table], dump, &entry);

    fputs_unlocked(before, f);
    for (int i = 0; i < n; i++, entry += pdump_schema[table].size) {
        next_element(f, i == 0);
        pdump_json_put_fields(f, table, entry);
        putc_unlocked('}', f);
    }
    putc_unlocked(']', f);
}

static void put_rows(FILE *f, const struct pdump_dump *dump)
{
    fputs_unlocked(",\n  \"rows\": [", f);
    for (int64_t i = 0; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];

        next_element(f, i == 0);
        pdump_json_int(f, "{\"thread\": ", row->thread);
        pdump_json_int(f, ", \"node\": ", row->node);
        pdump_json_int(
            f, ", \"parent\": ", row->parent < 0 ? PDUMP_MISSING : row->parent);
        pdump_json_int(f, ", \"visits\": ", row->visits);
        fputs_unlocked(row->is_open ? ", \"open\": true, \"values\": ["
                                    : ", \"open\": false, \"values\": [",
                       f);
        for (int m = 0; m < dump->n_metrics; m++) {
            const struct pdump_dump_column *column = &dump->columns[m];

            pdump_json_int(f,
                           m ? ", {\"sum\": " : "{\"sum\": ", column->sum[i]);
            pdump_json_int(f, ", \"exclusive\": ", column->exclusive[i]);
            pdump_json_int(f, ", \"min\": ", column->min[i]);
            pdump_json_int(f, ", \"max\": ", column->max[i]);
            pdump_json_real(f, ", \"sumsq\": ", column->sumsq[i]);
            putc_unlocked('}', f);
        }
        fputs_unlocked("]}", f);
    }
    putc_unlocked(']', f);
}

static void put_samples(FILE *f, const struct pdump_dump *dump)
{
    fputs_unlocked(",\n  \"samples\": [", f);
    for (int64_t i = 0; i < dump->n_samples; i++) {
        const struct pdump_dump_sample *sample = &dump->samples[i];

        next_element(f, i == 0);
        pdump_json_int(f, "{\"thread\": ", sample->thread);
        pdump_json_int(f, ", \"node\": ", sample->node);
        pdump_json_int(f, ", \"number\": ", sample->number);
        pdump_json_int(f, ", \"start_ns\": ", sample->start);
        fputs_unlocked(", \"values\": [", f);
        for (int m = 0; m < dump->n_metrics; m++)
            pdump_json_int(f, m ? ", " : "", dump->sample_values[m][i]);
        fputs_unlocked("]}", f);
    }
    putc_unlocked(']', f);
}

static void put_stat(FILE *f, int node, int metric,
                     const struct pdump_dump_rank_stat *stat)
{
    pdump_json_int(f, "{\"node\": ", node);
    pdump_json_int(f, ", \"metric\": ", metric < 0 ? PDUMP_MISSING : metric);
    pdump_json_int(f, ", \"ranks\": ", stat->n);
    pdump_json_int(f, ", \"sum\": ", stat->sum);
    pdump_json_real(f, ", \"mean\": ", pdump_rank_stat_mean(stat));
    pdump_json_int(f, ", \"min\": ", stat->min);
    pdump_json_int(f, ", \"max\": ", stat->max);
    pdump_json_real(f, ", \"stddev\": ", pdump_rank_stat_stddev(stat));
    pdump_json_real(f, ", \"imbalance\": ", pdump_rank_stat_imbalance(stat));
    pdump_json_real(f, ", \"sumsq\": ", stat->sumsq);
    pdump_json_int(f, ", \"rank_of_min\": ", stat->rank_of_min);
    pdump_json_int(f, ", \"rank_of_max\": ", stat->rank_of_max);
    putc_unlocked('}', f);
}

/* Writes statistics of each metric and of the visits: from the dump if it has
 * them, otherwise from its rows. */
static int put_stats(FILE *f, const struct pdump_dump *dump,
                     const struct pdump_ranks *ranks,
                     const struct pdump_ranks_groups *nodes)
{
    size_t size = ((size_t)nodes->n + 1) * sizeof(struct pdump_dump_rank_stat);
    struct pdump_dump_rank_stat *line = malloc(size);
    int err = line ? PDUMP_OK : pdump_no_memory();
    bool is_first = true;

    for (int m = 0; err >= 0 && m <= dump->n_metrics; m++) {
        int metric = m < dump->n_metrics ? m : -1;
        const struct pdump_dump_rank_stat *stats = line;

        if (dump->stats)
            stats = dump->stats[m];
        else
            err = pdump_ranks_stats(dump, ranks, metric, nodes, line);
        for (int i = 0; err >= 0 && i < dump->n_nodes; i++) {
            if (stats[i].n <= 0)
                continue;
            next_element(f, is_first);
            put_stat(f, i, metric, &stats[i]);
            is_first = false;
        }
    }
    free(line);
    return err;
}

/* Writes what only a job with several ranks has. */
static int put_ranks(FILE *f, const struct pdump_dump *dump)
{
    int *node = malloc(((size_t)dump->n_rows + 1) * sizeof(*node));
    struct pdump_ranks_groups nodes = { .group = node, .n = dump->n_nodes };
    struct pdump_ranks ranks;
    int err = node ? pdump_ranks_of(dump, &ranks) : pdump_no_memory();

    if (err < 0) {
        free(node);
        return err;
    }
    for (int64_t i = 0; i < dump->n_rows; i++)
        node[i] = dump->rows[i].node;
    if (dump->stats || ranks.n > 1) {
        pdump_json_int(f, ",\n  \"ranks\": ", pdump_ranks_of_job(dump, &ranks));
        fputs_unlocked(",\n  \"statistics\": [", f);
        err = put_stats(f, dump, &ranks, &nodes);
        putc_unlocked(']', f);
    }
    pdump_ranks_free(&ranks);
    free(node);
    return err;
}

static void put_metadata(FILE *f, const struct pdump_dump *dump)
{
    fputs_unlocked(",\n  \"metadata\": {", f);
    for (int i = 0; i < dump->n_metadata; i++) {
        next_element(f, i == 0);
        pdump_json_string(f, "", dump->metadata[i].key);
        pdump_json_string(f, ": ", dump->metadata[i].value);
    }
    putc_unlocked('}', f);
}

static int put_document(FILE *f, void *data)
{
    const struct pdump_dump *dump = data;
    int err;

    fputs_unlocked("{\n  \"format\": \"libpdump\"", f);
    pdump_json_int(f, ",\n  \"version\": ", JSON_VERSION);
    put_metadata(f, dump);
    put_list(f, ",\n  \"warnings\": [", PDUMP_TABLE_WARNINGS, dump);
    put_list(f, ",\n  \"metrics\": [", PDUMP_TABLE_METRICS, dump);
    put_list(f, ",\n  \"regions\": [", PDUMP_TABLE_REGIONS, dump);
    put_list(f, ",\n  \"nodes\": [", PDUMP_TABLE_NODES, dump);
    put_list(f, ",\n  \"processes\": [", PDUMP_TABLE_PROCESSES, dump);
    put_list(f, ",\n  \"threads\": [", PDUMP_TABLE_THREADS, dump);
    put_rows(f, dump);
    put_samples(f, dump);
    pdump_json_put_details(f, dump);
    err = put_ranks(f, dump);
    fputs_unlocked("\n}\n", f);
    return err;
}

static int json_write(struct pdump_stream *in,
                      const struct pdump_new_file *file)
{
    const struct pdump_dump *dump;
    int err = pdump_stream_whole(in, &dump);

    return err < 0 ? err : pdump_sink_print(file, put_document, (void *)dump);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".json", .write = json_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_json = {
    .name = "json",
    .about = "one document with all tables",
    .parts = parts,
    .has_stacks = true,
};
