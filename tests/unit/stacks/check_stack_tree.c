/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks in the store: each frame once, figures that are never half, and what
 * there is no room for is counted. */
#include "dump/stacks.h"
#include "fake.h"
#include "inlined_kit.h"
#include "stacks/module_record.h"
#include "stacks/module_table.h"
#include "stacks/script_frames.h"
#include "stacks/script_table.h"
#include "stacks/stack_tree.h"
#include "system/plugin.h"

#include <pthread.h>
#include <stdlib.h>

static struct pdump_walker walker;
static struct pdump_stack_tree tree;
static _Atomic int64_t left;

/* Places in the C library, whose names every program knows. */
#define INNER ((uintptr_t)rand_r)
#define OUTER ((uintptr_t)drand48)
#define OTHER ((uintptr_t)lrand48)

static void setup(void)
{
    fake_open();
    ck_assert(pdump_module_table_open());
    pdump_module_record_forget();
    left = 1 << 20;
    memset(&tree, 0, sizeof(tree));
    ck_assert(pdump_stack_tree_open(&tree, recording.store, &left, 77));
    tree.record->thread = (uint32_t)(((char *)rec.record - tree.base) / 8);
}

/* The stack of these functions, the innermost first; ends with 0. */
static void add(uint32_t node, int64_t ns, bool is_finished,
                const uintptr_t *functions)
{
    walker.n = 0;
    for (; *functions; functions++)
        walker.frames[walker.n++] = (struct pdump_walk_frame){
            .code = *functions + 1,
            .module = pdump_module_table_find(*functions + 1)
        };
    walker.is_finished = is_finished;
    pdump_stack_tree_add(&tree, &walker, node, ns);
}

/* A stack of one frame, in code without a file. */
static void add_nameless(int i)
{
    walker.n = 1;
    walker.frames[0] = (struct pdump_walk_frame){ 4096 + (uintptr_t)i, -1, 0 };
    walker.is_finished = true;
    pdump_stack_tree_add(&tree, &walker, 0, 2);
}

#define STACK(...) ((const uintptr_t[]){ __VA_ARGS__, 0 })

static void check_row(const struct pdump_dump *dump, const char *path,
                      int64_t count, int64_t self, int64_t ns)
{
    int c = pdump_dump_find_metric(dump, PDUMP_STACKS_COUNT);
    int t = pdump_dump_find_metric(dump, PDUMP_STACKS_TIME);
    int64_t row = row_at(dump, path);

    ck_assert_msg(row >= 0, "no row %s", path);
    ck_assert_int_eq(dump->columns[c].sum[row], count);
    ck_assert_int_eq(dump->columns[c].exclusive[row], self);
    ck_assert_int_eq(dump->columns[t].sum[row], ns);
}

static void check_fact(const struct pdump_dump *dump, const char *key,
                       int64_t value)
{
    const char *text = pdump_dump_metadata(dump, key);

    ck_assert_msg(text != NULL, "no %s", key);
    ck_assert_int_eq(atoll(text), value);
}

START_TEST(stacks_hang_below_the_open_region)
{
    struct pdump_dump *dump;

    begin("a");
    add(rec.top->node, 10, true, STACK(INNER, OUTER));
    add(rec.top->node, 20, true, STACK(INNER, OUTER));
    add(rec.top->node, 5, true, STACK(OUTER));
    begin("b");
    add(rec.top->node, 7, true, STACK(OTHER));
    end("b");
    end("a");
    add(rec.top->node, 1, true, STACK(OTHER));
    ck_assert_uint_eq(tree.n, 4);
    dump = snapshot();
    check_row(dump, "a", 4, 0, 42);
    check_row(dump, "a/drand48", 3, 1, 35);
    check_row(dump, "a/drand48/rand_r", 2, 2, 30);
    check_row(dump, "a/b", 1, 0, 7);
    check_row(dump, "a/b/lrand48", 1, 1, 7);
    check_row(dump, "lrand48", 1, 1, 1);
    check_fact(dump, "stacks", 5);
    check_fact(dump, "stacks_unfinished", 0);
    check_fact(dump, "stacks_lost", 0);
    check_fact(dump, "stacks_cpu_time_ns", 43);
    pdump_dump_free(dump);
}
END_TEST

