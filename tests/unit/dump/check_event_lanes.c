/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as bytes, and the lanes of a dump. */
#include "dump/builder.h"
#include "dump/event_lanes.h"
#include "suite.h"

#include <check.h>

static const struct pdump_event all[] = {
    { 0, PDUMP_EVENT_ENTER, 0, 0, 0, 0 },
    { 100, PDUMP_EVENT_ENTER, 1, 0, 0, 0 },
    { 130, PDUMP_EVENT_MARKER, 1, 1, 0, 0 },
    { 130, PDUMP_EVENT_COUNTER, 1, 0, -77, 0 },
    { INT64_C(1) << 40, PDUMP_EVENT_LEAVE, 1, 0, 0, 0 },
    { INT64_C(1) << 40, PDUMP_EVENT_SEND, 0, 3, INT64_MAX, INT32_MAX },
    { (INT64_C(1) << 40) + 1, PDUMP_EVENT_RECEIVE, 0, -1, 0, -5 },
    { (INT64_C(1) << 50), PDUMP_EVENT_COLLECTIVE, 0, 4, 8,
      (INT64_C(1) << 53) - 1 },
    { (INT64_C(1) << 50), PDUMP_EVENT_LOST, 0, 0, 12, 0 },
    { INT64_C(1) << 58, PDUMP_EVENT_LEAVE, 0, 0, 0, 0 },
};
enum { N_ALL = sizeof(all) / sizeof(all[0]) };

static struct pdump_builder *two_nodes(void)
{
    struct pdump_builder *b;
    int outer, inner;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    outer =
        pdump_builder_region(b, &(struct pdump_dump_region){ .name = "outer" });
    inner =
        pdump_builder_region(b, &(struct pdump_dump_region){ .name = "inner" });
    ck_assert_int_eq(pdump_builder_node(b, -1, outer), 0);
    ck_assert_int_eq(pdump_builder_node(b, 0, inner), 1);
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .number = 0 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .number = 1 });
    return b;
}

static struct pdump_dump *finish(struct pdump_builder *b)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

static void check_same(const struct pdump_event *a, const struct pdump_event *b)
{
    ck_assert_int_eq(a->time, b->time);
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->node, b->node);
    ck_assert_int_eq(a->what, b->what);
    ck_assert_int_eq(a->value, b->value);
    ck_assert_int_eq(a->tag, b->tag);
}

START_TEST(every_kind_comes_back)
{
    struct pdump_builder *b = two_nodes();
    struct pdump_lane_reader reader;
    struct pdump_event event;
    struct pdump_dump *dump;

    for (int i = 0; i < N_ALL; i++)
        ck_assert_int_eq(pdump_builder_event(b, 0, &all[i]), PDUMP_OK);
    dump = finish(b);
    ck_assert_int_eq(dump->n_lanes, 1);
    ck_assert_int_eq(pdump_event_lanes_count(dump), N_ALL);
    pdump_lane_open(&reader, dump, 0);
    for (int i = 0; i < N_ALL; i++) {
        ck_assert_int_eq(pdump_lane_next(&reader, &event), 1);
        check_same(&event, &all[i]);
    }
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 0);
    pdump_dump_free(dump);
}
END_TEST

/* A ring begins in the middle: the end of a region without its begin. */
START_TEST(a_gap_is_bridged)
{
    struct pdump_builder *b = two_nodes();
    struct pdump_event leave = { 5, PDUMP_EVENT_LEAVE, 1, 0, 0, 0 }, event;
    struct pdump_lane_reader reader;
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_event(b, 1, &leave), PDUMP_OK);
    dump = finish(b);
    ck_assert_int_eq(dump->lanes[0].thread, 1);
    pdump_lane_open(&reader, dump, 0);
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 1);
    ck_assert_int_eq(event.kind, PDUMP_EVENT_AT);
    ck_assert_int_eq(event.node, 1);
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 1);
    check_same(&event, &leave);
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(clocks_do_not_run_back)
{
    struct pdump_builder *b = two_nodes();
    struct pdump_event first = { 50, PDUMP_EVENT_ENTER, 0, 0, 0, 0 };
    struct pdump_event second = { 40, PDUMP_EVENT_LEAVE, 0, 0, 0, 0 };
    struct pdump_lane_reader reader;
    struct pdump_event event;
    struct pdump_dump *dump;

    pdump_builder_event(b, 0, &first);
    pdump_builder_event(b, 0, &second);
    dump = finish(b);
    pdump_lane_open(&reader, dump, 0);
    pdump_lane_next(&reader, &event);
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 1);
    ck_assert_int_eq(event.time, 50);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_the_dump_does_not_have_is_refused)
{
    const struct pdump_event bad[] = {
        { 0, PDUMP_EVENT_ENTER, 2, 0, 0, 0 },
        { 0, PDUMP_EVENT_ENTER, -1, 0, 0, 0 },
        { 0, PDUMP_EVENT_MARKER, 0, 2, 0, 0 },
        { 0, PDUMP_EVENT_COUNTER, 0, 1, 0, 0 },
        { -1, PDUMP_EVENT_ENTER, 0, 0, 0, 0 },
        { INT64_MAX, PDUMP_EVENT_ENTER, 0, 0, 0, 0 },
        { 0, PDUMP_EVENT_KINDS, 0, 0, 0, 0 },
    };
    struct pdump_builder *b = two_nodes();

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_int_eq(pdump_builder_event(b, 0, &bad[i]), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_event(b, 2, &all[0]), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_event(b, 1, &all[0]), PDUMP_OK);
    ck_assert_int_lt(pdump_builder_event(b, 0, &all[0]), 0);
    pdump_builder_free(b);
}
END_TEST

/* Whatever the bytes are, reading them ends. */
START_TEST(bytes_that_are_no_events)
{
    unsigned char bytes[64];
    uint32_t seed = 1;

    for (int round = 0; round < 20000; round++) {
        struct pdump_event_reader reader = { .at = bytes,
                                             .end = bytes + round % 64,
                                             .node = -1 };
        struct pdump_event event;
        int n = 0;

        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] =
                (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
        while (pdump_event_read(&reader, &event) > 0)
            n++;
        ck_assert_int_le(n, 64);
        ck_assert(reader.at <= reader.end);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lanes");
    TCase *tc = tcase_create("lanes");

    tcase_add_test(tc, every_kind_comes_back);
    tcase_add_test(tc, a_gap_is_bridged);
    tcase_add_test(tc, clocks_do_not_run_back);
    tcase_add_test(tc, what_the_dump_does_not_have_is_refused);
    tcase_add_test(tc, bytes_that_are_no_events);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
