/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Caliper's "split" JSON, for Hatchet and Thicket: the nodes, and a line of
 * values for each node and rank.
 *
 * Hatchet distinguishes nodes and ranks only: threads and forked processes are
 * summed.  Times are in seconds.
 */
#include "base/json.h"
#include "base/utf8.h"
#include "stream/node_totals.h"
#include "write/sink.h"

#include <pdump.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 9 };

static bool is_gauge(const struct pdump_dump *dump, int metric)
{
    return dump->metrics[metric].kind == PDUMP_GAUGE;
}

static bool is_time(const struct pdump_dump *dump, int metric)
{
    return strcmp(dump->metrics[metric].name, "time") == 0;
}

static int put_column(FILE *f, const char *prefix, const char *name,
                      const char *suffix)
{
    size_t len = strlen(prefix) + strlen(name) + strlen(suffix) + 1;
    char *column = malloc(len);

    if (!column)
        return pdump_no_memory();
    snprintf(column, len, "%s%s%s", prefix, name, suffix);
    pdump_json_string(f, ",", column);
    free(column);
    return PDUMP_OK;
}

/* Hatchet looks for the time under Caliper's names.  It treats other metrics as
 * inclusive if their names end with "(inc)". */
static int put_columns_of(FILE *f, const struct pdump_dump *dump, int metric)
{
    const char *name = dump->metrics[metric].name;
    int err;

    if (is_time(dump, metric)) {
        fputs(",\"sum#time.duration\",\"inclusive#sum#time.duration\"", f);
        return PDUMP_OK;
    }
    if (is_gauge(dump, metric))
        return put_column(f, "max#", name, "");
    err = put_column(f, "sum#", name, "");
    return err < 0 ? err : put_column(f, "sum#", name, " (inc)");
}

static int put_columns(FILE *f, const struct pdump_dump *dump)
{
    int err = PDUMP_OK;

    fputs("],\n\"columns\":[\"path\",\"mpi.rank\",\"count\"", f);
    for (int m = 0; err >= 0 && m < dump->n_metrics; m++)
        err = put_columns_of(f, dump, m);
    fputs("],\n\"column_metadata\":[{\"is_value\":false},{\"is_value\":true},"
          "{\"is_value\":true}",
          f);
    for (int m = 0; m < dump->n_metrics; m++) {
        const char *unit = is_time(dump, m) ? "sec" : dump->metrics[m].unit;

        for (int n = is_gauge(dump, m) ? 1 : 2; n > 0; n--) {
            pdump_json_string(
                f, ",\n{\"is_value\":true,\"attribute.unit\":", unit);
            putc_unlocked('}', f);
        }
    }
    return err;
}

static void put_nodes(FILE *f, const struct pdump_dump *dump)
{
    fputs("],\n\"nodes\":[", f);
    for (int i = 0; i < dump->n_nodes; i++) {
        const struct pdump_dump_node *node = &dump->nodes[i];

        pdump_json_string(f, i ? ",\n{\"label\":" : "\n{\"label\":",
                          pdump_utf8_name(dump->regions[node->region].name));
        fputs_unlocked(",\"column\":\"path\"", f);
        if (node->parent >= 0)
            pdump_json_int(f, ",\"parent\":", node->parent);
        putc_unlocked('}', f);
    }
    putc_unlocked(']', f);
}

/* Facts about the run are beside the tables in the document, so none may have
 * the name of a table. */
static void put_facts(FILE *f, const struct pdump_dump *dump)
{
    static const char *const taken[] = { "data", "columns", "column_metadata",
                                         "nodes" };

    for (int i = 0; i < dump->n_metadata; i++) {
        const char *key = dump->metadata[i].key;
        bool is_taken = false;

        for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++)
            is_taken = is_taken || strcmp(taken[k], key) == 0;
        if (is_taken)
            continue;
        pdump_json_string(f, ",\n", key);
        pdump_json_string(f, ":", dump->metadata[i].value);
    }
}

static void put_values(FILE *f, const struct pdump_dump *dump,
                       const struct pdump_node_totals *t, int node)
{
    for (int m = 0; m < t->n_metrics; m++) {
        size_t at = (size_t)m * (size_t)t->n_nodes + (size_t)node;

        if (is_time(dump, m)) {
            pdump_json_ns(f, ",", t->self[at], DIGITS);
            pdump_json_ns(f, ",", t->sum[at], DIGITS);
            continue;
        }
        if (!is_gauge(dump, m))
            pdump_json_int(f, ",", t->self[at]);
        pdump_json_int(f, ",", t->sum[at]);
    }
}

/* Writes the values of a rank; `before` is the text before its first line. */
static void put_rank(FILE *f, const struct pdump_dump *dump,
                     const struct pdump_node_totals *t, int rank,
                     const char **before)
{
    for (int i = 0; i < t->n_nodes; i++) {
        if (!pdump_node_totals_has(t, i))
            continue;
        pdump_json_int(f, *before, i);
        pdump_json_int(f, ",", rank);
        pdump_json_int(f, ",", t->visits[i]);
        put_values(f, dump, t, i);
        putc_unlocked(']', f);
        *before = ",\n[";
    }
}

struct order {
    int rank;
    int piece;
};

static int by_rank(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

/* Writes rank by rank.  The pieces of a job are in this order already; if
 * several files were read, the parts of a rank are put together. */
static int put_ranks(FILE *f, struct pdump_stream *in,
                     const struct order *order, struct pdump_node_totals *t)
{
    const char *before = "\n[";

    for (int i = 0; i < in->n_pieces; i++) {
        const struct pdump_dump *piece;
        int err = in->piece(in, order[i].piece, &piece);

        if (err < 0)
            return err;
        pdump_node_totals_add(t, piece);
        if (i + 1 < in->n_pieces && order[i + 1].rank == order[i].rank)
            continue;
        put_rank(f, in->tables, t, order[i].rank, &before);
        pdump_node_totals_clear(t);
    }
    return PDUMP_OK;
}

static int put_data(FILE *f, struct pdump_stream *in)
{
    struct order *order = malloc(((size_t)in->n_pieces + 1) * sizeof(*order));
    struct pdump_node_totals totals;
    int err =
        order ? pdump_node_totals_new(in->tables, &totals) : pdump_no_memory();

    if (err >= 0) {
        for (int i = 0; i < in->n_pieces; i++)
            order[i] = (struct order){ in->rank[i], i };
        qsort(order, (size_t)in->n_pieces, sizeof(*order), by_rank);
        err = put_ranks(f, in, order, &totals);
        pdump_node_totals_free(&totals);
    }
    free(order);
    return err;
}

static int put_document(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    int err;

    fputs("{\"data\":[", f);
    err = put_data(f, in);
    if (err >= 0)
        err = put_columns(f, in->tables);
    if (err < 0)
        return err;
    put_nodes(f, in->tables);
    put_facts(f, in->tables);
    fputs("}\n", f);
    return PDUMP_OK;
}

static int caliper_write(struct pdump_stream *in,
                         const struct pdump_new_file *file)
{
    return pdump_node_totals_print_rows(in, file, put_document);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".cali.json", .write = caliper_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_caliper = {
    .name = "caliper-json",
    .about = "Caliper's split JSON, for Hatchet and Thicket",
    .has_stacks = true,
    .parts = parts,
};
