/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile of `go tool pprof`, profile.proto: a call path with its figures
 * for each thread.
 *
 * With stacks the figures are stacks and their CPU time; without, visits and
 * the time in regions.  The innermost frame of a stack has the line that was
 * executed; an outer one has the line of its most frequent call, as the dump
 * does not say which call is whose.
 *
 * Every sample has its whole path.  So that a deep recursion does not fill the
 * disk, what is below DEPTH_MAX is one sample.  The file is not compressed,
 * which readers accept: this library is linked with nothing that can.
 */
#include "base/pair_index.h"
#include "base/utf8.h"
#include "dump/stacks.h"
#include "stream/stack_weights.h"
#include "report/view/stack_lines.h"
#include "write/protobuf.h"
#include "write/sink.h"

#include <pdump.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 500, N_VALUES = 2 };

/* Fields of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT = 14,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_TEXT = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_NUMBER = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_LINE = 5,
};

/* The strings before those of regions and threads, of which each has two: name
 * and file, rank and number. */
enum word {
    WORD_NONE,
    WORD_COUNT,
    WORD_NANOSECONDS,
    WORD_FIRST_TYPE,
    WORD_SECOND_TYPE,
    WORD_RANK,
    WORD_THREAD,
    WORD_DEEPER,
    WORD_COMMENT,
    N_WORDS
};

struct figures {
    int64_t value[N_VALUES];
};

struct profile {
    FILE *f;
    const struct pdump_dump *tables;
    bool has_stacks;
    int metric[N_VALUES]; /* -1: visits */
    struct pdump_stack_lines lines;
    struct pdump_pair_index locations; /* region and line */
    int64_t n_locations;
    int *cut;             /* by node: it, or the node around at DEPTH_MAX */
    struct figures *deep; /* by node: of all nodes that are cut there */
    struct pdump_protobuf out, message, inner;
    struct pdump_protobuf labels; /* of the current thread */
};

static int flush(struct profile *p)
{
    fwrite(p->out.bytes, 1, p->out.n, p->f);
    p->out.n = 0;
    return p->out.is_bad ? pdump_no_memory() : PDUMP_OK;
}

static void put_string(struct profile *p, const char *text, bool is_name)
{
    static const struct pdump_utf8_rules rules = { "", ' ', NULL, 0 };
    char *clean = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&clean, &len);

    if (f && (*text || is_name))
        pdump_utf8_put(f, text, &rules);
    p->out.is_bad = p->out.is_bad || !f || fclose(f) != 0;
    pdump_protobuf_bytes(&p->out, PROFILE_STRING, clean, clean ? len : 0);
    free(clean);
}

static void put_number(struct profile *p, int number)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", number);
    put_string(p, text, false);
}

static void put_strings(struct profile *p)
{
    const char *words[N_WORDS] = { [WORD_NONE] = "",
                                   [WORD_COUNT] = "count",
                                   [WORD_NANOSECONDS] = "nanoseconds",
                                   [WORD_FIRST_TYPE] =
                                       p->has_stacks ? "stacks" : "visits",
                                   [WORD_SECOND_TYPE] =
                                       p->has_stacks ? "cpu" : "time",
                                   [WORD_RANK] = "rank",
                                   [WORD_THREAD] = "thread",
                                   [WORD_DEEPER] = "(deeper)" };
    char comment[64];

    snprintf(comment, sizeof(comment), "libpdump %s", pdump_version());
    words[WORD_COMMENT] = comment;
    for (int i = 0; i < N_WORDS; i++)
        put_string(p, words[i], false);
    for (int i = 0; i < p->tables->n_regions; i++) {
        put_string(p, p->tables->regions[i].name, true);
        put_string(p, p->tables->regions[i].file, false);
    }
    for (int i = 0; i < p->tables->n_threads; i++) {
        const struct pdump_dump_thread *t = &p->tables->threads[i];

        put_number(p, p->tables->processes[t->process].rank);
        put_number(p, t->number);
    }
}

static void put_type(struct profile *p, int field, int type, int unit)
{
    pdump_protobuf_int(&p->message, 1, type);
    pdump_protobuf_int(&p->message, 2, unit);
    pdump_protobuf_message(&p->out, field, &p->message);
}

static void put_function(struct profile *p, int id, int name, int file,
                         int line)
{
    pdump_protobuf_int(&p->message, FUNCTION_ID, id);
    pdump_protobuf_int(&p->message, FUNCTION_NAME, name);
    pdump_protobuf_int(&p->message, FUNCTION_SYSTEM_NAME, name);
    pdump_protobuf_int(&p->message, FUNCTION_FILE, file);
    pdump_protobuf_int(&p->message, FUNCTION_LINE, line);
    pdump_protobuf_message(&p->out, PROFILE_FUNCTION, &p->message);
}

