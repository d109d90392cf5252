/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks in the formats of other programs: one tree with regions, in which no
 * time is counted twice. */
#include "base/utf8.h"
#include "dump_kit.h"
#include "pprof_text.h"
#include "suite.h"
#include "write/sink.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

static char file[] = "/tmp/pdump-stacks-XXXXXX";
static struct pdump_dump *dump;
static char *text;

static void make_dump(void)
{
    int fd = mkstemp(file);

    ck_assert_int_ge(fd, 0);
    close(fd);
    dump = kit_stacks_dump(1, true);
    ck_assert_ptr_nonnull(dump);
}

static void clean_up(void)
{
    unlink(file);
    pdump_dump_free(dump);
    free(text);
}

/* What the format writes of the dump; until the next call. */
static char *exported(const char *format, size_t *len)
{
    const struct pdump_sink *sink;
    FILE *f;

    ck_assert_int_eq(pdump_sink_find(format, &sink), PDUMP_OK);
    ck_assert(sink->has_stacks);
    ck_assert_msg(pdump_sink_write(&sink->parts[0], dump, file) == PDUMP_OK,
                  "%s: %s", format, pdump_last_error());
    free(text);
    text = calloc(1, 1 << 20);
    f = fopen(file, "r");
    ck_assert(f && text);
    *len = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    return text;
}

static void has(const char *format, const char *part)
{
    size_t len;

    exported(format, &len);
    ck_assert_msg(strstr(text, part), "%s: no %s in %s", format, part, text);
}

/* In the first thread, solve has less time than its stacks, so that nothing of
 * it is left; in the second, its stacks are outside of it. */
START_TEST(folded_has_regions_and_frames_in_one_tree)
{
    size_t len;

    pdump_dump_free(dump);
    dump = kit_stacks_dump(1000, true);
    ck_assert_str_eq(exported("folded", &len), "main 22000\n"
                                               "main;solve 8000\n"
                                               "main;solve;work 1900\n"
                                               "main;solve;work;work 3100\n"
                                               "main;solve;work;work;solve 5000"
                                               "\n"
                                               "work 1900\n"
                                               "work;work 3100\n"
                                               "work;work;solve 5000\n");
}
END_TEST

START_TEST(speedscope_has_frames_below_their_region)
{
    has("speedscope", "\"name\":\"work\",\"file\":\"work.c\",\"line\":10}");
    has("speedscope", "\"events\":[\n"
                      "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
                      "{\"type\":\"O\",\"frame\":1,\"at\":11000},\n"
                      "{\"type\":\"O\",\"frame\":2,\"at\":11000},\n"
                      "{\"type\":\"O\",\"frame\":2,\"at\":12900},\n"
                      "{\"type\":\"O\",\"frame\":3,\"at\":16000},\n"
                      "{\"type\":\"C\",\"frame\":3,\"at\":21000},\n"
                      "{\"type\":\"C\",\"frame\":2,\"at\":21000},\n"
                      "{\"type\":\"C\",\"frame\":2,\"at\":21000},\n"
                      "{\"type\":\"C\",\"frame\":1,\"at\":21000},\n"
                      "{\"type\":\"C\",\"frame\":0,\"at\":21000}],"
                      "\"endValue\":21000}");
}
END_TEST

START_TEST(chrome_has_frames_below_their_region)
{
    has("chrome", "\"name\":\"main\",\"cat\":\"user\",\"ts\":0,\"dur\":21,");
    has("chrome", "\"name\":\"solve\",\"cat\":\"user\",\"ts\":11,\"dur\":10,");
    has("chrome", "\"name\":\"work\",\"cat\":\"stack\",\"ts\":12.9,\"dur\":8.1,"
                  "\"args\":{\"visits\":0,\"sum\":{\"pdump::stacks\":8,"
                  "\"pdump::stack_time\":8100}}}");
}
END_TEST

