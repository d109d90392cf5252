/* SPDX-License-Identifier: BSD-3-Clause */
/* Files out and in: CSV without loss, bad files refused, other layouts. */
#include "dump/builder.h"
#include "base/csv.h"
#include "folder_kit.h"
#include "read/reader.h"
#include "write/sink.h"
#include "suite.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "r");
    struct stat st;
    char *bytes;

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fstat(fileno(f), &st), 0);
    bytes = malloc((size_t)st.st_size + 1);
    *len = fread(bytes, 1, (size_t)st.st_size, f);
    bytes[*len] = '\0';
    fclose(f);
    return bytes;
}

/* All parts of a format, as x + suffix. */
static void write_dump(const struct pdump_dump *dump, const char *format)
{
    folder_write(dump, format, "x");
}

static struct pdump_dump *load(void)
{
    return folder_load("x.csv");
}

/* A small dump, without samples. */
static struct pdump_builder *small_builder(void)
{
    struct pdump_builder *b;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){
                                "time", "ns", "clock", "wall", PDUMP_COUNTER });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "hits", "1", "papi",
                                                         "", PDUMP_COUNTER });
    pdump_builder_process(b, &(struct pdump_dump_process){
                                 .pid = 7, .host = "h", .command = "./a" });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .name = "main" });
    return b;
}

static int add_region(struct pdump_builder *b, const char *name)
{
    return pdump_builder_region(
        b, &(struct pdump_dump_region){ .name = name, .group = "user" });
}

static void add_row(struct pdump_builder *b, int thread, int node, int64_t sum)
{
    int64_t row = pdump_builder_row(b, thread, node, 2, false);

    ck_assert_int_ge(row, 0);
    pdump_builder_value(b, row, 0, sum, 1, sum, (double)sum);
    pdump_builder_value(b, row, 1, sum + 1, 1, sum, 0.5);
}

static struct pdump_dump *finish(struct pdump_builder *b)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

static const char *long_name(void)
{
    static char name[65536];

    memset(name, 'n', sizeof(name) - 1);
    return name;
}

/* Names that break careless writers, each a region inside the one before. */
static struct pdump_dump *nasty_dump(void)
{
    const char *names[] = { "a,b",
                            "say \"hi\"",
                            "two\nlines",
                            "cr\rlf\r\n",
                            "a/b\\c",
                            "x;y",
                            "h\xc3\xa9 \xe2\x88\x91",
                            "\"",
                            "\x1b[31m\x01",
                            "\xff\xfe raw",
                            " blank ",
                            "only\rcr",
                            "NaN",
                            "1e5",
                            long_name(),
                            "last" };
    struct pdump_builder *b = small_builder();
    int64_t values[3] = { 5, PDUMP_MISSING, -3 };
    int node = -1;
    int child, unused;

    pdump_builder_metric(b,
                         &(struct pdump_dump_metric){ "odd.sum [x]", "", "s,\"",
                                                      "a\nb", PDUMP_GAUGE });
    /* Twice the same rank and pid, and one process without any row. */
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 7 });
    pdump_builder_process(b, &(struct pdump_dump_process){
                                 3, -1, 7, "", "", "x, \"y\"", "0-1,3" });
    child = pdump_builder_thread(
        b, &(struct pdump_dump_thread){ 1, 4, INT64_MAX, "t,1" });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ 1, 0, 1, "" });
    unused = add_region(b, "unused");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        node = pdump_builder_node(b, node, add_region(b, names[i]));
        ck_assert_int_eq(node, (int)i);
        if (i != 3)
            add_row(b, 0, node, (int64_t)i * 1000);
        if (i % 2)
            add_row(b, child, node, INT64_MAX - (int64_t)i);
        pdump_builder_sample(
            b, &(struct pdump_dump_sample){ 0, node, (int64_t)i, -5 }, values);
    }
    pdump_builder_node(b, 2, unused);
    pdump_builder_value(b, 1, 0, INT64_MIN + 1, PDUMP_MISSING, INT64_MAX,
                        1.2345678901234567e300);
    pdump_builder_value(b, 2, 0, PDUMP_MISSING, PDUMP_MISSING, PDUMP_MISSING,
                        NAN);
    pdump_builder_value(b, 3, 0, 1, 1, 1, 0.1);
    pdump_builder_value(b, 4, 0, 1, 1, 1, INFINITY);
    pdump_builder_value(b, 5, 0, 1, 1, 1, 9007199254740993.0 * 1000);
    pdump_builder_metadata(b, "key,1", "value\n\"2\"");
    pdump_builder_metadata(b, "", "");
    pdump_builder_warning(b, "lost, \"all\"", 3);
    pdump_builder_warning(b, "", INT64_MAX);
    return finish(b);
}

static void same_metrics(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_int_eq(a->n_metrics, b->n_metrics);
    for (int i = 0; i < a->n_metrics; i++) {
        ck_assert_str_eq(a->metrics[i].name, b->metrics[i].name);
        ck_assert_str_eq(a->metrics[i].unit, b->metrics[i].unit);
        ck_assert_str_eq(a->metrics[i].source, b->metrics[i].source);
        ck_assert_str_eq(a->metrics[i].about, b->metrics[i].about);
        ck_assert_int_eq(a->metrics[i].kind, b->metrics[i].kind);
    }
}

