/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump made by hand, for pictures of it.
 *   made NAME RANKS REGIONS METRICS STEPS [SLOWER]
 * writes NAME.csv: "main" with REGIONS regions in two levels, one of which has
 * a name that no page should take for its own; the last rank takes twice as
 * long.  "step" has STEPS samples on every rank.  Every rank sends to the next
 * one, from two call sites, and writes a file.  SLOWER (1) times as much is
 * spent in "region 0", which is gone if it is 0.  The fourth and fifth metric
 * are those of a roofline, which then has its roofs; then there are facts of a
 * run, too, and lines of the function "work" of script.py.  The sixth is a
 * level. If NAME ends with ".html", that is written, and ranks have events:
 * STEPS steps with all regions, each of which sends to the next rank, and a
 * marker.
 */
#include "dump/builder.h"
#include "base/event_encoding.h"
#include "write/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    const char *name;
    int ranks, regions, metrics, steps, slower;
};

static struct pdump_builder *b;

static int node(int parent, const char *name)
{
    const char *file = strcmp(name, "region 4") == 0
                           ? "/home/somebody/projects/solver/source/made.c"
                           : "made.c";

    return pdump_builder_node(
        b, parent,
        pdump_builder_region(
            b, &(struct pdump_dump_region){
                   .name = name, .group = "user", .file = file, .line = 7 }));
}

/* main { step { region 0 { region 1 .. region 9 } region 10 { ... } } } */
static int make_nodes(const struct order *o, int *nodes)
{
    int top = node(-1, "main"), step = node(top, "step"), outer = step;

    nodes[0] = top;
    nodes[1] = step;
    for (int i = 0; i < o->regions; i++) {
        char name[64];

        snprintf(name, sizeof(name),
                 i == 1 ? "</script><b>%d</b>" : "region %d", i);
        nodes[i + 2] = node(i % 10 ? outer : step, name);
        if (i % 10 == 0)
            outer = nodes[i + 2];
    }
    return o->regions + 2;
}

static int64_t value(const struct order *o, int i, int rank, int metric)
{
    int64_t one = 1000 + 37 * (i % 10) + 11 * metric + rank % 3;
    int64_t more = metric == 3 ? one * (i % 10) / 10 : 0;
    int64_t own = rank == o->ranks - 1 ? 2 * one : one;
    int inside = o->regions - (i - 2) < 10 ? o->regions - (i - 2) : 10;

    if (i < 2)
        return 12000 * (int64_t)(o->regions + 2 - i);
    return (i - 2) % 10 == 0 ? own * 2 * inside : own + more;
}

static void make_rank(const struct order *o, int rank, const int *nodes, int n)
{
    struct pdump_dump_process process = { .rank = rank,
                                          .pid = 1000 + rank,
                                          .host = "node",
                                          .command = "./made",
                                          .cpu = "Abacus" };
    int thread = pdump_builder_thread(
        b, &(struct pdump_dump_thread){
               .process = pdump_builder_process(b, &process), .name = "" });
    int64_t values[64] = { 0 };

    for (int i = 0; i < n; i++) {
        int times = i == 2 ? o->slower : 1;
        int64_t row;

        if (times == 0)
            continue;
        row = pdump_builder_row(b, thread, nodes[i], 10, false);
        for (int m = 0; m < o->metrics; m++) {
            int64_t sum = 1000 * times * value(o, i, rank, m);

            pdump_builder_value(b, row, m, sum, sum / 20, sum / 5,
                                (double)sum * (double)sum / 9);
        }
    }
    for (int i = 0; i < o->steps; i++) {
        struct pdump_dump_sample sample = {
            .thread = thread, .node = nodes[1], .number = i, .start = i * 1000
        };

        for (int m = 0; m < o->metrics; m++)
            values[m] = 100000 + 1000 * (i % 9) + 500 * rank;
        pdump_builder_sample(b, &sample, values);
    }
}

static void make_call(int thread, int place, int64_t visits)
{
    int64_t row = pdump_builder_row(b, thread, place, visits, false);

    pdump_builder_value(b, row, 0, 5000, 1, 900, 1e6);
}

/* One row: by label, in the table `detail`. */
static void put(int detail, int thread, int place, const char *label,
                const int64_t *values)
{
    pdump_builder_detail_row(
        b, detail,
        &(struct pdump_builder_details_place){
            .thread = thread, .node = place, .label = label },
        values);
}

static int table(const char *name, const char *key,
                 const struct pdump_dump_field *fields, int n)
{
    return pdump_builder_detail(
        b, &(struct pdump_dump_detail){ .name = name,
                                        .about = "made",
                                        .key = key,
                                        .fields = (void *)fields,
                                        .n_fields = n });
}

/* A node of `group` below the first one. */
static int call(const char *name, const char *group)
{
    return pdump_builder_node(
        b, 0,
        pdump_builder_region(
            b, &(struct pdump_dump_region){ .name = name, .group = group }));
}