START_TEST(callgrind_has_frames_as_functions)
{
    size_t len;
    char *at = strstr(exported("callgrind", &len), "events:");

    ck_assert_ptr_nonnull(at);
    ck_assert_str_eq(
        at, "events: time_ns pdump__stacks_1 pdump__stack_time_2\n"
            "\nfl=(1) main.c\nfn=(1) main\n3 22000 0 0\n"
            "cfi=(1)\ncfn=(2) solve\ncalls=2 3\n3 18000 10 10000\n"
            "\nfl=(1)\nfn=(2)\n3 8000 0 0\n"
            "cfi=(2) work.c\ncfn=(3) work\ncalls=10 10\n3 10000 10 10000\n"
            "\nfl=(2)\nfn=(3)\n10 3800 4 3800\n"
            "cfi=(2)\ncfn=(7) work'2\ncalls=16 10\n10 16200 16 16200\n"
            "\nfl=(3) step.c\nfn=(4) solve\n20 0 10 10000\n22 10000 0 0\n"
            "\nfl=(2)\nfn=(7)\n10 6200 6 6200\n"
            "cfi=(3)\ncfn=(4)\ncalls=10 20\n10 10000 10 10000\n"
            "\ntotals: 50000 20 20000\n");
}
END_TEST

START_TEST(dot_has_shares_of_one_whole)
{
    has("dot", "5e-05 s in 2 threads");
    has("dot", "n0 [label=\"main\\n80.0 %\\n(44.0 % self)\\n2 x\"");
    has("dot", "n1 [label=\"solve\\n36.0 %\\n(16.0 % self)\\n2 x\"");
    has("dot", "n2 [label=\"work\\n40.0 %\\n(20.0 % self)\\n36 x\"");
}
END_TEST

START_TEST(caliper_has_frames_without_time)
{
    has("caliper-json", "\n[2,0,0,null,null,2,10,1900,10000]");
    has("caliper-json", "\"sum#pdump::stack_time (inc)\"");
}
END_TEST

static char *pprof(void)
{
    char *meaning = NULL;
    size_t len, n;
    FILE *f = open_memstream(&meaning, &n);

    ck_assert_ptr_nonnull(f);
    exported("pprof", &len);
    pprof_text(text, len, f);
    fclose(f);
    free(text);
    text = meaning;
    return text;
}

START_TEST(pprof_has_stacks_with_their_lines)
{
    ck_assert_str_eq(
        pprof(),
        "stacks/count\ncpu/nanoseconds\n"
        "2 1900 rank=0 thread=0 work work.c:14 < solve main.c:3 < main "
        "main.c:3\n"
        "3 3100 rank=0 thread=0 work work.c:12 < work work.c:12 < solve "
        "main.c:3 < main main.c:3\n"
        "5 5000 rank=0 thread=0 solve step.c:22 < work work.c:12 < work "
        "work.c:12 < solve main.c:3 < main main.c:3\n"
        "2 1900 rank=0 thread=1 work work.c:14\n"
        "3 3100 rank=0 thread=1 work work.c:12 < work work.c:12\n"
        "5 5000 rank=0 thread=1 solve step.c:22 < work work.c:12 < work "
        "work.c:12\n");
}
END_TEST

START_TEST(pprof_without_stacks_has_regions)
{
    pdump_dump_free(dump);
    dump = kit_stacks_dump(2, false);
    ck_assert_str_eq(pprof(),
                     "visits/count\ntime/nanoseconds\n"
                     "1 11000 rank=0 thread=0 main main.c:3\n"
                     "1 9000 rank=0 thread=0 solve main.c:3 < main main.c:3\n"
                     "1 11000 rank=0 thread=1 main main.c:3\n"
                     "1 9000 rank=0 thread=1 solve main.c:3 < main main.c:3\n"
                     "1 11000 rank=1 thread=0 main main.c:3\n"
                     "1 9000 rank=1 thread=0 solve main.c:3 < main main.c:3\n"
                     "1 11000 rank=1 thread=1 main main.c:3\n"
                     "1 9000 rank=1 thread=1 solve main.c:3 < main main.c:3\n");
}
END_TEST