static void same_tree(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_int_eq(a->n_regions, b->n_regions);
    for (int i = 0; i < a->n_regions; i++) {
        ck_assert_str_eq(a->regions[i].name, b->regions[i].name);
        ck_assert_str_eq(a->regions[i].group, b->regions[i].group);
        ck_assert_str_eq(a->regions[i].file, b->regions[i].file);
        ck_assert_int_eq(a->regions[i].line, b->regions[i].line);
    }
    ck_assert_int_eq(a->n_nodes, b->n_nodes);
    for (int i = 0; i < a->n_nodes; i++) {
        ck_assert_int_eq(a->nodes[i].parent, b->nodes[i].parent);
        ck_assert_int_eq(a->nodes[i].region, b->nodes[i].region);
        ck_assert_int_eq(a->nodes[i].depth, b->nodes[i].depth);
    }
}

static void same_processes(const struct pdump_dump *a,
                           const struct pdump_dump *b)
{
    ck_assert_int_eq(a->n_processes, b->n_processes);
    for (int i = 0; i < a->n_processes; i++) {
        ck_assert_int_eq(a->processes[i].rank, b->processes[i].rank);
        ck_assert_int_eq(a->processes[i].pid, b->processes[i].pid);
        ck_assert_int_eq(a->processes[i].parent, b->processes[i].parent);
        ck_assert_str_eq(a->processes[i].host, b->processes[i].host);
        ck_assert_str_eq(a->processes[i].cpu, b->processes[i].cpu);
        ck_assert_str_eq(a->processes[i].cores, b->processes[i].cores);
        ck_assert_str_eq(a->processes[i].command, b->processes[i].command);
    }
    ck_assert_int_eq(a->n_threads, b->n_threads);
    for (int i = 0; i < a->n_threads; i++) {
        ck_assert_int_eq(a->threads[i].process, b->threads[i].process);
        ck_assert_int_eq(a->threads[i].number, b->threads[i].number);
        ck_assert_int_eq(a->threads[i].tid, b->threads[i].tid);
        ck_assert_str_eq(a->threads[i].name, b->threads[i].name);
    }
}

static void same_rows(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_int_eq(a->n_rows, b->n_rows);
    for (int64_t i = 0; i < a->n_rows; i++) {
        ck_assert_int_eq(a->rows[i].thread, b->rows[i].thread);
        ck_assert_int_eq(a->rows[i].node, b->rows[i].node);
        ck_assert_int_eq(a->rows[i].parent, b->rows[i].parent);
        ck_assert_int_eq(a->rows[i].visits, b->rows[i].visits);
        ck_assert_int_eq(a->rows[i].is_open, b->rows[i].is_open);
        for (int m = 0; m < a->n_metrics; m++) {
            const struct pdump_dump_column *x = &a->columns[m];
            const struct pdump_dump_column *y = &b->columns[m];

            ck_assert_int_eq(x->sum[i], y->sum[i]);
            ck_assert_int_eq(x->min[i], y->min[i]);
            ck_assert_int_eq(x->max[i], y->max[i]);
            ck_assert_int_eq(x->exclusive[i], y->exclusive[i]);
            ck_assert(isnan(x->sumsq[i]) ? isnan(y->sumsq[i])
                                         : x->sumsq[i] == y->sumsq[i]);
        }
    }
}

static void same_rest(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_int_eq(a->n_samples, b->n_samples);
    for (int64_t i = 0; i < a->n_samples; i++) {
        ck_assert_int_eq(a->samples[i].thread, b->samples[i].thread);
        ck_assert_int_eq(a->samples[i].node, b->samples[i].node);
        ck_assert_int_eq(a->samples[i].number, b->samples[i].number);
        ck_assert_int_eq(a->samples[i].start, b->samples[i].start);
        for (int m = 0; m < a->n_metrics; m++)
            ck_assert_int_eq(a->sample_values[m][i], b->sample_values[m][i]);
    }
    ck_assert_int_eq(a->n_metadata, b->n_metadata);
    for (int i = 0; i < a->n_metadata; i++) {
        ck_assert_str_eq(a->metadata[i].key, b->metadata[i].key);
        ck_assert_str_eq(a->metadata[i].value, b->metadata[i].value);
    }
    ck_assert_int_eq(a->n_warnings, b->n_warnings);
    for (int i = 0; i < a->n_warnings; i++) {
        ck_assert_str_eq(a->warnings[i].text, b->warnings[i].text);
        ck_assert_int_eq(a->warnings[i].count, b->warnings[i].count);
    }
}

