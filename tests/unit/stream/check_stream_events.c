/* SPDX-License-Identifier: BSD-3-Clause */
/* Events on their way: through CSV files, merges, selections, many files as one
 * stream, and the public functions. */
#include "dump_kit.h"
#include "folder_kit.h"
#include "dump/event_lanes.h"
#include "dump/merge.h"
#include "read/reader.h"
#include "dump/select_ranks.h"
#include "write/sink.h"
#include "stream/stream_files.h"
#include "suite.h"
#include "dump/dump_append.h"

#include <check.h>
#include <unistd.h>

/* As "0.csv", or another number, and its companions. */
static void write_csv(int number, const struct pdump_dump *dump)
{
    char name[16];

    snprintf(name, sizeof(name), "%d", number);
    folder_write(dump, "csv", name);
}

static void is_same(const struct pdump_dump *a, const struct pdump_dump *b)
{
    ck_assert_msg(kit_same(a, b), "%s", kit_difference);
}

START_TEST(csv_gives_back_events)
{
    static const int n_ranks[] = { 1, 3, 4 };
    struct pdump_dump *before = kit_dump((struct kit_options){
        .n_ranks = n_ranks[_i], .n_events = 500 * _i + 1 });
    struct pdump_dump *after;

    ck_assert_int_gt(before->n_lanes, 0);
    write_csv(0, before);
    after = folder_load("0.csv");
    is_same(before, after);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(without_events_there_is_no_file_of_them)
{
    struct pdump_dump *dump = kit_dump((struct kit_options){ 0 });
    FILE *f;

    write_csv(0, dump);
    pdump_dump_free(dump);
    ck_assert_int_ne(access("0.events.csv", F_OK), 0);
    f = fopen("0.events.csv", "w");
    fputs("of another run\n", f);
    fclose(f);
    dump = folder_load("0.csv");
    ck_assert_int_eq(dump->n_lanes, 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_file_of_events_that_is_missing_is_told)
{
    struct pdump_dump *dump = kit_dump((struct kit_options){ .n_events = 9 });
    int n = dump->n_warnings;

    write_csv(0, dump);
    pdump_dump_free(dump);
    unlink("0.events.csv");
    dump = folder_load("0.csv");
    ck_assert_int_eq(dump->n_warnings, n + 1);
    ck_assert_str_eq(dump->warnings[n].text,
                     "the file of the events is missing");
    pdump_dump_free(dump);
}
END_TEST

#define HEAD "process,thread,time [ns],kind,node,what,value,tag\n"
static const char *const bad[][2] = {
    { "process,thread,kind\n", "0.events.csv:1: no column 'time [ns]'" },
    { HEAD, "0 events, but the .meta.csv beside it says" },
    { HEAD "0,0,0,jump,0,,,\n", ":2: there is no kind of event 'jump'" },
    { HEAD "0,7,0,enter,0,,,\n", ":2: there is no thread 7" },
    { HEAD "0,0,0,enter,99,,,\n", ":2: there is no node 99" },
    { HEAD "0,0,0,enter,,,,\n", ":2: the event is not of this dump" },
    { HEAD "0,0,0,marker,0,99,,\n", ":2: the event is not of this dump" },
    { HEAD "0,0,0,counter,0,-1,,\n", ":2: the event is not of this dump" },
    { HEAD "0,0,-1,enter,0,,,\n", ":2:" },
    { HEAD "0,0,9223372036854775807,enter,0,,,\n", ":2:" },
    { HEAD ",0,0,enter,0,,,\n", ":2: the event is not of this dump" },
    { HEAD "0,4,0,enter,0,,,\n0,0,0,enter,0,,,\n", ":3: the event is not" },
    { HEAD "0,0,0,enter,0\n", ":2:" },
};

START_TEST(bad_lines_are_named)
{
    struct pdump_dump *dump = kit_dump((struct kit_options){ .n_events = 9 });
    FILE *f;

    write_csv(0, dump);
    pdump_dump_free(dump);
    f = fopen("0.events.csv", "w");
    fputs(bad[_i][0], f);
    fclose(f);
    ck_assert_int_eq(pdump_load("0.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad[_i][1]) != NULL, "%s: %s",
                  bad[_i][1], pdump_last_error());
}
END_TEST

/* Regions, nodes and metrics in another order than the kit's. */
static struct pdump_dump *odd_one(void)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "own" });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 9 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .name = "m" });
    pdump_builder_region(
        b, &(struct pdump_dump_region){ .name = "flag", .group = "marker" });
    pdump_builder_node(
        b, -1,
        pdump_builder_region(
            b, &(struct pdump_dump_region){ .name = "new", .group = "user" }));
    pdump_builder_node(
        b, 0,
        pdump_builder_region(
            b, &(struct pdump_dump_region){ .name = "a,b", .group = "user" }));
    pdump_builder_row(b, 0, 0, 1, false);
    pdump_builder_row(b, 0, 1, 1, false);
    for (int i = 0; i < 6; i++) {
        const struct pdump_event events[] = {
            { 1, PDUMP_EVENT_ENTER, 0, 0, 0, 0 },
            { 5, PDUMP_EVENT_ENTER, 1, 0, 0, 0 },
            { 6, PDUMP_EVENT_MARKER, 1, 0, 0, 0 },
            { 7, PDUMP_EVENT_COUNTER, 1, 1, 44, 0 },
            { 8, PDUMP_EVENT_SEND, 1, 0, 10, 3 },
            { 9, PDUMP_EVENT_LEAVE, 1, 0, 0, 0 },
        };

        ck_assert_int_eq(pdump_builder_event(b, 0, &events[i]), PDUMP_OK);
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

static const char *region_of(const struct pdump_dump *dump, int64_t node)
{
    return dump->regions[dump->nodes[node].region].name;
}

/* Are those of the odd one in this lane, with names that mean the same? */
static void has_odd_events(const struct pdump_dump *dump, int lane,
                           int64_t rank)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;

    pdump_lane_open(&reader, dump, lane);
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(pdump_lane_next(&reader, &event), 1);
        ck_assert_str_eq(region_of(dump, event.node), i == 0 ? "new" : "a,b");
        if (event.kind == PDUMP_EVENT_MARKER)
            ck_assert_str_eq(dump->regions[event.what].name, "flag");
        if (event.kind == PDUMP_EVENT_COUNTER)
            ck_assert_str_eq(dump->metrics[event.what].name, "time");
        if (event.kind == PDUMP_EVENT_SEND)
            ck_assert_int_eq(event.what, rank);
    }
    ck_assert_int_eq(event.time, 9);
    ck_assert_int_eq(pdump_lane_next(&reader, &event), 0);
}

