/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of other programs: small dumps, of which every byte is known, and
 * dumps that are nasty, deep or hollow, of which it is known what must hold.
 * tests/cli/export.sh has the programs themselves. */
#include "dump_kit.h"
#include "new_file_kit.h"
#include "suite.h"
#include "base/utf8.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const formats[] = { "folded",    "speedscope",   "chrome",
                                       "callgrind", "caliper-json", "dot" };
enum { N_FORMATS = sizeof(formats) / sizeof(formats[0]), N_JSON = 3 };
static const char *const json_formats[] = { "speedscope", "chrome",
                                            "caliper-json" };

static char file[] = "/tmp/pdump-export-XXXXXX";

static void make_file(void)
{
    int fd = mkstemp(file);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

/* One of each at a time. */
static struct pdump_dump *made;
static char *text_read;

static void clean_up(void)
{
    unlink(file);
    pdump_dump_free(made);
    free(text_read);
}

/* What is in the file; until the next call. */
static char *content(size_t *len)
{
    FILE *f = fopen(file, "r");
    long size;

    ck_assert_ptr_nonnull(f);
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    free(text_read);
    text_read = calloc(1, (size_t)size + 1);
    ck_assert_ptr_nonnull(text_read);
    ck_assert_int_eq((long)fread(text_read, 1, (size_t)size, f), size);
    fclose(f);
    if (len)
        *len = (size_t)size;
    return text_read;
}

/* Written from pieces only: nobody has memory for the whole. */
static int export(const char *format, const struct pdump_dump *dump)
{
    const struct pdump_sink *sink;
    struct pdump_stream *in;
    int err;

    ck_assert_int_eq(pdump_sink_find(format, &sink), PDUMP_OK);
    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    in->whole = NULL;
    in->whole_max = -1;
    err = new_file_write(&sink->parts[0], in, file);
    pdump_stream_free(in);
    return err;
}

static char *exported(const char *format, const struct pdump_dump *dump)
{
    ck_assert_msg(export(format, dump) == PDUMP_OK, "%s: %s", format,
                  pdump_last_error());
    return content(NULL);
}

enum { TIME, INSTRUCTIONS, RSS };

static struct pdump_builder *b;

static int region(const char *name, const char *path, int line)
{
    return pdump_builder_region(
        b, &(struct pdump_dump_region){ name, "user", path, line });
}

static void row(int thread, int node, int64_t visits, int64_t time,
                int64_t instructions)
{
    int64_t r = pdump_builder_row(b, thread, node, visits, visits == 0);

    pdump_builder_value(b, r, TIME, time, time, time, 0);
    if (instructions != PDUMP_MISSING)
        pdump_builder_value(b, r, INSTRUCTIONS, instructions, 1, 1, 0);
    pdump_builder_value(b, r, RSS, 3 * (4096 + node), 1, 4096 + node, 0);
}

static int new_thread(int rank, int number, const char *name)
{
    static int process;

    if (number == 0)
        process = pdump_builder_process(
            b, &(struct pdump_dump_process){ rank, 40 + rank, 0, "h", "c", "",
                                             "" });
    return pdump_builder_thread(
        b, &(struct pdump_dump_thread){ process, number, 1, name });
}

static void start(void)
{
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "time", "ns", "clock",
                                                         "", PDUMP_COUNTER });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "PAPI_TOT_INS", "1",
                                                         "papi", "",
                                                         PDUMP_COUNTER });
    pdump_builder_metric(b, &(struct pdump_dump_metric){
                                "pdump::rss", "B", "rusage", "", PDUMP_GAUGE });
}

static struct pdump_dump *finish(void)
{
    ck_assert_int_eq(pdump_builder_finish(b, &made), PDUMP_OK);
    pdump_builder_free(b);
    return made;
}

/* main { f { f } "a;b" } on two ranks, the first with two threads: an open
 * region, a recursion, a missing value, a name that needs care. */
static struct pdump_dump *small(void)
{
    int main_ = 0, f = 1, inner = 2, odd = 3, thread;