START_TEST(csv_gives_back_every_table)
{
    struct pdump_dump *before = nasty_dump();
    struct pdump_dump *after;

    write_dump(before, "csv");
    after = load();
    same_metrics(before, after);
    same_tree(before, after);
    same_processes(before, after);
    same_rows(before, after);
    same_rest(before, after);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(an_empty_dump_survives_too)
{
    struct pdump_builder *b;
    struct pdump_dump *before, *after;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    before = finish(b);
    write_dump(before, "csv");
    after = load();
    ck_assert_int_eq(after->n_rows, 0);
    ck_assert_int_eq(after->n_metrics, 0);
    ck_assert_int_eq(after->n_processes, 0);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(public_functions_give_samples)
{
    struct pdump_dump *dump = nasty_dump();
    struct pdump_sample_info sample = { .size = sizeof(sample) };
    int64_t value = 0, last = pdump_dump_n_samples(dump) - 1;

    ck_assert_int_eq(pdump_dump_n_samples(NULL), 0);
    ck_assert_int_eq(last + 1, dump->n_samples);
    ck_assert_int_eq(pdump_dump_sample(dump, last, &sample), PDUMP_OK);
    ck_assert_int_eq(sample.process, dump->threads[0].process);
    ck_assert_int_eq(sample.thread, dump->threads[0].number);
    ck_assert_int_eq(sample.rank, dump->processes[sample.process].rank);
    ck_assert_int_eq(sample.node, dump->samples[last].node);
    ck_assert_int_eq(sample.number, last);
    ck_assert_int_eq(sample.start, -5);
    for (int m = 0; m < dump->n_metrics; m++)
        if (dump->sample_values[m][0] == PDUMP_MISSING) {
            ck_assert_int_eq(pdump_dump_sample_value(dump, 0, m, &value),
                             PDUMP_ENOENT);
        } else {
            ck_assert_int_eq(pdump_dump_sample_value(dump, 0, m, &value),
                             PDUMP_OK);
            ck_assert_int_eq(value, dump->sample_values[m][0]);
        }
    ck_assert_int_eq(pdump_dump_sample(dump, last + 1, &sample), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_sample(dump, -1, &sample), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_sample(dump, 0, NULL), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_sample_value(dump, 0, 99, &value),
                     PDUMP_ENOENT);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_profile_alone_is_enough)
{
    struct pdump_dump *before = nasty_dump();
    struct pdump_dump *after;

    write_dump(before, "csv");
    unlink("x.meta.csv");
    unlink("x.samples.csv");
    /* Node 3 has no row in thread 0 but one in thread 1; the last has none. */
    after = load();
    ck_assert_int_eq(after->n_nodes, before->n_nodes - 1);
    ck_assert_int_eq(after->n_rows, before->n_rows);
    ck_assert_int_eq(after->n_metrics, 3);
    ck_assert_str_eq(after->metrics[0].name, "time");
    ck_assert_str_eq(after->metrics[0].unit, "ns");
    for (int64_t i = 0; i < after->n_rows; i++)
        ck_assert_int_eq(after->columns[0].sum[i], before->columns[0].sum[i]);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(columns_are_found_by_name_in_any_order)
{
    static const char text[] =
        "\xef\xbb\xbfregion,extra,time.sum [ns],node,parent,visits\r\n"
        "solve,?,12.0,1,0,3\r\n"
        "\r\n"
        "main,!,20,0,,1\r\n";
    struct pdump_dump *dump;

    write_file("x.csv", text, sizeof(text) - 1);
    dump = load();
    ck_assert_int_eq(dump->n_rows, 2);
    ck_assert_str_eq(dump->regions[0].name, "main");
    ck_assert_int_eq(dump->rows[1].parent, 0);
    ck_assert_int_eq(dump->columns[0].sum[1], 12);
    ck_assert_int_eq(dump->columns[0].exclusive[0], 8);
    ck_assert_int_eq(dump->columns[0].min[0], PDUMP_MISSING);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(old_samples_beside_a_new_run_are_not_read)
{
    struct pdump_builder *b = small_builder();
    struct pdump_dump *dump;

    add_row(b, 0, pdump_builder_node(b, -1, add_region(b, "main")), 1);
    dump = finish(b);
    write_dump(dump, "csv");
    pdump_dump_free(dump);
    write_file("x.samples.csv", "rubbish\n", 8);
    dump = load();
    ck_assert_int_eq(dump->n_samples, 0);
    pdump_dump_free(dump);
}
END_TEST

/* What a spreadsheet would execute has a prefix in the file; what looks like
 * that prefix stays as it is. */
START_TEST(formulas_survive)
{
    static const char *const names[] = { "=1+1",  "+cmd|'/c x'!A0",
                                         "-5",    "-.5e-3",
                                         "-5x",   "--5",
                                         "@x, y", "\t=x",
                                         "\r",    "'=x",
                                         "''-5",  "'",
                                         "''",    "'x",
                                         "'\"=" };
    struct pdump_builder *b = small_builder();
    struct pdump_dump *before, *after;

    pdump_builder_thread(b, &(struct pdump_dump_thread){ 0, 1, 1, "=thread" });
    pdump_builder_metadata(b, "=key", "@value");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        add_row(b, 1, pdump_builder_node(b, -1, add_region(b, names[i])), 1);
    before = finish(b);
    folder_write(before, "csv", "f");
    after = folder_load("f.csv");
    ck_assert_int_eq(after->n_regions, (int)(sizeof(names) / sizeof(names[0])));
    for (int i = 0; i < after->n_regions; i++)
        ck_assert_str_eq(after->regions[i].name, names[i]);
    ck_assert_str_eq(after->threads[1].name, "=thread");
    ck_assert_str_eq(pdump_dump_metadata(after, "=key"), "@value");
    pdump_dump_free(before);
    pdump_dump_free(after);
}
END_TEST

START_TEST(missing_samples_are_told)
{
    struct pdump_dump *dump = nasty_dump();
    int n = dump->n_warnings;

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    unlink("x.samples.csv");
    dump = load();
    ck_assert_int_eq(dump->n_warnings, n + 1);
    ck_assert_ptr_nonnull(strstr(dump->warnings[n].text, "16 samples"));
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_profile_cut_between_lines_is_noticed)
{
    struct pdump_dump *dump = nasty_dump();
    size_t len;
    char *bytes;

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    bytes = read_file("x.csv", &len);
    do
        len--;
    while (bytes[len - 1] != '\n');
    write_file("x.csv", bytes, len);
    free(bytes);
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "22 rows"));
}
END_TEST

/* Every prefix of a file, with and without its companions. */
START_TEST(no_prefix_of_a_file_crashes)
{
    struct pdump_builder *b = small_builder();
    struct pdump_dump *dump;
    size_t len;
    char *bytes;
    int main_node = pdump_builder_node(b, -1, add_region(b, "ma\"in"));

    add_row(b, 0, main_node, 1);
    add_row(b, 0, pdump_builder_node(b, main_node, add_region(b, "a\nb")), 1);
    dump = finish(b);
    write_dump(dump, "csv");
    pdump_dump_free(dump);
    bytes = read_file("x.csv", &len);
    for (size_t n = 0; n < len; n++) {
        write_file("x.csv", bytes, n);
        ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
        ck_assert_ptr_nonnull(strstr(pdump_last_error(), "x.csv"));
    }
    write_file("x.csv", bytes, len);
    free(bytes);
    bytes = read_file("x.meta.csv", &len);
    for (size_t n = 0; n < len; n++) {
        write_file("x.meta.csv", bytes, n);
        if (pdump_load("x.csv", &dump) == PDUMP_OK)
            pdump_dump_free(dump);
    }
    free(bytes);
}
END_TEST

#define HEAD "process,thread,node,parent,region,visits,time.sum [ns]\n"

static const struct {
    const char *text;
    size_t len; /* 0: strlen */
    const char *message;
} bad[] = {
    { "", 0, "x.csv: the file is empty" },
    { "\n", 0, "x.csv:1: not a dump" },
    { "PK\3\4 some archive", 0, "x.csv:1: not a dump" },
    { "region,event,value\n", 0, "x.csv:1: not a dump" },
    { "node,region\n0,a\n", 0, "x.csv:1: no column 'visits'" },
    { "node,region,visits,node\n", 0, "x.csv:1: column 'node' comes twice" },
    { "node,region,visits", 0, "x.csv:1: the file ends inside of a line" },
    { HEAD "0,0,0,,a,1\n", 0, "x.csv:2: 6 cells instead of 7" },
    { HEAD "0,0,0,,a,1,5,\n", 0, "x.csv:2: 8 cells instead of 7" },
    { HEAD "0,0,0,,a,1,5\n0,0,1,0,b,1,6", 0, "x.csv:3: the file ends" },
    { HEAD "0,0,0,,\"a,1,5\n", 0, "x.csv:2: a quote that is never closed" },
    { HEAD "0,0,0,,a\"b,1,5\n", 0, "x.csv:2: a quote that is never closed" },
    { HEAD "0,0,0,,a\"b\",1,5\n", 0, "x.csv:2: a quote or line end" },
    { HEAD "0,0,0,,\"a\"b,1,5\n", 0, "x.csv:2: a quote or line end" },
    { HEAD "0,0,0,,a\rb,1,5\n", 0, "x.csv:2: a quote or line end" },
    { HEAD "0,0,0,,a\0b,1,5\n", sizeof(HEAD) + 14, "x.csv:2: a NUL byte" },
    { HEAD "0,0,0,,\"a\0b\",1,5\n", sizeof(HEAD) + 16, "x.csv:2: a NUL byte" },
    { HEAD "0,0,x,,a,1,5\n", 0, "x.csv:2: column node: 'x' is no whole" },
    { HEAD "0,0,,,a,1,5\n", 0, "x.csv:2: no node" },
    { HEAD "0,0,-2,,a,1,5\n", 0, "x.csv:2: column node: -2 is out of range" },
    { HEAD "0,0,0,,a,1,0x10\n", 0, "x.csv:2: column time: '0x10' is no" },
    { HEAD "0,0,0,,a,1, 5\n", 0, "x.csv:2: column time: ' 5' is no" },
    { HEAD "0,0,0,,a,1,1.5\n", 0, "x.csv:2: column time: '1.5' is no" },
    { HEAD "0,0,0,,a,-1,5\n", 0, "x.csv:2: column visits: -1 is out of" },
    { HEAD "0,0,0,,a,1,9223372036854775808\n", 0, "is too large" },
    { HEAD "0,0,0,,a,1,-9223372036854775808\n", 0, "is too large" },
    { HEAD "0,0,99999999999999999999,,a,1,5\n", 0, "is too large" },
    { HEAD "9999999999,0,0,,a,1,5\n", 0, "process: 9999999999 is out of" },
    { HEAD "0,0,0,0,a,1,5\n", 0, "x.csv:2: node 0: its parent 0 has to" },
    { HEAD "0,0,0,1,a,1,5\n0,0,1,0,b,1,5\n", 0, "x.csv:2: node 0: its parent" },
    { HEAD "0,0,5,3,a,1,5\n", 0, "x.csv:2: node 5: its parent 3 is missing" },
    { HEAD "0,0,0,,a,1,5\n0,1,0,,b,1,5\n", 0, "x.csv:3: node 0 is not the" },
    { HEAD "0,0,0,,a,1,5\n0,0,1,,a,1,5\n", 0, "x.csv:3: node 1 is node 0" },
    { HEAD "0,0,0,,a,1,5\n0,0,0,,a,1,5\n", 0, "x.csv: node 0 comes twice" },
};

START_TEST(a_bad_file_is_named_with_line_and_cause)
{
    struct pdump_dump *dump = NULL;
    size_t len = bad[_i].len ? bad[_i].len : strlen(bad[_i].text);

    write_file("x.csv", bad[_i].text, len);
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad[_i].message) != NULL,
                  "'%s' instead of '%s'", pdump_last_error(), bad[_i].message);
    ck_assert_ptr_null(dump);
}
END_TEST