/* The CPU time between two stacks, as far as the dump says. */
static int64_t period_of(const struct pdump_dump *tables)
{
    const char *stacks = pdump_dump_metadata(tables, "stacks");
    const char *ns = pdump_dump_metadata(tables, "stacks_cpu_time_ns");
    int64_t n = stacks ? strtoll(stacks, NULL, 10) : 0;

    return n > 0 && ns ? strtoll(ns, NULL, 10) / n : 0;
}

static void put_head(struct profile *p)
{
    put_type(p, PROFILE_SAMPLE_TYPE, WORD_FIRST_TYPE, WORD_COUNT);
    put_type(p, PROFILE_SAMPLE_TYPE, WORD_SECOND_TYPE, WORD_NANOSECONDS);
    if (p->has_stacks && period_of(p->tables) > 0) {
        put_type(p, PROFILE_PERIOD_TYPE, WORD_SECOND_TYPE, WORD_NANOSECONDS);
        pdump_protobuf_int(&p->out, PROFILE_PERIOD, period_of(p->tables));
    }
    pdump_protobuf_int(&p->out, PROFILE_COMMENT, WORD_COMMENT);
    pdump_protobuf_int(&p->out, PROFILE_DEFAULT, WORD_SECOND_TYPE);
    put_strings(p);
    for (int i = 0; i < p->tables->n_regions; i++)
        put_function(p, i + 1, N_WORDS + 2 * i, N_WORDS + 2 * i + 1,
                     p->tables->regions[i].line);
    put_function(p, p->tables->n_regions + 1, WORD_DEEPER, 0, 0);
}

/* Returns the number of a location, which is written at its first use, or a
 * pdump_error. */
static int64_t find_location(struct profile *p, int region, int line)
{
    int64_t at = pdump_pair_index_find(&p->locations, region, line);

    if (at >= 0)
        return at;
    at = ++p->n_locations;
    if (pdump_pair_index_put(&p->locations, region, line, at) < 0)
        return PDUMP_ENOMEM;
    pdump_protobuf_int(&p->inner, LINE_FUNCTION, region + 1);
    pdump_protobuf_int(&p->inner, LINE_NUMBER, line);
    pdump_protobuf_int(&p->message, LOCATION_ID, at);
    pdump_protobuf_message(&p->message, LOCATION_LINE, &p->inner);
    pdump_protobuf_message(&p->out, PROFILE_LOCATION, &p->message);
    return at;
}

/* The location of a node; `line` is 0 for the usual one. */
static int64_t location_of(struct profile *p, int node, int line)
{
    int region = p->tables->nodes[node].region;

    if (line == 0 && p->lines.usual[node])
        line = pdump_stack_lines_number(p->tables, node, p->lines.usual[node]);
    return find_location(p, region,
                         line ? line : p->tables->regions[region].line);
}

/* Writes the path of a node, the innermost frame first.  The locations come
 * before the sample, so they are made first. */
static int put_sample(struct profile *p, int node, int line, bool is_deeper,
                      const struct figures *of)
{
    struct pdump_protobuf path = { 0 };
    int64_t at = PDUMP_OK;

    if (of->value[0] <= 0 && of->value[1] <= 0)
        return PDUMP_OK;
    if (is_deeper) {
        at = find_location(p, p->tables->n_regions, 0);
        pdump_protobuf_number(&path, at);
    }
    for (; node >= 0 && at >= 0; node = p->tables->nodes[node].parent) {
        at = location_of(p, node, line);
        pdump_protobuf_number(&path, at);
        line = 0;
    }
    pdump_protobuf_message(&p->message, SAMPLE_LOCATION, &path);
    pdump_protobuf_free(&path);
    for (int i = 0; i < N_VALUES; i++)
        pdump_protobuf_number(&p->inner,
                              pdump_node_totals_positive(of->value[i]));
    pdump_protobuf_message(&p->message, SAMPLE_VALUE, &p->inner);
    pdump_protobuf_raw(&p->message, p->labels.bytes, p->labels.n);
    pdump_protobuf_message(&p->out, PROFILE_SAMPLE, &p->message);
    return at < 0 ? (int)at : flush(p);
}

/* Wraps: files may have any numbers. */
static int64_t rest_of(int64_t all, int64_t part)
{
    return (int64_t)((uint64_t)all - (uint64_t)part);
}

/* Writes a row: the stacks that end in each line, and the rest. */
static int put_row(struct profile *p, const struct pdump_dump_row *row,
                   struct figures of)
{
    int err = PDUMP_OK;
    int64_t n = 0;
    const struct pdump_stack_line *line =
        pdump_stack_lines_find(&p->lines, row->thread, row->node,
                               p->has_stacks ? &n : &(int64_t){ 0 });

