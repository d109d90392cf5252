/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of calls and of the tables beside the tree, in a session of its own. */
#include "probe/call_detail_hot.h"
#include "read/reader.h"
#include "store/store_file.h"
#include "suite.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS, BYTES, LEAST, LARGEST, SQUARES, SIZES, N_SIZES = 16 };
enum { LAST = SIZES + N_SIZES - 1, N_FIGURES };

static const struct pdump_detail_field fields[] = {
    { "calls", "1", PDUMP_FIELD_SUM, 1, false },
    { "bytes", "B", PDUMP_FIELD_SUM, 1, false },
    { "least", "B", PDUMP_FIELD_MIN, 1, false },
    { "largest", "B", PDUMP_FIELD_MAX, 1, false },
    { "squares", "B2", PDUMP_FIELD_REAL, 1, false },
    { "sizes", "1", PDUMP_FIELD_SUM, N_SIZES, false },
};

static _Atomic int n_labels;

static void label(uint64_t key, char *buf, size_t len)
{
    n_labels++;
    snprintf(buf, len, "place %llu", (unsigned long long)key);
}

static struct pdump_detail_table table = { .name = "trips",
                                           .about = "for tests",
                                           .key = "place",
                                           .fields = fields,
                                           .n_fields = 6,
                                           .label = label };
static struct pdump_callee sender = { .name = "send",
                                      .group = PDUMP_GROUP_MPI };

static void setup(void)
{
    setenv("PDUMP_EVENTS", "none", 1);
    setenv("PDUMP_QUIET", "1", 1);
    setenv("PDUMP_OUTPUT_FORMAT", "csv", 1);
    setenv("PDUMP_DUMP_DIR", "/dev/null/nowhere", 1);
}

/* One call with `bytes` from `key`; true if it was recorded. */
static bool call_it(uint64_t key, int64_t bytes)
{
    struct pdump_call call;
    int64_t *row, square;
    double sum;

    if (!pdump_call_begin(&call, &sender))
        return false;
    pdump_call_end(&call);
    row = pdump_detail_row(&call, &table, key);
    if (!row)
        return true;
    row[CALLS]++;
    row[BYTES] += bytes;
    row[LEAST] = bytes < row[LEAST] ? bytes : row[LEAST];
    row[LARGEST] = bytes > row[LARGEST] ? bytes : row[LARGEST];
    square = row[SQUARES];
    memcpy(&sum, &square, sizeof(sum));
    sum += (double)bytes * (double)bytes;
    memcpy(&row[SQUARES], &sum, sizeof(sum));
    row[SIZES + bytes % 4]++;
    pdump_detail_done(&call);
    return true;
}

static struct pdump_dump *taken(void)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_snapshot(&dump), PDUMP_OK);
    return dump;
}

/* The values of a row by path ("" for the thread) and label, or NULL. */
static const int64_t *found(const struct pdump_dump *dump, const char *path,
                            const char *text)
{
    const struct pdump_dump_detail *d = pdump_dump_find_detail(dump, "trips");
    char buf[200] = "";

    for (int64_t i = 0; d && i < d->n_rows; i++) {
        buf[0] = '\0';
        if (d->rows[i].node >= 0)
            pdump_dump_node_path(dump, d->rows[i].node, buf, sizeof(buf));
        if (strcmp(buf, path) == 0 &&
            strcmp(d->labels[d->rows[i].label], text) == 0)
            return d->values + i * d->n_values;
    }
    return NULL;
}