START_TEST(merged_dumps_keep_the_events_of_each)
{
    struct pdump_dump *dumps[] = { kit_dump((struct kit_options){
                                       .n_ranks = 3, .n_events = 100 }),
                                   odd_one() };
    struct pdump_dump *all;

    /* Each has counted its own. */
    pdump_append_metadata(dumps[0], "events_lost", "3");
    pdump_append_metadata(dumps[1], "events_lost", "4");
    ck_assert_int_eq(pdump_merge(dumps, 2, &all), PDUMP_OK);
    ck_assert_str_eq(pdump_dump_metadata(all, "events_lost"), "7");
    ck_assert_int_eq(all->n_lanes, dumps[0]->n_lanes + 1);
    for (int i = 0; i < dumps[0]->n_lanes; i++) {
        ck_assert_int_eq(all->lanes[i].n_bytes, dumps[0]->lanes[i].n_bytes);
        ck_assert_mem_eq(all->lanes[i].bytes, dumps[0]->lanes[i].bytes,
                         (size_t)all->lanes[i].n_bytes);
    }
    ck_assert_int_eq(all->lanes[5].thread, 6);
    has_odd_events(all, 5, 0);
    pdump_dump_free(all);
    pdump_dump_free(dumps[0]);
    pdump_dump_free(dumps[1]);
}
END_TEST