    start();
    pdump_builder_node(b, -1, region("main", "m.c", 1));
    pdump_builder_node(b, main_, region("f", "f.c", 5));
    pdump_builder_node(b, f, region("f", "f.c", 5));
    pdump_builder_node(b, main_, region("a;\"b\"\\", "", 0));
    thread = new_thread(0, 0, "");
    row(thread, main_, 0, 10000000, 1000);
    row(thread, f, 2, 6000000, 600);
    row(thread, inner, 8, 5000000, 500);
    row(thread, odd, 1, 1000499, PDUMP_MISSING);
    pdump_builder_sample(b, &(struct pdump_dump_sample){ thread, f, 0, 1500 },
                         (const int64_t[]){ 3000, 1, 2 });
    thread = new_thread(0, 1, "worker");
    row(thread, main_, 1, 2000000, 100);
    thread = new_thread(1, 0, "");
    row(thread, main_, 1, 3000500, 100);
    pdump_builder_sample(b,
                         &(struct pdump_dump_sample){ thread, main_, 7, 1000 },
                         (const int64_t[]){ 3000500, 100, PDUMP_MISSING });
    pdump_builder_metadata(b, "command", "./app \"x\"");
    return finish();
}

START_TEST(folded_stacks_have_the_time_of_all_threads)
{
    /* 10 ms, less 7.000499 of what is inside; and those of the others. */
    ck_assert_str_eq(exported("folded", small()), "main 8000\n"
                                                  "main;f 1000\n"
                                                  "main;f;f 5000\n"
                                                  "main;a:\"b\"\\ 1000\n");
}
END_TEST

START_TEST(speedscope_has_a_profile_per_thread)
{
    char *text = exported("speedscope", small());

    ck_assert_ptr_nonnull(
        strstr(text, "\"frames\":[\n"
                     "{\"name\":\"main\",\"file\":\"m.c\",\"line\":1},\n"
                     "{\"name\":\"f\",\"file\":\"f.c\",\"line\":5},\n"
                     "{\"name\":\"a;\\\"b\\\"\\\\\"}]"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"name\":\"rank 0, process 40, thread 0\",\"unit\":"
                     "\"nanoseconds\",\"startValue\":0,\"events\":[\n"
                     "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
                     "{\"type\":\"O\",\"frame\":1,\"at\":2999501},\n"
                     "{\"type\":\"O\",\"frame\":1,\"at\":3999501},\n"
                     "{\"type\":\"C\",\"frame\":1,\"at\":8999501},\n"
                     "{\"type\":\"C\",\"frame\":1,\"at\":8999501},\n"
                     "{\"type\":\"O\",\"frame\":2,\"at\":8999501},\n"
                     "{\"type\":\"C\",\"frame\":2,\"at\":10000000},\n"
                     "{\"type\":\"C\",\"frame\":0,\"at\":10000000}],"
                     "\"endValue\":10000000}"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"rank 0, process 40, thread 1: worker\""));
    ck_assert_ptr_nonnull(strstr(text, "\"rank 1, process 41, thread 0\""));
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"./app \\\"x\\\"\""));
}
END_TEST

START_TEST(chrome_has_nested_events_and_real_times_of_samples)
{
    char *text = exported("chrome", small());

    ck_assert_ptr_nonnull(strstr(
        text, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"main\",\"cat\":"
              "\"user\",\"ts\":0,\"dur\":10000,\"args\":{\"visits\":0,"
              "\"open\":true,\"sum\":{\"PAPI_TOT_INS\":1000,\"pdump::rss\":"
              "4096}}}"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"name\":\"a;\\\"b\\\"\\\\\",\"cat\":\"user\",\"ts\":"
                     "8999.501,\"dur\":1000.499,\"args\":{\"visits\":1,"
                     "\"sum\":{\"pdump::rss\":4099}}}"));
    ck_assert_ptr_nonnull(strstr(
        text, "\"pid\":4,\"tid\":6,\"name\":\"main\",\"cat\":\"user\",\"ts\":"
              "1,\"dur\":3000.5,\"args\":{\"number\":7,\"value\":{"
              "\"PAPI_TOT_INS\":100}}}"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"pid\":3,\"tid\":4,\"name\":\"f\",\"cat\":\"user\","
                     "\"ts\":1.5,\"dur\":3,\"args\":{\"number\":0,"));
    ck_assert_ptr_nonnull(strstr(text, "\"profile\":\"not a timeline"));
    ck_assert_ptr_nonnull(strstr(text, "\"samples\":\"a timeline"));
    ck_assert_ptr_nonnull(strstr(text, "\"rank 1, pid 41 on h: samples\""));
}
END_TEST