static void make_details(const struct order *o, int send, int write)
{
    static const struct pdump_dump_field calls[] = {
        { "calls", "1", PDUMP_FIELD_SUM, 1 },
        { "time", "ns", PDUMP_FIELD_SUM, 1 },
        { "bytes_out", "B", PDUMP_FIELD_SUM, 1 },
        { "sizes", "1", PDUMP_FIELD_SUM, 4 },
        { "time_min", "ns", PDUMP_FIELD_MIN, 1 },
        { "time_max", "ns", PDUMP_FIELD_MAX, 1 },
        { "bytes_in", "B", PDUMP_FIELD_SUM, 1 },
        { "blocked", "ns", PDUMP_FIELD_SUM, 1 },
        { "flight", "ns", PDUMP_FIELD_SUM, 1 },
        { "completed", "1", PDUMP_FIELD_SUM, 1 },
        { "between", "ns", PDUMP_FIELD_SUM, 1 },
        { "ranks", "1", PDUMP_FIELD_MAX, 1 },
    };
    enum { N_CALLS = sizeof(calls) / sizeof(calls[0]) };
    static const struct pdump_dump_field peers[] = {
        { "messages_out", "1", PDUMP_FIELD_SUM, 1 },
        { "bytes_out", "B", PDUMP_FIELD_SUM, 1 },
    };
    int mpi = table("mpi", "site", calls, N_CALLS),
        io = table("io", "file", calls, 2);
    static const struct pdump_dump_field blocks[] = {
        { "allocations", "1", PDUMP_FIELD_SUM, 1 },
        { "allocated", "B", PDUMP_FIELD_SUM, 1 },
    };
    int matrix = table("mpi_peers", "peer", peers, 2);
    int heap = table("heap", "allocator", blocks, 2);

    for (int rank = 0; rank < o->ranks; rank++) {
        char peer[16];

        snprintf(peer, sizeof(peer), "%d", (rank + 1) % o->ranks);
        put(mpi, rank, send, "made.c:1 (<i>main</i>)",
            (int64_t[]){ 10, 1000, 80, 0, 0, 0, 10, 5, 9, 0, 0, 0, 0, 7, 6 });
        put(mpi, rank, send, "made.c:2 (main)",
            (int64_t[]){ 5, 4000, 0, 5, 0, 0, 0, 5, 9, INT64_C(1) << 52, 0, 0,
                         0, 77, 6 });
        put(io, rank, write, "/tmp/file", (int64_t[]){ 3, 300 });
        put(matrix, rank, -1, peer, (int64_t[]){ 15, 80 * (rank + 1) });
        put(heap, rank, send, "malloc", (int64_t[]){ 9, 16 });
        put(heap, rank, write, "malloc", (int64_t[]){ 1, 4096 });
        put(heap, rank, -1, "malloc", (int64_t[]){ 1, 64 });
    }
}

static void make_lines(const struct order *o)
{
    static const struct pdump_dump_field fields[] = {
        { "hits", "1", PDUMP_FIELD_SUM, 1 },
        { "time", "ns", PDUMP_FIELD_SUM, 1 },
    };
    int lines = table("lines", "line", fields, 2);
    int work = pdump_builder_node(
        b, 0,
        pdump_builder_region(b,
                             &(struct pdump_dump_region){ .name = "work",
                                                          .group = "python",
                                                          .file = "script.py",
                                                          .line = 1 }));
    int rest = call("rest", "python");

    for (int rank = 0; rank < o->ranks; rank++) {
        make_call(rank, work, 1);
        put(lines, rank, work, "script.py:2", (int64_t[]){ 10, 900000 });
        put(lines, rank, work, "script.py:4", (int64_t[]){ 5, 10000 });
        put(lines, rank, rest, "gone.py:7", (int64_t[]){ 1, 1000 });
    }
}

/* What the head of a page shows. */
static void make_facts(void)
{
    static const char *const facts[][2] = {
        { "start", "2030-01-02T03:04:05Z" }, { "wall_time_ns", "2500000000" },
        { "overhead_ns_per_visit", "42" },   { "peak_flops", "4e9" },
        { "peak_bandwidth", "1e11" },
    };

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        pdump_builder_metadata(b, facts[i][0], facts[i][1]);
}

static void event(int thread, int64_t time, enum pdump_event_kind kind,
                  int place, int64_t what)
{
    pdump_builder_event(
        b, thread, &(struct pdump_event){ time, kind, place, what, 64, 7 });
}