START_TEST(selected_ranks_keep_their_events)
{
    struct pdump_dump *dump =
        kit_dump((struct kit_options){ .n_ranks = 4, .n_events = 100 });
    struct pdump_dump *some;

    ck_assert_int_eq(
        pdump_select_ranks(dump,
                           (struct pdump_select_range[]){ { 1, 1 }, { 3, 3 } },
                           2, &some),
        PDUMP_OK);
    /* Two threads of each, but the second of rank 1 has none. */
    ck_assert_int_eq(some->n_lanes, 3);
    ck_assert_int_eq(some->lanes[0].thread, 0);
    ck_assert_int_eq(some->lanes[1].thread, 2);
    ck_assert_int_eq(some->lanes[0].n_bytes, dump->lanes[2].n_bytes);
    ck_assert_mem_eq(some->lanes[0].bytes, dump->lanes[2].bytes,
                     (size_t)some->lanes[0].n_bytes);
    pdump_dump_free(some);
    pdump_dump_free(dump);
}
END_TEST

/* The pieces one by one, then all together: `n_kit` lanes and the odd one. */
static void check_files(struct pdump_stream *in, int n_kit, int64_t rank)
{
    const struct pdump_dump *piece, *whole;
    int n_lanes = 0;

    for (int i = 0; i < in->n_pieces; i++) {
        ck_assert_int_eq(in->piece(in, i, &piece), PDUMP_OK);
        ck_assert_int_eq(pdump_event_lanes_count(piece),
                         in->event_ptr[i + 1] - in->event_ptr[i]);
        for (int k = 0; k < piece->n_lanes; k++) {
            int process = piece->threads[piece->lanes[k].thread].process;

            ck_assert_int_eq(piece->processes[process].rank, in->rank[i]);
        }
        n_lanes += piece->n_lanes;
    }
    ck_assert_int_eq(n_lanes, n_kit + 1);
    has_odd_events(piece, 0, rank);
    ck_assert_int_eq(pdump_stream_whole(in, &whole), PDUMP_OK);
    ck_assert_int_eq(whole->n_lanes, n_kit + 1);
    ck_assert_int_eq(pdump_event_lanes_count(whole),
                     in->event_ptr[in->n_pieces]);
    has_odd_events(whole, n_kit, rank);
}

START_TEST(many_files_are_one_stream)
{
    struct pdump_dump *dump =
        kit_dump((struct kit_options){ .n_ranks = 3, .n_events = 100 });
    char *paths[] = { "0.csv", "1.csv" };
    int n_lanes = dump->n_lanes;
    struct pdump_stream *in;

    write_csv(0, dump);
    pdump_dump_free(dump);
    dump = odd_one();
    write_csv(1, dump);
    pdump_dump_free(dump);
    for (int is_apart = 0; is_apart < 2; is_apart++) {
        ck_assert_int_eq(
            pdump_stream_files_open(paths, 2, is_apart, 1 << 30, &in),
            PDUMP_OK);
        check_files(in, n_lanes, is_apart ? 3 : 0);
        pdump_stream_files_close(in);
    }
}
END_TEST

START_TEST(a_sum_of_runs_says_that_it_has_no_events)
{
    char *paths[] = { "0.csv", "1.csv" };
    struct pdump_dump *dump = odd_one();
    struct pdump_stream *in;

    write_csv(0, dump);
    write_csv(1, dump);
    pdump_dump_free(dump);
    ck_assert_int_eq(pdump_stream_files_open(paths, 2, false, 1 << 30, &in),
                     PDUMP_OK);
    ck_assert_int_eq(pdump_stream_files_sum(in, &dump), PDUMP_OK);
    ck_assert_int_eq(dump->n_lanes, 0);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(dump->warnings[0].text, "timeline"));
    ck_assert_int_eq(dump->warnings[0].count, 12);
    pdump_dump_free(dump);
    pdump_stream_files_close(in);
}
END_TEST