START_TEST(callgrind_keeps_recursion_apart)
{
    char *text = exported("callgrind", small());
    char *at = strstr(text, "cmd: ");

    ck_assert_ptr_eq(strstr(text, "# callgrind format\nversion: 1\n"), text);
    ck_assert_ptr_nonnull(at);
    ck_assert_str_eq(at, "cmd: ./app \"x\"\n"
                         "desc: Sums: over 3 threads of 2 processes\n"
                         "positions: line\n"
                         "events: time_ns PAPI_TOT_INS\n"
                         "\nfl=(1) m.c\nfn=(1) main\n1 8000001 600\n"
                         "cfi=(2) f.c\ncfn=(2) f\ncalls=2 5\n1 6000000 600\n"
                         "cfi=(3) ???\ncfn=(3) a;\"b\"\\\ncalls=1 0\n"
                         "1 1000499 0\n"
                         "\nfl=(2)\nfn=(2)\n5 1000000 100\n"
                         "cfi=(2)\ncfn=(5) f'2\ncalls=8 5\n5 5000000 500\n"
                         "\nfl=(3)\nfn=(3)\n0 1000499 0\n"
                         "\nfl=(2)\nfn=(5)\n5 5000000 500\n"
                         "\ntotals: 15000500 1200\n");
}
END_TEST

/* "app" has gained and lost: figures that callgrind has no word for. */
START_TEST(callgrind_leaves_out_what_is_below_zero)
{
    const char *const names[] = { "time", "balance", "pdump::rss_growth" };
    const int kinds[] = { PDUMP_COUNTER, PDUMP_USER, PDUMP_COUNTER };
    const int64_t sums[][3] = { { 100, 5, 10 }, { 40, -5, 90 } };
    int node = -1, thread;
    char *text;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    for (int m = 0; m < 3; m++)
        pdump_builder_metric(b, &(struct pdump_dump_metric){
                                    .name = names[m], .kind = kinds[m] });
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    thread = pdump_builder_thread(b, &(struct pdump_dump_thread){ 0 });
    for (int i = 0; i < 2; i++) {
        int64_t r;

        node = pdump_builder_node(b, node, region(i ? "in" : "app", "", 0));
        r = pdump_builder_row(b, thread, node, 1, false);
        for (int m = 0; m < 3; m++)
            pdump_builder_value(b, r, m, sums[i][m], 0, 0, 0);
    }
    ck_assert_int_eq(pdump_builder_finish(b, &made), PDUMP_OK);
    pdump_builder_free(b);
    text = exported("callgrind", made);
    ck_assert_ptr_nonnull(strstr(text, "events: time_ns\n"));
    ck_assert_ptr_nonnull(strstr(text, "below 0: balance\n"));
    ck_assert_ptr_nonnull(strstr(text, "below 0: pdump__rss_growth_2\n"));
    ck_assert_ptr_nonnull(strstr(text, "\ntotals: 100\n"));
}
END_TEST