    for (; n > 0 && err >= 0; line++, n--) {
        if (line->number == 0)
            continue;
        of.value[0] = rest_of(of.value[0], line->stacks);
        of.value[1] = rest_of(of.value[1], line->time);
        err = put_sample(p, row->node, line->number, false,
                         &(struct figures){ { line->stacks, line->time } });
    }
    return err < 0 ? err : put_sample(p, row->node, 0, false, &of);
}

/* As texts: readers leave out a number that is 0. */
static void make_labels(struct profile *p, int thread)
{
    int first = N_WORDS + 2 * (p->tables->n_regions + thread);

    p->labels.n = 0;
    for (int i = 0; i < 2; i++) {
        pdump_protobuf_int(&p->inner, LABEL_KEY, i ? WORD_THREAD : WORD_RANK);
        pdump_protobuf_int(&p->inner, LABEL_TEXT, first + i);
        pdump_protobuf_message(&p->labels, SAMPLE_LABEL, &p->inner);
    }
}

static struct figures figures_of(const struct profile *p,
                                 const struct pdump_dump *piece, int64_t row)
{
    struct figures of;

    for (int i = 0; i < N_VALUES; i++)
        of.value[i] = pdump_node_totals_positive(
            p->metric[i] < 0 ? piece->rows[row].visits
                             : piece->columns[p->metric[i]].exclusive[row]);
    return of;
}

/* Writes the thread whose rows begin at `first`.  Returns their number. */
static int64_t put_thread(struct profile *p, const struct pdump_dump *piece,
                          int64_t first)
{
    int thread = piece->rows[first].thread, err = PDUMP_OK;
    int64_t i;

    make_labels(p, thread);
    for (i = first;
         err >= 0 && i < piece->n_rows && piece->rows[i].thread == thread;
         i++) {
        const struct pdump_dump_row *row = &piece->rows[i];
        struct figures of = figures_of(p, piece, i);
        struct figures *deep = &p->deep[p->cut[row->node]];

        if (p->cut[row->node] == row->node)
            err = put_row(p, row, of);
        else
            for (int v = 0; v < N_VALUES; v++)
                deep->value[v] =
                    pdump_node_totals_plus(deep->value[v], of.value[v]);
    }
    for (int64_t k = first; err >= 0 && k < i; k++) {
        int cut = p->cut[piece->rows[k].node];
        struct figures *deep = &p->deep[cut];

        err = put_sample(p, cut, 0, true, deep);
        *deep = (struct figures){ { 0 } };
    }
    return err < 0 ? err : i - first;
}

static int prepare_profile(struct profile *p)
{
    size_t n = (size_t)p->tables->n_nodes + 1;

    p->has_stacks = pdump_stacks_are_in(p->tables);
    p->metric[0] = pdump_dump_find_metric(p->tables, PDUMP_STACKS_COUNT);
    p->metric[1] = p->has_stacks
                       ? pdump_dump_find_metric(p->tables, PDUMP_STACKS_TIME)
                       : pdump_sink_time(p->tables);
    if (p->metric[1] < 0)
        return p->has_stacks
                   ? pdump_fail(PDUMP_EFORMAT, "the stacks have no time")
                   : p->metric[1];
    p->cut = calloc(n, sizeof(*p->cut));
    p->deep = calloc(n, sizeof(*p->deep));
    if (!p->cut || !p->deep)
        return pdump_no_memory();
    for (int i = 0; i < p->tables->n_nodes; i++)
        p->cut[i] = p->tables->nodes[i].depth < DEPTH_MAX
                        ? i
                        : p->cut[p->tables->nodes[i].parent];
    return pdump_stack_lines(p->tables, &p->lines);
}

static int put_pieces(struct profile *p, struct pdump_stream *in)
{
    int err = flush(p);

    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;
        int64_t n = err = in->piece(in, i, &piece);

        for (int64_t row = 0; n >= 0 && row < piece->n_rows; row += n)
            n = put_thread(p, piece, row);
        err = n < 0 ? (int)n : PDUMP_OK;
    }
    return err;
}

static int put_profile(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    struct profile p = { .f = f, .tables = in->tables };
    int err = prepare_profile(&p);

    if (err >= 0) {
        put_head(&p);
        err = put_pieces(&p, in);
    }
    pdump_stack_lines_free(&p.lines);
    pdump_pair_index_free(&p.locations);
    pdump_protobuf_free(&p.out);
    pdump_protobuf_free(&p.message);
    pdump_protobuf_free(&p.inner);
    pdump_protobuf_free(&p.labels);
    free(p.cut);
    free(p.deep);
    return err;
}

static int pprof_write(struct pdump_stream *in,
                       const struct pdump_new_file *file)
{
    return pdump_node_totals_print_rows(in, file, put_profile);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".pprof", .write = pprof_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_pprof = {
    .name = "pprof",
    .about = "call paths and their time, for go tool pprof",
    .has_stacks = true,
    .parts = parts,
};
