/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree folded up to functions and their callers; the file itself is read by
 * Python's pstats in python/test_pstats.py. */
#include "write/pstats_table.h"

#include "dump/builder.h"
#include "write/sink.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pdump_builder *b;
static struct pdump_pstats_table p;

static void setup(void)
{
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    pdump_builder_process(b, &(struct pdump_dump_process){ .rank = 0 });
    pdump_builder_process(b, &(struct pdump_dump_process){ .rank = 1 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .process = 0 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .process = 1 });
}

static void teardown(void)
{
    pdump_builder_free(b);
}

static int region(const char *name, const char *file, int line)
{
    return pdump_builder_region(b, &(struct pdump_dump_region){ .name = name,
                                                                .file = file,
                                                                .line = line });
}

/* A node that thread `thread` visited `visits` times, `ns` in all. */
static int visit(int thread, int parent, int of, int64_t visits, int64_t ns)
{
    int node = pdump_builder_node(b, parent, of);
    int64_t row = pdump_builder_row(b, thread, node, visits, false);

    ck_assert_int_ge(row, 0);
    pdump_builder_value(b, row, 0, ns, ns, ns, 0);
    return node;
}

static struct pdump_dump *fold(void)
{
    struct pdump_dump *dump;
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    ck_assert_int_eq(pdump_pstats_table_of(in, &p), PDUMP_OK);
    pdump_stream_free(in);
    return dump;
}

static int find(const char *name)
{
    for (int i = 0; i < p.n_functions; i++)
        if (strcmp(p.functions[i].name, name) == 0)
            return i;
    ck_abort_msg("no function %s", name);
    return -1;
}

static void has(const struct pdump_pstats_table_figures *f, int64_t calls,
                int64_t primitive, int64_t own, int64_t total)
{
    ck_assert_int_eq(f->calls, calls);
    ck_assert_int_eq(f->primitive, primitive);
    ck_assert_int_eq(f->own, own);
    ck_assert_int_eq(f->total, total);
}

static const struct pdump_pstats_table_figures *call(const char *caller,
                                                     const char *callee)
{
    for (int i = 0; i < p.n_calls; i++)
        if (p.calls[i].caller == find(caller) &&
            p.calls[i].callee == find(callee))
            return &p.calls[i].figures;
    ck_abort_msg("%s does not call %s", caller, callee);
    return NULL;
}