/* Three at a time, so that places are in the middle of regions. */
START_TEST(the_public_functions_read_them)
{
    struct pdump_dump *dump = odd_one();
    struct pdump_lane_info lane = { .size = sizeof(lane) };
    struct pdump_event_place place = { .size = sizeof(place) };
    struct pdump_event_info out[3] = { { .size = sizeof(out[0]) } };

    ck_assert_int_eq(pdump_dump_n_events(dump), 6);
    ck_assert_int_eq(pdump_dump_n_events(NULL), 0);
    ck_assert_int_eq(pdump_dump_n_lanes(dump), 1);
    ck_assert_int_eq(pdump_dump_n_lanes(NULL), 0);
    ck_assert_int_eq(pdump_dump_lane(dump, 0, &lane), PDUMP_OK);
    ck_assert_str_eq(lane.thread_name, "m");
    ck_assert_int_eq(lane.n_events, 6);
    ck_assert_int_eq(pdump_dump_lane(dump, 1, &lane), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 3), 3);
    ck_assert_str_eq(out[0].name, "new");
    ck_assert_int_eq(out[1].kind, PDUMP_EVENT_ENTER);
    ck_assert_int_eq(out[1].node, 1);
    ck_assert_int_eq(out[1].time, 5);
    ck_assert_str_eq(out[2].name, "flag");
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 3), 3);
    ck_assert_str_eq(out[0].name, "time");
    ck_assert_int_eq(out[0].value, 44);
    ck_assert_int_eq(out[1].tag, 3);
    ck_assert_int_eq(out[2].kind, PDUMP_EVENT_LEAVE);
    ck_assert_str_eq(out[2].name, "a,b");
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 3), 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(bad_places_are_refused)
{
    struct pdump_dump *dump = odd_one();
    struct pdump_event_place place = { .size = sizeof(place) };
    struct pdump_event_info out[2] = { { .size = sizeof(out[0]) } };

    ck_assert_int_eq(pdump_dump_events(dump, 1, &place, out, 2), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_events(NULL, 0, &place, out, 2), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_events(dump, 0, NULL, out, 2), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, NULL, 2), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, -1), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 0), 0);
    place.at = 1000;
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 2), PDUMP_EFORMAT);
    place.at = 0;
    place.node = 77;
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 2), PDUMP_EFORMAT);
    place.size = 0;
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 2), PDUMP_EINVAL);
    /* Anywhere at all, it ends. */
    for (int at = 0; at <= dump->lanes[0].n_bytes; at++)
        for (int node = 0; node <= dump->n_nodes; node++) {
            place = (struct pdump_event_place){ sizeof(place), at, 0, node };
            out[0].size = sizeof(out[0]);
            while (pdump_dump_events(dump, 0, &place, out, 2) > 0)
                ck_assert_int_le(place.at, dump->lanes[0].n_bytes);
        }
    out[0].size = 0;
    place = (struct pdump_event_place){ .size = sizeof(place) };
    ck_assert_int_eq(pdump_dump_events(dump, 0, &place, out, 2), PDUMP_EINVAL);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events in files");
    TCase *tc = tcase_create("events in files");

    tcase_add_checked_fixture(tc, enter_folder, leave_folder);
    tcase_add_loop_test(tc, csv_gives_back_events, 0, 3);
    tcase_add_test(tc, without_events_there_is_no_file_of_them);
    tcase_add_test(tc, a_file_of_events_that_is_missing_is_told);
    tcase_add_loop_test(tc, bad_lines_are_named, 0,
                        sizeof(bad) / sizeof(bad[0]));
    tcase_add_test(tc, merged_dumps_keep_the_events_of_each);
    tcase_add_test(tc, selected_ranks_keep_their_events);
    tcase_add_test(tc, many_files_are_one_stream);
    tcase_add_test(tc, a_sum_of_runs_says_that_it_has_no_events);
    tcase_add_test(tc, the_public_functions_read_them);
    tcase_add_test(tc, bad_places_are_refused);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