#define META "table,index,key,value\ndump,0,format,libpdump\n"

static const char *const bad_meta[][2] = {
    { "", "x.meta.csv:1: no table 'dump'" },
    { "a,b\n", "x.meta.csv:1: 2 cells instead of 4" },
    { "table,index,key,value\ndump,0,format,other\n", "not libpdump" },
    { META "dump,0,version,2\n", "x.meta.csv:2: version 2 is newer" },
    { META "dump,0,rows,x\n", "'x' is no whole number" },
    { META "dump,0,rows,1000000000\n", "1 rows, but the .meta.csv" },
    { META "metric,1000000000,kind,user\n", "x.meta.csv:3: metric 1000000000" },
    { META "metric,0,kind,strange\n", "kind 'strange' is unknown" },
    { META "dump,0,rows,1\nmetric,0,name,a\nmetric,0,kind,user\n",
      "x.csv:1: no column for metric a" },
    { META "thread,0,process,0\n", "x.meta.csv:3: thread 0: there is no" },
    { META "process,0,pid,1\nprocess,2,pid,1\n", "x.meta.csv:4: process 2" },
    { META "process,0,pid,1\nthread,0,number,1\nthread,1,number,1\n",
      "x.meta.csv:5: thread 1 should be" },
    { META "region,0,name,a\nregion,1,name,a\n", "x.meta.csv:4: region 1" },
    { META "node,0,region,0\n", "x.meta.csv:3: node 0: region 0 is out" },
    { META "warning,0,count,-1\n", "x.meta.csv:3: warning 0: count -1" },
};