START_TEST(a_call_is_a_region_with_details)
{
    struct pdump_dump *dump;
    const int64_t *row;

    pdump_region_begin("main");
    ck_assert(call_it(1, 10));
    ck_assert(call_it(1, 30));
    ck_assert(call_it(2, 7));
    pdump_region_end("main");
    ck_assert_int_eq(n_labels, 2);
    dump = taken();
    ck_assert_int_eq(dump->n_rows, 2);
    ck_assert_int_eq(dump->rows[1].visits, 3);
    ck_assert_str_eq(dump->regions[dump->nodes[1].region].group, "mpi");
    row = found(dump, "main/send", "place 1");
    ck_assert_ptr_nonnull(row);
    ck_assert_int_eq(row[CALLS], 2);
    ck_assert_int_eq(row[BYTES], 40);
    ck_assert_int_eq(row[LEAST], 10);
    ck_assert_int_eq(row[LARGEST], 30);
    ck_assert_double_eq(pdump_field_real(row[SQUARES]), 1000);
    ck_assert_int_eq(row[SIZES + 2], 2);
    row = found(dump, "main/send", "place 2");
    ck_assert_int_eq(row[BYTES], 7);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_thread_has_details_of_its_own)
{
    struct pdump_dump *dump;
    struct pdump_call call;

    ck_assert(pdump_call_begin(&call, &sender));
    pdump_call_end(&call);
    pdump_detail_thread_row(&call, &table, 5)[CALLS] += 3;
    pdump_detail_done(&call);
    dump = taken();
    ck_assert_int_eq(found(dump, "", "place 5")[CALLS], 3);
    ck_assert_int_eq(found(dump, "", "place 5")[LEAST], INT64_MAX);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_rewind_takes_the_details_along)
{
    struct pdump_dump *dump;

    call_it(1, 1);
    pdump_rewind_begin("try");
    call_it(1, 100);
    pdump_rewind_end("try", 1);
    pdump_rewind_begin("try");
    call_it(1, 20);
    pdump_rewind_end("try", 0);
    pdump_rewind_begin("try");
    call_it(1, 3);
    pdump_rewind_end("try", 0);
    dump = taken();
    ck_assert_int_eq(found(dump, "send", "place 1")[BYTES], 1);
    ck_assert_int_eq(found(dump, "try/send", "place 1")[BYTES], 23);
    ck_assert_int_eq(found(dump, "try/send", "place 1")[LEAST], 3);
    ck_assert_int_eq(found(dump, "try/send", "place 1")[CALLS], 2);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(nothing_is_recorded_while_recording_is_off)
{
    struct pdump_dump *dump;

    call_it(1, 1);
    pdump_disable_recording();
    ck_assert(!call_it(1, 2));
    pdump_enable_recording();
    pdump_disable_recording_all();
    ck_assert(!call_it(1, 4));
    pdump_enable_recording_all();
    ck_assert(call_it(1, 8));
    dump = taken();
    ck_assert_int_eq(found(dump, "send", "place 1")[BYTES], 9);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_call_survives_the_end_of_its_session)
{
    struct pdump_call call;
    struct pdump_dump *dump;

    ck_assert(pdump_call_begin(&call, &sender));
    pdump_finalize();
    pdump_call_end(&call);
    ck_assert_ptr_null(pdump_detail_row(&call, &table, 1));
    ck_assert(!call_it(1, 1));
    ck_assert_int_eq(pdump_init(), PDUMP_OK);
    ck_assert(call_it(1, 5));
    dump = taken();
    ck_assert_int_eq(found(dump, "send", "place 1")[BYTES], 5);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_call_that_is_too_deep_is_left_out)
{
    setenv("PDUMP_DEPTH_MAX", "1", 1);
    pdump_region_begin("main");
    ck_assert(!call_it(1, 1));
    ck_assert_int_eq(pdump_region_end("main"), PDUMP_OK);
    ck_assert(call_it(1, 1));
}
END_TEST

START_TEST(what_is_left_out_is_no_place_for_details)
{
    struct pdump_call call;

    setenv("PDUMP_THROTTLE", "10:3600000000000", 1);
    pdump_region_begin("main");
    for (int i = 0; i < 20; i++) {
        pdump_region_begin("tiny");
        ck_assert(pdump_call_here(&call) == (i <= 10));
        pdump_region_begin("inner");
        ck_assert(pdump_call_here(&call) == (i <= 10));
        pdump_region_end("inner");
        pdump_region_end("tiny");
    }
    ck_assert(pdump_call_here(&call));
    pdump_region_end("main");
}
END_TEST

START_TEST(many_rows_are_all_found_again)
{
    enum { ROWS = 100000 };
    struct pdump_dump *dump;

    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < ROWS; i++)
            call_it(i, 1);
    ck_assert_int_eq(n_labels, ROWS);
    dump = taken();
    ck_assert_int_eq(pdump_dump_find_detail(dump, "trips")->n_rows, ROWS);
    ck_assert_int_eq(found(dump, "send", "place 99999")[CALLS], 2);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_has_no_room_is_counted)
{
    struct pdump_dump *dump;
    bool is_told = false;

    setenv("PDUMP_MEMORY_MAX", "1", 1);
    setenv("PDUMP_STORE", "off", 1);
    for (uint64_t i = 0; i < 20000; i++)
        call_it(i, 1);
    dump = taken();
    for (int i = 0; i < dump->n_warnings; i++)
        is_told |= strstr(dump->warnings[i].text, "details") != NULL;
    ck_assert(is_told);
    pdump_dump_free(dump);
}
END_TEST

