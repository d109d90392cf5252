/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions in the summary of `pdump run`. */
#include "dump_kit.h"
#include "run/run_stacks.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>

static char *summary_of(struct pdump_dump *dump)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    ck_assert(f && dump);
    ck_assert_int_eq(run_stacks_put(f, dump, 0), PDUMP_OK);
    fclose(f);
    pdump_dump_free(dump);
    return text;
}

START_TEST(functions_have_file_and_line)
{
    char *text = summary_of(kit_stacks_dump(1, true));

    ck_assert_str_eq(
        text, "\nCPU time by function, from stacks (pdump report --stacks):\n"
              "self %     self  function  defined\n"
              "  50.0  10.0 us  work      work.c:10\n"
              "  50.0  10.0 us  solve     step.c:20\n");
    free(text);
}
END_TEST

START_TEST(there_are_five_at_most)
{
    struct pdump_builder *b;
    struct pdump_stacks *s;
    struct pdump_dump *dump;
    int thread, n = 0;
    char *text;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    ck_assert_int_eq(pdump_stacks_new(b, &s), PDUMP_OK);
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    thread = pdump_builder_thread(b, &(struct pdump_dump_thread){ 0 });
    for (int i = 0; i < 9; i++) {
        char name[] = "/usr/lib/libx.so+0x0";
        struct pdump_stacks_frame frame = { .line = NULL };

        name[sizeof(name) - 2] = (char)('0' + i);
        frame.function = pdump_stacks_function(s, name, NULL, 0);
        pdump_stacks_add(s, thread, -1, &frame, 1, i + 1, 1000 * (i + 1));
    }
    pdump_stacks_put(s, thread, 0);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_stacks_free(s);
    pdump_builder_free(b);
    text = summary_of(dump);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    ck_assert_int_eq(n, 3 + 5);
    ck_assert_ptr_nonnull(strstr(text, "  20.0  9.00 us  libx.so+0x8"));
    ck_assert_ptr_null(strstr(text, "+0x3"));
    free(text);
}
END_TEST

START_TEST(without_stacks_there_is_nothing)
{
    char *text = summary_of(kit_stacks_dump(1, false));

    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_stacks");
    TCase *t = tcase_create("summary");

    tcase_add_test(t, functions_have_file_and_line);
    tcase_add_test(t, there_are_five_at_most);
    tcase_add_test(t, without_stacks_there_is_nothing);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