START_TEST(caliper_has_a_line_per_node_and_rank)
{
    char *text = exported("caliper-json", small());

    ck_assert_ptr_eq(
        strstr(text,
               "{\"data\":[\n"
               "[0,0,1,0.004999501,0.012,500,1100,4096],\n"
               "[1,0,2,0.001,0.006,100,600,4097],\n"
               "[2,0,8,0.005,0.005,500,500,4098],\n"
               "[3,0,1,0.001000499,0.001000499,null,null,4099],\n"
               "[0,1,1,0.0030005,0.0030005,100,100,4096]],\n"
               "\"columns\":[\"path\",\"mpi.rank\",\"count\",\"sum#time."
               "duration\",\"inclusive#sum#time.duration\",\"sum#PAPI_TOT_INS\""
               ",\"sum#PAPI_TOT_INS (inc)\",\"max#pdump::rss\"],\n"),
        text);
    ck_assert_ptr_nonnull(
        strstr(text, "\"nodes\":[\n"
                     "{\"label\":\"main\",\"column\":\"path\"},\n"
                     "{\"label\":\"f\",\"column\":\"path\",\"parent\":0},\n"
                     "{\"label\":\"f\",\"column\":\"path\",\"parent\":1},\n"));
    ck_assert_ptr_nonnull(strstr(text, "\"command\":\"./app \\\"x\\\"\"}"));
}
END_TEST

START_TEST(dot_counts_a_recursion_once)
{
    char *text = exported("dot", small());

    ck_assert_ptr_nonnull(strstr(text, "// Left out: 0 regions below 0.5 %."));
    ck_assert_ptr_nonnull(
        strstr(text, "n0 [label=\"main\\n100.0 %\\n(53.3 % self)\\n3 x\""));
    ck_assert_ptr_nonnull(
        strstr(text, "n1 [label=\"f\\n40.0 %\\n(40.0 % self)\\n10 x\""));
    ck_assert_ptr_nonnull(strstr(text, "n2 [label=\"a;\\\"b\\\"\\\\\\n6.7 %"));
    ck_assert_ptr_nonnull(strstr(text, "n0 -> n1 [label=\"40.0 %\\n2 x\""));
    ck_assert_ptr_nonnull(strstr(text, "n1 -> n1 [label=\"33.3 %\\n8 x\""));
}
END_TEST

START_TEST(calls_inside_the_same_call_count_once)
{
    struct pdump_dump *dump;

    start();
    pdump_builder_node(b, -1, region("main", "", 0));
    for (int i = 0; i < 4; i++)
        pdump_builder_node(b, i, region("f", "", 0));
    new_thread(0, 0, "");
    for (int i = 0; i < 5; i++)
        row(0, i, 1, 10000 - 2000 * i, 1);
    dump = finish();
    ck_assert_ptr_nonnull(
        strstr(exported("dot", dump), "n1 -> n1 [label=\"60.0 %\\n3 x\""));
    /* f'2 calls itself twice: 4 us, not 4 and 2. */
    ck_assert_ptr_nonnull(
        strstr(exported("callgrind", dump), "calls=2 0\n0 4000 1\n"));
}
END_TEST

/* Clocks are not perfect, and files are edited: nothing goes backwards. */
START_TEST(what_is_longer_than_what_it_is_in_makes_nothing_negative)
{
    static const char *const expected[] = {
        "main;long 12000\n",
        "\"frame\":0,\"at\":12000000}],\"endValue\":12000000}",
        "\"name\":\"main\",\"cat\":\"user\",\"ts\":0,\"dur\":12000,",
        "fn=(1) main\n0 0 5\n",
        "[0,0,1,-0.002,0.01,5,10,4096]", /* has signs */
        "n1 [label=\"long\\n120.0 %",
    };

    start();
    pdump_builder_node(b, -1, region("main", "", 0));
    pdump_builder_node(b, 0, region("long", "", 0));
    new_thread(0, 0, "");
    row(0, 0, 1, 10000000, 10);
    row(0, 1, 1, 12000000, 5);
    ck_assert_ptr_nonnull(
        strstr(exported(formats[_i], finish()), expected[_i]));
}
END_TEST