static void *other_thread(void *data)
{
    for (int i = 0; i < 1000; i++)
        call_it(1, 1);
    return data;
}

START_TEST(threads_have_rows_each)
{
    const struct pdump_dump_detail *d;
    struct pdump_dump *dump;
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, NULL), 0);
    for (int i = 0; i < 1000; i++)
        call_it(1, 1);
    pthread_join(thread, NULL);
    dump = taken();
    ck_assert_int_eq(dump->n_details, 1);
    d = &dump->details[0];
    ck_assert_int_eq(d->n_rows, 2);
    ck_assert_int_eq(d->values[0] + d->values[d->n_values], 2000);
    ck_assert_int_ne(d->rows[0].thread, d->rows[1].thread);
    pdump_dump_free(dump);
}
END_TEST

static void *take(void *out)
{
    pdump_snapshot(out);
    return NULL;
}

static struct pdump_dump *taken_by_another(void)
{
    struct pdump_dump *dump = NULL;
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, take, &dump), 0);
    pthread_join(thread, NULL);
    ck_assert_ptr_nonnull(dump);
    return dump;
}

/* Also if only a part of the row was kept. */
START_TEST(half_a_change_is_not_seen)
{
    const int others[] = { LAST, 0 };
    struct pdump_call call;
    struct pdump_dump *dump;
    const int64_t *seen;
    int64_t *row;

    ck_assert(call_it(1, 2));
    ck_assert(pdump_call_begin(&call, &sender));
    pdump_call_end(&call);
    row = pdump_detail_thread_row(&call, &table, 1);
    row[CALLS] = 5;
    pdump_detail_done(&call);
    ck_assert(pdump_hot_call_enter(&call));
    row = pdump_hot_detail_partly(&call, &table, 1, others);
    row[CALLS] = row[BYTES] = row[LAST] = 1000;
    dump = taken_by_another();
    seen = found(dump, "send", "place 1");
    ck_assert_int_eq(seen[CALLS], 1);
    ck_assert_int_eq(seen[BYTES], 2);
    ck_assert_int_eq(seen[LAST], 0);
    pdump_dump_free(dump);
    pdump_hot_detail_changed(&call);
    row = pdump_hot_detail_thread(&call, &table, 1, N_FIGURES);
    row[CALLS] = 1000;
    dump = taken_by_another();
    ck_assert_int_eq(found(dump, "send", "place 1")[LAST], 1000);
    ck_assert_int_eq(found(dump, "", "place 1")[CALLS], 5);
    pdump_dump_free(dump);
    pdump_detail_done(&call);
    dump = taken();
    ck_assert_int_eq(found(dump, "", "place 1")[CALLS], 1000);
    pdump_dump_free(dump);
    pdump_finalize();
}
END_TEST

START_TEST(merged_dumps_have_the_details_of_all)
{
    struct pdump_dump *dumps[2], *both;
    const struct pdump_dump_detail *d;

    call_it(1, 10);
    dumps[0] = taken();
    call_it(1, 10);
    dumps[1] = taken();
    ck_assert_int_eq(pdump_dump_merge(dumps, 2, &both), PDUMP_OK);
    d = pdump_dump_find_detail(both, "trips");
    ck_assert_ptr_nonnull(d);
    ck_assert_int_eq(d->n_rows, 2);
    ck_assert_int_eq(d->values[BYTES] + d->values[d->n_values + BYTES], 30);
    for (int i = 0; i < 2; i++)
        pdump_dump_free(dumps[i]);
    pdump_dump_free(both);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("detail");
    TCase *tests = tcase_create("detail");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, a_call_is_a_region_with_details);
    tcase_add_test(tests, a_thread_has_details_of_its_own);
    tcase_add_test(tests, a_rewind_takes_the_details_along);
    tcase_add_test(tests, nothing_is_recorded_while_recording_is_off);
    tcase_add_test(tests, a_call_survives_the_end_of_its_session);
    tcase_add_test(tests, a_call_that_is_too_deep_is_left_out);
    tcase_add_test(tests, what_is_left_out_is_no_place_for_details);
    tcase_add_test(tests, many_rows_are_all_found_again);
    tcase_add_test(tests, what_has_no_room_is_counted);
    tcase_add_test(tests, threads_have_rows_each);
    tcase_add_test(tests, half_a_change_is_not_seen);
    tcase_add_test(tests, merged_dumps_have_the_details_of_all);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