START_TEST(a_bad_companion_is_named_with_line_and_cause)
{
    static const char profile[] = "node,region,visits\n0,a,1\n";
    struct pdump_dump *dump = NULL;

    write_file("x.csv", profile, sizeof(profile) - 1);
    write_file("x.meta.csv", bad_meta[_i][0], strlen(bad_meta[_i][0]));
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad_meta[_i][1]) != NULL,
                  "'%s' instead of '%s'", pdump_last_error(), bad_meta[_i][1]);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_an_io_error)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_load("nowhere.csv", &dump), PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "nowhere.csv"));
    ck_assert_int_eq(pdump_load(".", &dump), PDUMP_EIO);
    ck_assert_int_eq(pdump_load(NULL, &dump), PDUMP_EINVAL);
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    struct pdump_dump *dump = nasty_dump();
    const struct pdump_sink *sink;

    for (int i = 0; (sink = pdump_sink_at(i)); i++) {
        /* A folder has files of its own.  A format that wants what this dump
         * does not have never gets that far. */
        if (sink->parts[0].is_folder ||
            pdump_sink_write(&sink->parts[0], dump, "good") == PDUMP_ENOENT)
            continue;
        ck_assert_msg(pdump_sink_write(&sink->parts[0], dump, "/dev/full") ==
                          PDUMP_EIO,
                      "%s", sink->name);
    }
    ck_assert_int_eq(unlink("good"), 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(unknown_formats_are_told_with_the_known_ones)
{
    const struct pdump_sink *sink;

    ck_assert_int_eq(pdump_sink_find("xls", &sink), PDUMP_ENOENT);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "'xls'"));
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "csv-pyperfdump"));
    ck_assert_ptr_null(pdump_sink_at(-1));
}
END_TEST