START_TEST(dot_leaves_out_what_nobody_would_see)
{
    char *text;

    start();
    pdump_builder_node(b, -1, region("main", "", 0));
    pdump_builder_node(b, 0, region("tiny", "", 0));
    pdump_builder_node(b, 0, region("enough", "", 0));
    new_thread(0, 0, "");
    row(0, 0, 1, 1000000, 1);
    row(0, 1, 1, 4999, 1);
    row(0, 2, 1, 5000, 1);
    text = exported("dot", finish());
    ck_assert_ptr_null(strstr(text, "tiny"));
    ck_assert_ptr_null(strstr(text, "n0 -> n1"));
    ck_assert_ptr_nonnull(strstr(text, "n0 -> n2"));
    ck_assert_ptr_nonnull(strstr(text, "// Left out: 1 regions below 0.5 %."));
}
END_TEST

/* Brackets and quotes match, and nothing is in strings that may not be. */
static bool is_json(const char *text)
{
    int depth = 0;
    bool is_string = false;

    for (; *text; text++) {
        if (is_string) {
            if ((unsigned char)*text < ' ')
                return false;
            is_string = *text != '"';
            text += *text == '\\';
            continue;
        }
        is_string = *text == '"';
        depth += *text == '{' || *text == '[';
        depth -= *text == '}' || *text == ']';
        if (depth < 0 || (depth == 0 && text[1] > '\n'))
            return false;
    }
    return !is_string && depth == 0;
}

/* UTF-8, and no control characters but line ends. */
static bool is_clean(const char *text, size_t len)
{
    if (strlen(text) != len)
        return false;
    while (*text) {
        int n = pdump_utf8_length(text);

        if (n == 0 || ((unsigned char)*text < ' ' && *text != '\n') ||
            *text == 0x7f)
            return false;
        text += n;
    }
    return true;
}

START_TEST(nasty_names_become_clean_text)
{
    const struct kit_options how = { .n_ranks = 3,
                                     .n_regions = 20,
                                     .n_samples = 9,
                                     .is_irregular = true,
                                     .has_stats = _i % 2 };
    struct pdump_dump *dump = kit_dump(how);
    size_t len;
    char *text;

    exported(formats[_i / 2], dump);
    text = content(&len);
    ck_assert(is_clean(text, len));
    /* Those statistics are of some nanoseconds, of which folded has none. */
    ck_assert(len > 100 || (_i / 2 == 0 && how.has_stats));
    ck_assert(len <= 100 || strstr(text, "\xef\xbf\xbd\xef\xbf\xbd raw") ||
              strstr(text, "\\ufffd\\ufffd raw"));
    for (int i = 0; i < N_JSON; i++)
        if (strcmp(formats[_i / 2], json_formats[i]) == 0)
            ck_assert(is_json(text));
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_dump_without_rows_is_no_error)
{
    char *text;
    size_t len;

    start();
    exported(formats[_i], finish());
    text = content(&len);
    ck_assert(is_clean(text, len));
}
END_TEST

START_TEST(without_time_there_is_a_message)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(
        b, &(struct pdump_dump_metric){ "x", "1", "", "", PDUMP_COUNTER });
    dump = finish();
    for (int i = 0; i < N_FORMATS; i++) {
        bool has_others = strcmp(formats[i], "callgrind") == 0 ||
                          strcmp(formats[i], "caliper-json") == 0;

        ck_assert_int_eq(export(formats[i], dump),
                         has_others ? PDUMP_OK : PDUMP_EFORMAT);
    }
}
END_TEST

/* Only statistics over ranks: what all ranks had together. */
START_TEST(statistics_take_the_place_of_rows)
{
    static const char *const expected[] = {
        "main 30000\nmain;f 10000\n",
        "thread 0: sum over 4 ranks\"",
        "\"dur\":40000,\"args\":{\"visits\":4}}",
        "\n1 30000000 0\n",
        "[0,0,4,0.03,0.04,null,null,null]",
        "(75.0 % self)\\n4 x",
    };

    start();
    pdump_builder_node(b, -1, region("main", "m.c", 1));
    pdump_builder_node(b, 0, region("f", "m.c", 2));
    for (int i = 0; i < 4; i++)
        new_thread(i, 0, "");
    for (int i = 0; i < 2; i++) {
        struct pdump_dump_rank_stat stat = {
            4, i ? 10000000 : 40000000, 1, 1, 0, 0, 0
        };

        pdump_builder_stat(b, TIME, i, &stat);
        stat.sum = 4;
        pdump_builder_stat(b, -1, i, &stat);
    }
    pdump_builder_metadata(b, "ranks", "4");
    ck_assert_ptr_nonnull(
        strstr(exported(formats[_i], finish()), expected[_i]));
    ck_assert_str_eq(exported("csv-pyperfdump", made),
                     "main,Runtime,0.04\nf,Runtime,0.01\n");
}
END_TEST