/* BUILT_MODULES is where the build links its modules. */
START_TEST(functions_in_others_are_frames)
{
    uintptr_t code = (uintptr_t)outer(1) - 1;
    const struct pdump_dump_region *region;
    struct pdump_dump *dump;

    pdump_plugin_use(BUILT_MODULES);
    if (!pdump_plugin_is_there("symbols"))
        return;
    walker.n = 1;
    walker.frames[0] =
        (struct pdump_walk_frame){ code, pdump_module_table_find(code), 0 };
    walker.is_finished = true;
    pdump_stack_tree_add(&tree, &walker, 0, 10);
    ck_assert_uint_eq(tree.n, 1);
    dump = snapshot();
    check_row(dump, "outer", 1, 0, 10);
    check_row(dump, "outer/middle", 1, 0, 10);
    check_row(dump, "outer/middle/inner", 1, 1, 10);
    region = &dump->regions[dump->nodes[1].region];
    ck_assert_str_eq(region->name, "middle");
    ck_assert_ptr_nonnull(strstr(region->file, "inlined_kit.h"));
    ck_assert_int_gt(region->line, 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(unfinished_stacks_are_marked)
{
    struct pdump_dump *dump;

    add(0, 10, false, STACK(INNER));
    add(0, 10, true, STACK(INNER));
    dump = snapshot();
    check_row(dump, "(unfinished)", 1, 0, 10);
    check_row(dump, "(unfinished)/rand_r", 1, 1, 10);
    check_row(dump, "rand_r", 1, 1, 10);
    check_fact(dump, "stacks", 2);
    check_fact(dump, "stacks_unfinished", 1);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(code_without_a_file)
{
    struct pdump_dump *dump;

    add_nameless(0);
    add_nameless(16);
    dump = snapshot();
    check_row(dump, PDUMP_STACKS_NO_FILE, 2, 2, 4);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(half_a_change_is_none)
{
    struct pdump_stack_node *node;
    struct pdump_dump *dump;

    add(0, 10, true, STACK(INNER));
    add(0, 5, true, STACK(INNER));
    node = &tree.chunk->nodes[0];
    tree.record->sequence++;
    node->count = 1000;
    dump = snapshot();
    check_row(dump, "rand_r", 1, 1, 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_thread_without_regions_is_a_thread)
{
    struct pdump_dump *dump;

    begin("a");
    end("a");
    tree.record->thread = 0;
    add(0, 10, true, STACK(INNER));
    dump = snapshot();
    ck_assert_int_eq(dump->n_threads, 2);
    ck_assert_int_eq(dump->threads[1].tid, 77);
    ck_assert_int_eq(dump->threads[1].number, 1);
    check_row(dump, "a", 0, 0, 0);
    check_row(dump, "rand_r", 1, 1, 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
    struct pdump_dump *dump;

    left = sizeof(*tree.chunk) + 64 * sizeof(struct pdump_stack_node);
    for (int i = 0; i < 100; i++)
        add_nameless(i);
    ck_assert_uint_eq(tree.n, 64);
    dump = snapshot();
    check_fact(dump, "stacks", 64);
    check_fact(dump, "stacks_lost", 36);
    check_fact(dump, "stacks_cpu_time_ns", 200);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(many_frames_stay_different)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++)
            add_nameless(i * 16);
    ck_assert_uint_eq(tree.n, 5000);
    ck_assert_uint_eq(tree.record->lost, 0);
}
END_TEST

enum { STARTERS = 16, FRAMES = 40 };

static pthread_barrier_t start;

/* As the handler of a thread does whose first stack is taken. */
static void *starter(void *data)
{
    const uintptr_t places[] = { INNER, (uintptr_t)starter };
    struct pdump_stack_tree *own = data;
    struct pdump_walker *w = calloc(1, sizeof(*w));

    pthread_barrier_wait(&start);
    if (!w || !pdump_stack_tree_open(own, recording.store, &left, 1))
        return NULL;
    w->is_finished = true;
    for (w->n = 0; w->n < FRAMES; w->n++)
        w->frames[w->n] = (struct pdump_walk_frame){
            .code = places[w->n % 2] + (uintptr_t)w->n,
            .module = pdump_module_table_find(places[w->n % 2])
        };
    for (int i = 0; i < 100; i++) {
        w->frames[0].code = INNER + (uintptr_t)i;
        pdump_stack_tree_add(own, w, 0, 1);
    }
    free(w);
    return own;
}

/* Counts the threads that lost a stack, and the frames without a file. */
static int starters_fail(void)
{
    static struct pdump_stack_tree trees[STARTERS];
    pthread_t id[STARTERS];
    int n_failed = 0;

    memset(trees, 0, sizeof(trees));
    pdump_module_record_forget();
    left = 1 << 28;
    pthread_barrier_init(&start, NULL, STARTERS);
    for (int i = 0; i < STARTERS; i++)
        ck_assert_int_eq(pthread_create(&id[i], NULL, starter, &trees[i]), 0);
    for (int i = 0; i < STARTERS; i++) {
        void *result = NULL;

        pthread_join(id[i], &result);
        n_failed +=
            !result || trees[i].record->lost > 0 || trees[i].n != FRAMES + 99;
        for (uint32_t k = 0; result && k < trees[i].chunk->n; k++)
            n_failed += trees[i].chunk->nodes[k].module == 0;
    }
    pthread_barrier_destroy(&start);
    return n_failed;
}

/* A handler does not wait for ever: if the thread that has a lock gets no
 * processor for long, a stack is lost, and counted. */
START_TEST(threads_that_start_together_lose_hardly_anything)
{
    int n_failed = 0;

    for (int round = 0; round < 50; round++)
        n_failed += starters_fail();
    ck_assert_int_lt(n_failed, 25); /* with one try for each lock: thousands */
}
END_TEST

/* An interpreter with three functions: the second calls the first itself, and
 * the third is called by compiled code. */
static struct {
    const char *name, *file;
    int line;
    uintptr_t stack;
} functions[] = {
    { "first", "a.x", 10, 0x1010 },
    { "second", "a.x", 20, 0x1010 },
    { "third", "b.x", 30, 0x3010 },
};

static int n_shown = 3;

static int fake_frames(pdump_interpreter_read *read,
                       struct pdump_interpreter_frame *list, int max)
{
    (void)read, (void)max;
    for (int i = 0; i < n_shown; i++)
        list[i] = (struct pdump_interpreter_frame){
            .stack = functions[i].stack,
            .code = (uintptr_t)&functions[i],
            .at = (uint32_t)i,
        };
    return n_shown;
}

static bool fake_code(pdump_interpreter_read *read, uintptr_t code,
                      struct pdump_interpreter_code *out)
{
    const void *of = (const void *)code;
    size_t i = (size_t)((const char *)of - (const char *)functions) /
               sizeof(*functions);

    (void)read;
    *out = (struct pdump_interpreter_code){
        .code = code,
        .file = (uintptr_t)functions[i].file,
        .name = (uintptr_t)functions[i].name,
        .first_line = functions[i].line,
    };
    return true;
}

static size_t fake_text(pdump_interpreter_read *read, uintptr_t object,
                        char *to, size_t max)
{
    (void)read, (void)max;
    strcpy(to, (const char *)object);
    return strlen(to);
}

/* Two lines more for the second instruction, one more for the third. */
static size_t fake_bytes(pdump_interpreter_read *read, uintptr_t object,
                         char *to, size_t max)
{
    const char table[] = { (char)0xe8, 0, (char)0xe8, 4, (char)0xd8, 0, 0 };

    (void)read, (void)object, (void)max;
    memcpy(to, table, sizeof(table));
    return sizeof(table);
}

static uintptr_t outside = UINTPTR_MAX;

static uintptr_t fake_outside(void)
{
    return outside;
}

static const struct pdump_interpreter fake_interpreter = {
    .outside = fake_outside,
    .line_table = PDUMP_LINES_3_11,
    .frames = fake_frames,
    .code = fake_code,
    .text = fake_text,
    .bytes = fake_bytes,
};

/* Frames of compiled code from 0x1000 on, each of 0x1000 bytes: rand_r(), which
 * executes frames of the interpreter, in drand48() in rand_r() in
 * lrand48(). */
static void add_mixed(bool is_finished)
{
    const uintptr_t code[] = { INNER, OUTER, INNER, OTHER };

    pdump_interpreter_set(&fake_interpreter);
    pdump_script_table_forget();
    for (walker.n = 0; walker.n < 4; walker.n++)
        walker.frames[walker.n] = (struct pdump_walk_frame){
            .code = code[walker.n] + 1,
            .module = pdump_module_table_find(code[walker.n] + 1),
            .sp = 0x1000 * ((uintptr_t)walker.n + 1),
        };
    walker.is_finished = is_finished;
    pdump_script_frames_add(&walker);
    pdump_stack_tree_add(&tree, &walker, 0, 10);
}

START_TEST(frames_of_an_interpreter_replace_what_executes_them)
{
    struct pdump_dump *dump;

    add_mixed(true);
    dump = snapshot();
    check_row(dump, "lrand48/third/drand48/second/first", 1, 1, 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(frames_of_an_interpreter_have_lines)
{
    const char *wanted[] = { "a.x:10", "a.x:22", "b.x:33" };
    const struct pdump_dump_detail *table = NULL;
    struct pdump_dump *dump;

    add_mixed(true);
    dump = snapshot();
    for (int i = 0; i < dump->n_details; i++)
        if (strcmp(dump->details[i].name, PDUMP_STACKS_TABLE) == 0)
            table = &dump->details[i];
    ck_assert_ptr_nonnull(table);
    for (int i = 0; i < 3; i++) {
        bool is_there = false;

        for (int k = 0; k < table->n_labels; k++)
            is_there |= strcmp(table->labels[k], wanted[i]) == 0;
        ck_assert_msg(is_there, "no line %s", wanted[i]);
    }
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_damaged_record_has_no_name)
{
    struct pdump_script_record *record;
    struct pdump_dump *dump;

    add_mixed(true);
    record = pdump_store_at(tree.base, tree.chunk->nodes[1].module);
    ck_assert_str_eq(record->bytes, "b.x");
    record->n_name = 1000;
    record->bytes[3] = 'x';
    dump = snapshot();
    check_row(dump, "lrand48/" PDUMP_STACKS_NO_FILE "/drand48/second/first", 1,
              1, 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_has_started_the_program_is_left_out)
{
    struct pdump_dump *dump;

    outside = 0x3000;
    add_mixed(true);
    dump = snapshot();
    check_row(dump, "second/first", 1, 1, 10);
    check_fact(dump, "stacks_unfinished", 0);
    pdump_dump_free(dump);
}
END_TEST

/* As for a moment when the interpreter begins to execute a function; and of a
 * stack that is not walked. */
START_TEST(frames_without_a_place_are_left_out)
{
    struct pdump_dump *dump;

    functions[1].stack = 0;
    functions[2].stack = 0x9000;
    add_mixed(true);
    dump = snapshot();
    check_row(dump, "lrand48/rand_r/drand48/first", 1, 1, 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(frames_of_an_interpreter_go_on_where_a_walk_ends)
{
    struct pdump_dump *dump;

    functions[2].stack = 0x9000;
    add_mixed(false);
    dump = snapshot();
    check_row(dump, "(unfinished)/third/lrand48/rand_r/drand48/second/first", 1,
              1, 10);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stack_tree");
    TCase *tc = tcase_create("core");

    tcase_add_checked_fixture(tc, setup, fake_close);
    tcase_add_test(tc, stacks_hang_below_the_open_region);
    tcase_add_test(tc, functions_in_others_are_frames);
    tcase_add_test(tc, unfinished_stacks_are_marked);
    tcase_add_test(tc, code_without_a_file);
    tcase_add_test(tc, half_a_change_is_none);
    tcase_add_test(tc, a_thread_without_regions_is_a_thread);
    tcase_add_test(tc, what_does_not_fit_is_counted);
    tcase_add_test(tc, many_frames_stay_different);
    tcase_add_test(tc, frames_of_an_interpreter_replace_what_executes_them);
    tcase_add_test(tc, frames_of_an_interpreter_have_lines);
    tcase_add_test(tc, a_damaged_record_has_no_name);
    tcase_add_test(tc, what_has_started_the_program_is_left_out);
    tcase_add_test(tc, frames_without_a_place_are_left_out);
    tcase_add_test(tc, frames_of_an_interpreter_go_on_where_a_walk_ends);
    tcase_add_test(tc, threads_that_start_together_lose_hardly_anything);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