START_TEST(deep_recursion_stays_small)
{
    struct pdump_builder *b = small_builder();
    int region = add_region(b, "recurse");
    struct pdump_dump *dump;
    struct stat st;
    int node = -1;

    for (int i = 0; i < 10000; i++) {
        node = pdump_builder_node(b, node, region);
        add_row(b, 0, node, 10000 - i);
    }
    dump = finish(b);
    write_dump(dump, "csv");
    pdump_dump_free(dump);
    ck_assert_int_eq(stat("x.csv", &st), 0);
    ck_assert_int_lt(st.st_size, 4 << 20);
    dump = load();
    ck_assert_int_eq(dump->nodes[9999].depth, 9999);
    ck_assert_int_eq(dump->columns[0].exclusive[0], 1);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(long_paths_are_abbreviated)
{
    struct pdump_dump *dump = nasty_dump();
    size_t len;
    char *bytes;

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    bytes = read_file("x.csv", &len);
    ck_assert_ptr_nonnull(strstr(bytes, ",...15 levels.../last,last,"));
    ck_assert_ptr_nonnull(strstr(bytes, "nnn...,nnn"));
    free(bytes);
}
END_TEST

/* Two regions; the second has three samples and recursion. */
static struct pdump_dump *profiles_dump(int n_processes)
{
    struct pdump_builder *b = small_builder();
    int solve, a, inner;

    if (n_processes > 1) {
        pdump_builder_process(b, &(struct pdump_dump_process){ .rank = 1 });
        pdump_builder_thread(b, &(struct pdump_dump_thread){ .process = 1 });
    }
    solve = add_region(b, "so\"l,ve");
    a = pdump_builder_node(b, -1, add_region(b, "a"));
    inner = pdump_builder_node(b, a, solve);
    add_row(b, 0, a, 2500000000);
    add_row(b, 0, inner, 100);
    add_row(b, 0, pdump_builder_node(b, inner, solve), 40);
    if (n_processes > 1)
        add_row(b, 1, inner, 7);
    for (int i = 0; i < 3; i++)
        pdump_builder_sample(b, &(struct pdump_dump_sample){ 0, inner, i, i },
                             (int64_t[]){ 30, 10 * i });
    return finish(b);
}

static void assert_file(const char *path, const char *expected)
{
    size_t len;
    char *bytes = read_file(path, &len);

    ck_assert_str_eq(bytes, expected);
    free(bytes);
}

START_TEST(pyperfdump_layout_has_a_block_for_each_sample)
{
    struct pdump_dump *dump = profiles_dump(1);

    write_dump(dump, "csv-pyperfdump");
    pdump_dump_free(dump);
    assert_file("x.csv", "\"so\"\"l,ve\",hits,0\n"
                         "\"so\"\"l,ve\",Runtime,3e-08\n"
                         "\"so\"\"l,ve\",hits,10\n"
                         "\"so\"\"l,ve\",Runtime,3e-08\n"
                         "\"so\"\"l,ve\",hits,20\n"
                         "\"so\"\"l,ve\",Runtime,3e-08\n"
                         "a,hits,2500000001\n"
                         "a,Runtime,2.5\n");
}
END_TEST

/* As it is with what the program counts itself. */
START_TEST(pyperfdump_layout_has_what_samples_have_not)
{
    struct pdump_builder *b = small_builder();
    int node = pdump_builder_node(b, -1, add_region(b, "a"));
    struct pdump_dump *dump;
    int64_t row;
    int tries;

    tries = pdump_builder_metric(
        b, &(struct pdump_dump_metric){
               .name = "tries", .unit = "1", .kind = PDUMP_USER });
    row = pdump_builder_row(b, 0, node, 2, false);
    pdump_builder_value(b, row, tries, 7, 3, 4, 25);
    for (int i = 0; i < 2; i++)
        pdump_builder_sample(b, &(struct pdump_dump_sample){ 0, node, i, i },
                             (int64_t[]){ 50, i, PDUMP_MISSING });
    dump = finish(b);
    write_dump(dump, "csv-pyperfdump");
    pdump_dump_free(dump);
    assert_file("x.csv", "a,hits,0\na,Runtime,5e-08\n"
                         "a,hits,1\na,tries,7\na,Runtime,5e-08\n");
}
END_TEST

START_TEST(pyperfdump_layout_has_ranks_side_by_side)
{
    struct pdump_dump *dump = profiles_dump(2);

    write_dump(dump, "csv-pyperfdump");
    pdump_dump_free(dump);
    assert_file("x.csv", "0,\"so\"\"l,ve\",hits,0\n"
                         "0,\"so\"\"l,ve\",Runtime,0.0000000\n"
                         "1,\"so\"\"l,ve\",hits,8\n"
                         "1,\"so\"\"l,ve\",Runtime,0.0000000\n"
                         "0,\"so\"\"l,ve\",hits,10\n"
                         "0,\"so\"\"l,ve\",Runtime,0.0000000\n"
                         "0,\"so\"\"l,ve\",hits,20\n"
                         "0,\"so\"\"l,ve\",Runtime,0.0000000\n"
                         "0,a,hits,2500000001\n"
                         "0,a,Runtime,2.5000000\n");
}
END_TEST

/* What api_profile.c records: a, b and a with 2, 0 and 1 profiles; then a in a
 * second thread, which leaves another a open. */
static struct pdump_dump *ended_dump(const char *ranks)
{
    static const struct {
        struct pdump_builder_details_place place;
        int64_t values[2];
    } ended[] = { { { 0, 0, "0" }, { 1, 2 } },
                  { { 0, 1, "1" }, { 1, 0 } },
                  { { 0, 0, "2" }, { 1, 1 } },
                  { { 1, 0, "0" }, { 1, 1 } } };
    struct pdump_dump_field fields[] = {
        { "ends", "1", PDUMP_FIELD_SUM, 1 },
        { "profiles", "1", PDUMP_FIELD_SUM, 1 },
    };
    struct pdump_builder *b = small_builder();
    int table, node = pdump_builder_node(b, -1, add_region(b, "a"));

    table =
        pdump_builder_detail(b, &(struct pdump_dump_detail){ .name = "profiles",
                                                             .about = "",
                                                             .key = "number",
                                                             .fields = fields,
                                                             .n_fields = 2,
                                                             .n_values = 2 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .number = 1 });
    pdump_builder_node(b, -1, add_region(b, "b"));
    for (int t = 0; t < 2; t++)
        add_row(b, t, node, 100);
    for (int i = 0; i < 5; i++)
        pdump_builder_sample(b,
                             &(struct pdump_dump_sample){ i > 2, node, i, i },
                             (int64_t[]){ 1000000, 1 << i });
    for (int i = 3; i >= 0; i--)
        pdump_builder_detail_row(b, table, &ended[i].place, ended[i].values);
    if (ranks)
        pdump_builder_metadata(b, "ranks", ranks);
    return finish(b);
}

START_TEST(pyperfdump_layout_has_a_block_for_each_region)
{
    struct pdump_dump *dump = ended_dump(NULL);

    write_dump(dump, "csv-pyperfdump");
    pdump_dump_free(dump);
    assert_file("x.csv", "a,hits,3\na,Runtime,0.002\n"
                         "b,hits,0\nb,Runtime,0\n"
                         "a,hits,4\na,Runtime,0.001\n"
                         "a,hits,8\na,Runtime,0.001\n"
                         "a,hits,16\na,Runtime,0.001\n");
}
END_TEST

START_TEST(pyperfdump_layout_has_the_rank_also_of_one)
{
    struct pdump_dump *dump = ended_dump("1");

    write_dump(dump, "csv-pyperfdump");
    pdump_dump_free(dump);
    assert_file("x.csv", "0,a,hits,3\n0,a,Runtime,0.0020000\n"
                         "0,b,hits,0\n0,b,Runtime,0.0000000\n"
                         "0,a,hits,4\n0,a,Runtime,0.0010000\n"
                         "0,a,hits,8\n0,a,Runtime,0.0010000\n"
                         "0,a,hits,16\n0,a,Runtime,0.0010000\n");
}
END_TEST

START_TEST(formats_have_names_in_any_case)
{
    static const char *const names[] = { "CSV", "Csv-PyPerfDump", "JSON" };
    const struct pdump_sink *sink;

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pdump_sink_find(names[i], &sink), PDUMP_OK);
        ck_assert_int_eq(strcasecmp(sink->name, names[i]), 0);
        ck_assert(pdump_sink_is_there(names[i]));
    }
    ck_assert(pdump_sink_is_there("AUTO"));
    ck_assert(!pdump_sink_is_there("xls"));
}
END_TEST