/* A step takes 100 us; what is in region 10 k lies inside of it. */
static void make_events(const struct order *o, int rank, const int *nodes,
                        int send)
{
    int marker = pdump_builder_region(
        b,
        &(struct pdump_dump_region){ .name = "half <b>", .group = "marker" });
    int64_t each = 90000 / (o->regions + 1);

    event(rank, 0, PDUMP_EVENT_ENTER, nodes[0], 0);
    for (int64_t i = 0; i < o->steps; i++) {
        int64_t now = 1000 + 100000 * i + 500 * rank;

        event(rank, now, PDUMP_EVENT_ENTER, nodes[1], 0);
        for (int k = 0; k < o->regions; k++) {
            if (k % 10 == 0 && k > 0)
                event(rank, now, PDUMP_EVENT_LEAVE, nodes[k - 8], 0);
            event(rank, now, PDUMP_EVENT_ENTER, nodes[k + 2], 0);
            now += each;
            if (k % 10 != 0)
                event(rank, now - k % 7, PDUMP_EVENT_LEAVE, nodes[k + 2], 0);
        }
        if (o->regions > 0)
            event(rank, now, PDUMP_EVENT_LEAVE,
                  nodes[(o->regions - 1) / 10 * 10 + 2], 0);
        event(rank, now, PDUMP_EVENT_LEAVE, nodes[1], 0);
        event(rank, now, PDUMP_EVENT_ENTER, send, 0);
        event(rank, now + 100, PDUMP_EVENT_SEND, send, (rank + 1) % o->ranks);
        event(rank, now + 5000, PDUMP_EVENT_RECEIVE, send,
              (rank + o->ranks - 1) % o->ranks);
        event(rank, now + 5100, PDUMP_EVENT_LEAVE, send, 0);
        if (i == o->steps / 2)
            event(rank, now + 5200, PDUMP_EVENT_MARKER, nodes[0], marker);
    }
    event(rank, 100000 * (int64_t)o->steps + 5000, PDUMP_EVENT_LEAVE, nodes[0],
          0);
}

static int write_page(const struct order *o, const struct pdump_dump *dump)
{
    const struct pdump_sink *html;

    return pdump_sink_find("html", &html) < 0 ||
           pdump_sink_write(&html->parts[0], dump, o->name) < 0;
}

static int make(const struct order *o)
{
    int *nodes = malloc(((size_t)o->regions + 2) * sizeof(*nodes)), n;
    const char *ending = strrchr(o->name, '.');
    bool is_page = ending && strcmp(ending, ".html") == 0;
    int send, write;
    char path[300], text[16];
    struct pdump_dump *dump;
    const struct pdump_sink *csv;
    int err = 0;

    if (!nodes || pdump_builder_new(&b) < 0)
        return 1;
    for (int m = 0; m < o->metrics; m++) {
        char name[32];

        snprintf(name, sizeof(name),
                 m == 0   ? "time"
                 : m == 3 ? "PAPI_DP_OPS"
                 : m == 4 ? "PAPI_L3_TCM"
                 : m == 5 ? "level"
                          : "COUNTER_%d",
                 m);
        pdump_builder_metric(
            b, &(struct pdump_dump_metric){ .name = name,
                                            .unit = m ? "" : "ns",
                                            .source = "made",
                                            .kind = m == 5 ? PDUMP_GAUGE
                                                           : PDUMP_COUNTER });
    }
    n = make_nodes(o, nodes);
    send = call("MPI_Send", "mpi");
    write = call("fwrite", "io");
    for (int rank = 0; rank < o->ranks; rank++) {
        make_rank(o, rank, nodes, n);
        make_call(rank, send, 15);
        make_call(rank, write, 3);
        if (is_page)
            make_events(o, rank, nodes, send);
    }
    make_details(o, send, write);
    snprintf(text, sizeof(text), "%d", o->ranks);
    pdump_builder_metadata(b, "ranks", text);
    pdump_builder_metadata(b, "note", "<img src=x onerror=alert(1)>");
    if (o->metrics > 4) {
        make_facts();
        make_lines(o);
    }
    pdump_builder_warning(b, "one counter is missing", 3);
    free(nodes);
    if (pdump_builder_finish(b, &dump) < 0 || pdump_sink_find("csv", &csv) < 0)
        return 1;
    if (is_page)
        err = write_page(o, dump);
    for (const struct pdump_sink_part *p = csv->parts; !is_page && p->suffix;
         p++) {
        snprintf(path, sizeof(path), "%.200s%s", o->name, p->suffix);
        err |= pdump_sink_write(p, dump, path) < 0;
    }
    pdump_dump_free(dump);
    pdump_builder_free(b);
    return err;
}

int main(int argc, char **argv)
{
    struct order order;

    if (argc < 6 || argc > 7 || atoi(argv[4]) > 64)
        return 2;
    order = (struct order){ argv[1],       atoi(argv[2]),
                            atoi(argv[3]), atoi(argv[4]),
                            atoi(argv[5]), argc > 6 ? atoi(argv[6]) : 1 };
    if (make(&order) != 0) {
        fprintf(stderr, "%s\n", pdump_last_error());
        return 1;
    }
    return 0;
}