/* A chain, then leaves: what depends on the depth of every node would need
 * gigabytes for the one, what looks at all siblings ages for the other. */
START_TEST(many_nodes_take_linear_time_and_room)
{
    enum { N = 100000 };
    bool is_chain = _i % 2;
    size_t len;

    start();
    new_thread(0, 0, "");
    pdump_builder_reserve(b, N);
    for (int i = 0; i < N; i++) {
        char name[32];
        int parent = is_chain ? i - 1 : (i > 0) - 1;

        snprintf(name, sizeof(name), "region_%d", is_chain ? i % 1000 : i);
        pdump_builder_node(b, parent, region(name, "", 0));
        row(0, i, 1, is_chain ? 2000L * (N - i) : i ? 2000 : 2000L * N, 1);
    }
    exported(formats[_i / 2], finish());
    content(&len);
    ck_assert_uint_lt(len, 250 * N);
    if (strcmp(formats[_i / 2], "folded") == 0 && is_chain) {
        char *last = strrchr(content(NULL), ';');
        const char *count = strrchr(last, ' ');

        /* Every node has 2 us; those that are too deep have them together. */
        ck_assert_ptr_eq(strstr(last, ";(deeper) "), last);
        ck_assert_int_gt(atoi(count), 190000);
    }
}
END_TEST

START_TEST(a_name_with_a_long_ending_is_no_json)
{
    ck_assert_str_eq(pdump_sink_guess("x.json")->name, "json");
    ck_assert_str_eq(pdump_sink_guess("x.speedscope.json")->name, "speedscope");
    ck_assert_str_eq(pdump_sink_guess("x.trace.json")->name, "chrome");
    ck_assert_str_eq(pdump_sink_guess("x.cali.json")->name, "caliper-json");
    ck_assert_str_eq(pdump_sink_guess("x.csv")->name, "csv");
    ck_assert_ptr_null(pdump_sink_guess(".trace"));
    ck_assert_ptr_null(pdump_sink_guess("x.nothing"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("export");
    TCase *tcase = tcase_create("export");

    tcase_add_checked_fixture(tcase, make_file, clean_up);
    tcase_add_test(tcase, folded_stacks_have_the_time_of_all_threads);
    tcase_add_test(tcase, speedscope_has_a_profile_per_thread);
    tcase_add_test(tcase, chrome_has_nested_events_and_real_times_of_samples);
    tcase_add_test(tcase, callgrind_keeps_recursion_apart);
    tcase_add_test(tcase, callgrind_leaves_out_what_is_below_zero);
    tcase_add_test(tcase, caliper_has_a_line_per_node_and_rank);
    tcase_add_test(tcase, dot_counts_a_recursion_once);
    tcase_add_test(tcase, calls_inside_the_same_call_count_once);
    tcase_add_loop_test(
        tcase, what_is_longer_than_what_it_is_in_makes_nothing_negative, 0,
        N_FORMATS);
    tcase_add_test(tcase, dot_leaves_out_what_nobody_would_see);
    tcase_add_loop_test(tcase, nasty_names_become_clean_text, 0, 2 * N_FORMATS);
    tcase_add_loop_test(tcase, a_dump_without_rows_is_no_error, 0, N_FORMATS);
    tcase_add_test(tcase, without_time_there_is_a_message);
    tcase_add_loop_test(tcase, statistics_take_the_place_of_rows, 0, N_FORMATS);
    tcase_add_loop_test(tcase, many_nodes_take_linear_time_and_room, 0,
                        2 * N_FORMATS);
    tcase_add_test(tcase, a_name_with_a_long_ending_is_no_json);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