START_TEST(json_escapes_what_it_must)
{
    struct pdump_builder *b = small_builder();
    struct pdump_dump *dump;
    size_t len;
    char *bytes;

    add_region(b, "q\"b\\n\nu\xc3\xa9 bad\xff cut\xe2\x88");
    pdump_builder_metadata(b, "k", "surrogate\xed\xa0\x80");
    dump = finish(b);
    write_dump(dump, "json");
    pdump_dump_free(dump);
    bytes = read_file("x.json", &len);
    ck_assert_ptr_nonnull(strstr(bytes, "\"q\\\"b\\\\n\\u000au\xc3\xa9 bad"
                                        "\\ufffd cut\\ufffd\\ufffd\""));
    ck_assert_ptr_nonnull(
        strstr(bytes, "\"k\": \"surrogate\\ufffd\\ufffd\\ufffd\""));
    free(bytes);
}
END_TEST

static void set_stat(struct pdump_builder *b, int metric, int node,
                     struct pdump_dump_rank_stat stat)
{
    ck_assert_int_eq(pdump_builder_stat(b, metric, node, &stat), PDUMP_OK);
}

/* Statistics over ranks, with a metric that is called like the visits, and a
 * node that has values but no visits.  Rows, if any, are of one rank. */
static struct pdump_dump *stats_dump(bool has_rows)
{
    struct pdump_builder *b = small_builder();
    int visits, top, inner;

    visits = pdump_builder_metric(
        b, &(struct pdump_dump_metric){ "visits", "", "", "", PDUMP_USER });
    top = pdump_builder_node(b, -1, add_region(b, "ma,in"));
    inner = pdump_builder_node(b, top, add_region(b, "x\ny"));
    pdump_builder_node(b, inner, add_region(b, "without"));
    if (has_rows)
        add_row(b, 0, inner, 5);
    pdump_builder_metadata(b, "ranks", "9000");
    set_stat(b, 0, top,
             (struct pdump_dump_rank_stat){ 9000, INT64_MAX, -5, INT64_MAX - 1,
                                            1.2345678901234567e300, 8999, 0 });
    set_stat(b, 0, inner,
             (struct pdump_dump_rank_stat){ 3, 1, 0, 1, NAN, 1, 2 });
    set_stat(b, visits, inner,
             (struct pdump_dump_rank_stat){ 1, 4, 4, 4, 16, 2, 2 });
    set_stat(b, visits, top,
             (struct pdump_dump_rank_stat){ 2, 6, 2, 4, 20, 1, 2 });
    set_stat(b, -1, top,
             (struct pdump_dump_rank_stat){ 4, 10, 1, 4, 30, 0, 3 });
    return finish(b);
}

static void same_stats(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_ptr_nonnull(b->stats);
    for (int m = 0; m <= a->n_metrics; m++)
        for (int i = 0; i < a->n_nodes; i++) {
            const struct pdump_dump_rank_stat *x = &a->stats[m][i];
            const struct pdump_dump_rank_stat *y = &b->stats[m][i];

            ck_assert_int_eq(x->n, y->n);
            ck_assert_int_eq(x->sum, y->sum);
            ck_assert_int_eq(x->min, y->min);
            ck_assert_int_eq(x->max, y->max);
            ck_assert_int_eq(x->rank_of_min, y->rank_of_min);
            ck_assert_int_eq(x->rank_of_max, y->rank_of_max);
            ck_assert(isnan(x->sumsq) ? isnan(y->sumsq) : x->sumsq == y->sumsq);
        }
}

START_TEST(statistics_over_ranks_survive)
{
    struct pdump_dump *before = stats_dump(_i);
    struct pdump_dump *after;

    write_dump(before, "csv");
    after = load();
    ck_assert_int_eq(after->n_rows, _i);
    same_metrics(before, after);
    same_tree(before, after);
    same_processes(before, after);
    same_rows(before, after);
    same_rest(before, after);
    same_stats(before, after);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(statistics_over_ranks_are_tidy)
{
    struct pdump_builder *b = small_builder();
    int top = pdump_builder_node(b, -1, add_region(b, "main"));
    struct pdump_dump *dump;

    pdump_builder_node(b, top, add_region(b, "nowhere"));
    set_stat(b, 0, top,
             (struct pdump_dump_rank_stat){ 4, 120, 10, 60, 5000, 0, 3 });
    set_stat(b, -1, top,
             (struct pdump_dump_rank_stat){ 4, 24, 6, 6, 144, 0, 0 });
    dump = finish(b);
    write_dump(dump, "csv");
    pdump_dump_free(dump);
    assert_file("x.stats.csv",
                "node,parent,depth,path,region,group,metric,unit,ranks,sum,"
                "mean,min,max,stddev,imbalance,sumsq,rank_of_min,rank_of_max\n"
                "0,,0,main,main,user,visits,1,4,24,6,6,6,0,0,144,0,0\n"
                "0,,0,main,main,user,time,ns,4,120,30,10,60,"
                "18.708286933869708,1,5000,0,3\n");
}
END_TEST

START_TEST(without_statistics_there_is_no_file_of_them)
{
    struct pdump_dump *dump = profiles_dump(2);

    write_dump(dump, "csv");
    ck_assert_int_ne(access("x.stats.csv", F_OK), 0);
    pdump_dump_free(dump);
    write_file("x.stats.csv", "of another run\n", 15);
    dump = load();
    ck_assert_ptr_null(dump->stats);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(missing_statistics_are_told)
{
    struct pdump_dump *dump = stats_dump(true);

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    unlink("x.stats.csv");
    dump = load();
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(dump->warnings[0].text, "statistics"));
    pdump_dump_free(dump);
}
END_TEST

#define STATS "node,metric,ranks,sum,min,max,sumsq,rank_of_min,rank_of_max\n"

static const char *const bad_stats[][2] = {
    { "node,metric,ranks\n", "x.stats.csv:1: no column 'sum'" },
    { STATS, "0 lines, but the .meta.csv beside it says 6" },
    { STATS "9,time,1,1,1,1,1,0,0\n", "x.stats.csv:2: there is no node 9" },
    { STATS "0,tme,1,1,1,1,1,0,0\n",
      "x.stats.csv:2: there is no metric 'tme'" },
    { STATS "0,time,-1,1,1,1,1,0,0\n", "column ranks: -1 is out of range" },
    { STATS "0,time,1,,1,1,1,0,0\n", "x.stats.csv:2: a figure of the ranks" },
    { STATS "0,time,1,1,1,1,1,0,9999999999\n", "9999999999 is out of range" },
    { STATS "0,time,1,1,1,1,x,0,0\n", "column sumsq: 'x'" },
    { STATS "0,time,1,1,1,1,1,0\n", "x.stats.csv:2: 8 cells instead of 9" },
};

START_TEST(bad_statistics_are_named_with_line_and_cause)
{
    struct pdump_dump *dump = stats_dump(false);

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    write_file("x.stats.csv", bad_stats[_i][0], strlen(bad_stats[_i][0]));
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad_stats[_i][1]) != NULL,
                  "'%s' instead of '%s'", pdump_last_error(), bad_stats[_i][1]);
}
END_TEST