/* What is below 500 frames is one sample, with nothing lost. */
START_TEST(pprof_cuts_a_deep_recursion)
{
    struct pdump_builder *b;
    struct pdump_stacks *s;
    struct pdump_stacks_frame frames[700];
    int f, thread;

    pdump_dump_free(dump);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    ck_assert_int_eq(pdump_stacks_new(b, &s), PDUMP_OK);
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    thread = pdump_builder_thread(b, &(struct pdump_dump_thread){ 0 });
    f = pdump_stacks_function(s, "f", "f.c", 1);
    for (int i = 0; i < 700; i++)
        frames[i] = (struct pdump_stacks_frame){ f, NULL };
    for (int n = 500; n <= 700; n += 100)
        pdump_stacks_add(s, thread, -1, frames, n, n, 10 * n);
    pdump_stacks_put(s, thread, 0);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_stacks_free(s);
    pdump_builder_free(b);
    pprof();
    ck_assert_ptr_nonnull(strstr(text, "\n500 5000 rank=0 thread=0 f f.c:1 <"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n1300 13000 rank=0 thread=0 (deeper) :0 < f f.c:1 <"));
}
END_TEST

START_TEST(pprof_copes_with_odd_dumps)
{
    const struct kit_options how = { .n_ranks = 3,
                                     .n_regions = 20,
                                     .n_samples = 9,
                                     .n_details = 20,
                                     .has_stats = _i };

    pdump_dump_free(dump);
    dump = kit_dump(how);
    ck_assert_ptr_nonnull(strstr(pprof(), "\ntime/nanoseconds\n"));
    ck_assert_ptr_nonnull(strstr(text, " rank=1 thread=0 "));
    for (const char *at = text; *at; at += pdump_utf8_length(at))
        ck_assert_int_gt(pdump_utf8_length(at), 0);
}
END_TEST

/* A chain: whole paths would need gigabytes. */
START_TEST(pprof_of_a_deep_tree_is_small)
{
    enum { N = 100000 };
    struct pdump_builder *b;
    int64_t sum = 0;
    size_t len;
    int node = -1, f;

    pdump_dump_free(dump);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(
        b, &(struct pdump_dump_metric){ .name = "time", .unit = "ns" });
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ 0 });
    f = pdump_builder_region(b, &(struct pdump_dump_region){ .name = "f" });
    for (int i = 0; i < N; i++) {
        int64_t row;

        node = pdump_builder_node(b, node, f);
        row = pdump_builder_row(b, 0, node, 1, false);
        pdump_builder_value(b, row, 0, 10 * (N - i), 0, 0, 0);
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    exported("pprof", &len);
    ck_assert_uint_lt(len, 1 << 19);
    for (char *line = strchr(pprof(), '\n'); line; line = strchr(line, '\n')) {
        int64_t visits = strtoll(++line, &line, 10);

        if (visits > 0)
            sum += strtoll(line, &line, 10);
    }
    ck_assert_int_eq(sum, 10 * N);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stacks in formats");
    TCase *t = tcase_create("formats");

    tcase_add_checked_fixture(t, make_dump, clean_up);
    tcase_add_test(t, folded_has_regions_and_frames_in_one_tree);
    tcase_add_test(t, speedscope_has_frames_below_their_region);
    tcase_add_test(t, chrome_has_frames_below_their_region);
    tcase_add_test(t, callgrind_has_frames_as_functions);
    tcase_add_test(t, dot_has_shares_of_one_whole);
    tcase_add_test(t, caliper_has_frames_without_time);
    tcase_add_test(t, pprof_has_stacks_with_their_lines);
    tcase_add_test(t, pprof_without_stacks_has_regions);
    tcase_add_test(t, pprof_cuts_a_deep_recursion);
    tcase_add_loop_test(t, pprof_copes_with_odd_dumps, 0, 2);
    tcase_add_test(t, pprof_of_a_deep_tree_is_small);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