START_TEST(a_recursion_counts_once)
{
    int main_r = region("main", "", 0), f = region("f", "", 0);
    int main_n = visit(0, -1, main_r, 1, 100);
    int outer = visit(0, main_n, f, 2, 80);
    int inner = visit(0, outer, f, 4, 50);
    struct pdump_dump *dump;

    visit(0, inner, f, 1, 10);
    dump = fold();
    has(&p.functions[find("main")].figures, 1, 1, 20, 100);
    has(&p.functions[find("f")].figures, 7, 2, 80, 80);
    has(call("main", "f"), 2, 2, 30, 80);
    has(call("f", "f"), 5, 4, 50, 50);
    ck_assert_int_eq(p.n_calls, 2);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(ranks_are_added_up)
{
    int f = region("f", "", 0), g = region("g", "", 0);
    struct pdump_dump *dump;

    visit(0, visit(0, -1, f, 1, 10), g, 3, 4);
    visit(1, visit(1, -1, f, 2, 20), g, 5, 6);
    dump = fold();
    has(&p.functions[find("f")].figures, 3, 3, 20, 30);
    has(call("f", "g"), 8, 8, 10, 10);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(statistics_over_ranks_are_enough)
{
    int f = region("f", "", 0);
    int node = pdump_builder_node(b, -1, f);
    struct pdump_dump_rank_stat visits = { .n = 4, .sum = 12 };
    struct pdump_dump_rank_stat time = { .n = 4, .sum = 400 };
    struct pdump_dump *dump;

    pdump_builder_stat(b, -1, node, &visits);
    pdump_builder_stat(b, 0, node, &time);
    dump = fold();
    has(&p.functions[find("f")].figures, 12, 12, 400, 400);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_is_open_was_called)
{
    int node = pdump_builder_node(b, -1, region("f", "", 0));
    int64_t row = pdump_builder_row(b, 0, node, 2, true);
    struct pdump_dump *dump;

    pdump_builder_value(b, row, 0, 30, 10, 10, 0);
    dump = fold();
    has(&p.functions[find("f")].figures, 3, 3, 30, 30);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(python_s_functions_have_python_s_names)
{
    static const struct {
        const char *region, *file, *expected;
    } names[] = {
        { "__main__:f", "/x/run.py", "f" },
        { "__main__:g", "<string>", "g" },
        { "pkg.mod:A.h", "/x/pkg/mod.py", "A.h" },
        { "pkg:i", "/x/pkg/__init__.py", "i" },
        { "other:j", "/x/mod.py", "other:j" },
        { "xmod:j", "/x/mod.py", "xmod:j" },
        { "io:read", "solve.c", "io:read" },
        { "ns::k", "k.cc", "ns::k" },
        { "plain", "run.py", "plain" },
        { "__main__:nowhere", "", "__main__:nowhere" },
    };
    struct pdump_dump *dump;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        visit(0, -1, region(names[i].region, names[i].file, (int)i + 1), 1, 1);
    dump = fold();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pdump_pstats_table_function *f =
            &p.functions[find(names[i].expected)];

        ck_assert_str_eq(f->file, names[i].file[0] ? names[i].file : "~");
        ck_assert_int_eq(f->line, names[i].file[0] ? (int)i + 1 : 0);
    }
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

/* The same code under two names, as a script that is imported as well. */
START_TEST(functions_that_python_cannot_tell_apart_are_one)
{
    int script = region("__main__:f", "/x/mod.py", 3);
    int module = region("mod:f", "/x/mod.py", 3);
    struct pdump_dump *dump;

    visit(0, visit(0, -1, script, 1, 10), module, 2, 4);
    dump = fold();
    ck_assert_int_eq(p.n_functions, 1);
    has(&p.functions[0].figures, 3, 1, 10, 10);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

/* More than 31 bits are written in digits of 15. */
START_TEST(large_counts_are_written_whole)
{
    static const char expected[] = "l\3\0\0\0\0\0\0\0\0\4";
    char bytes[256];
    struct pdump_dump *dump;
    FILE *f;
    size_t n;

    visit(0, -1, region("f", "", 0), INT64_C(1) << 40, 1);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    ck_assert_int_eq(
        pdump_sink_write(&pdump_sink_pstats.parts[0], dump, "x.pstats"),
        PDUMP_OK);
    f = fopen("x.pstats", "r");
    ck_assert_ptr_nonnull(f);
    n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    unlink("x.pstats");
    ck_assert_ptr_nonnull(memmem(bytes, n, expected, sizeof(expected) - 1));
    pdump_dump_free(dump);
}
END_TEST

START_TEST(nothing_is_nothing)
{
    struct pdump_dump *dump = fold();

    ck_assert_int_eq(p.n_functions, 0);
    ck_assert_int_eq(p.n_calls, 0);
    pdump_pstats_table_free(&p);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pstats");
    TCase *tc = tcase_create("fold");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_recursion_counts_once);
    tcase_add_test(tc, ranks_are_added_up);
    tcase_add_test(tc, statistics_over_ranks_are_enough);
    tcase_add_test(tc, what_is_open_was_called);
    tcase_add_test(tc, python_s_functions_have_python_s_names);
    tcase_add_test(tc, functions_that_python_cannot_tell_apart_are_one);
    tcase_add_test(tc, large_counts_are_written_whole);
    tcase_add_test(tc, nothing_is_nothing);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