/* From the rows of two ranks, or as the dump has them. */
START_TEST(json_has_statistics_over_ranks)
{
    struct pdump_dump *dump = _i ? stats_dump(false) : profiles_dump(2);
    size_t len;
    char *bytes;

    write_dump(dump, "json");
    pdump_dump_free(dump);
    bytes = read_file("x.json", &len);
    ck_assert_ptr_nonnull(
        strstr(bytes, _i ? "\"ranks\": 9000,\n" : "\"ranks\": 2,\n"));
    ck_assert_ptr_nonnull(strstr(
        bytes,
        _i ? "{\"node\": 0, \"metric\": null, \"ranks\": 4, \"sum\": 10, "
             "\"mean\": 2.5, \"min\": 1, \"max\": 4, "
           : "{\"node\": 1, \"metric\": 0, \"ranks\": 2, \"sum\": 107, "
             "\"mean\": 53.5, \"min\": 7, \"max\": 100, "
             "\"stddev\": 46.5, "));
    free(bytes);
}
END_TEST

START_TEST(json_of_one_rank_has_no_statistics)
{
    struct pdump_dump *dump = profiles_dump(1);
    size_t len;
    char *bytes;

    write_dump(dump, "json");
    pdump_dump_free(dump);
    bytes = read_file("x.json", &len);
    ck_assert_ptr_null(strstr(bytes, "statistics"));
    free(bytes);
}
END_TEST

static void add_stats_tests(TCase *tc)
{
    tcase_add_loop_test(tc, statistics_over_ranks_survive, 0, 2);
    tcase_add_test(tc, statistics_over_ranks_are_tidy);
    tcase_add_test(tc, without_statistics_there_is_no_file_of_them);
    tcase_add_test(tc, missing_statistics_are_told);
    tcase_add_loop_test(tc, bad_statistics_are_named_with_line_and_cause, 0,
                        (int)(sizeof(bad_stats) / sizeof(bad_stats[0])));
    tcase_add_loop_test(tc, json_has_statistics_over_ranks, 0, 2);
    tcase_add_test(tc, json_of_one_rank_has_no_statistics);
}

static Suite *csv_suite(void)
{
    Suite *suite = suite_create("csv");
    TCase *tc = tcase_create("files");

    tcase_add_checked_fixture(tc, enter_folder, leave_folder);
    tcase_add_test(tc, csv_gives_back_every_table);
    tcase_add_test(tc, an_empty_dump_survives_too);
    tcase_add_test(tc, a_profile_alone_is_enough);
    tcase_add_test(tc, public_functions_give_samples);
    tcase_add_test(tc, columns_are_found_by_name_in_any_order);
    tcase_add_test(tc, old_samples_beside_a_new_run_are_not_read);
    tcase_add_test(tc, formulas_survive);
    tcase_add_test(tc, missing_samples_are_told);
    tcase_add_test(tc, a_profile_cut_between_lines_is_noticed);
    tcase_add_test(tc, no_prefix_of_a_file_crashes);
    tcase_add_loop_test(tc, a_bad_file_is_named_with_line_and_cause, 0,
                        (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_loop_test(tc, a_bad_companion_is_named_with_line_and_cause, 0,
                        (int)(sizeof(bad_meta) / sizeof(bad_meta[0])));
    tcase_add_test(tc, a_file_that_cannot_be_read_is_an_io_error);
    tcase_add_test(tc, a_full_disk_is_noticed);
    tcase_add_test(tc, unknown_formats_are_told_with_the_known_ones);
    tcase_add_test(tc, deep_recursion_stays_small);
    tcase_add_test(tc, long_paths_are_abbreviated);
    tcase_add_test(tc, pyperfdump_layout_has_a_block_for_each_sample);
    tcase_add_test(tc, pyperfdump_layout_has_a_block_for_each_region);
    tcase_add_test(tc, pyperfdump_layout_has_the_rank_also_of_one);
    tcase_add_test(tc, formats_have_names_in_any_case);
    tcase_add_test(tc, pyperfdump_layout_has_what_samples_have_not);
    tcase_add_test(tc, pyperfdump_layout_has_ranks_side_by_side);
    tcase_add_test(tc, json_escapes_what_it_must);
    add_stats_tests(tc);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    return suite_run(csv_suite());
}
