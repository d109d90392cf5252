/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks of ranks that show different times and run at different speeds. */
#include "fake_job.h"

#include "job/aggregate.h"
#include "dump/builder.h"
#include "source/clock.h"
#include "dump/event_lanes.h"
#include "suite.h"

#include <time.h>

static struct pdump_settings set = { .ranks = "all",
                                     .mpi_timeout = 60,
                                     .gather_max = 64 };

/* This rank's: seconds ahead or behind, and a fifth faster or slower. */
static int64_t real_start;

static int64_t clock_of_rank(void)
{
    static const double speed[] = { 1, 1.2, 0.8 };
    static const int64_t ahead[] = { 0, 5, -3 };
    int64_t since = pdump_clock_system() - real_start;

    return (int64_t)((double)since * speed[job_rank % 3]) +
           ahead[job_rank % 3] * INT64_C(1000000000);
}

static struct pdump_builder *builder;

static void add_event(enum pdump_event_kind kind, int other)
{
    struct pdump_event event = { .time = clock_of_rank() + INT64_C(10000000000),
                                 .kind = kind,
                                 .node = -1,
                                 .what = other };

    ck_assert_int_eq(pdump_builder_event(builder, 0, &event), PDUMP_OK);
}

static void rest(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* Messages take much longer than the error of the shortest of some round
 * trips, and much less than what the speeds of the clocks make of a second. */
static int pass(int from, int to)
{
    void *bytes;
    size_t len;
    int err = PDUMP_OK;

    if (job_rank == from) {
        add_event(PDUMP_EVENT_SEND, to);
        rest(20);
        err = fake_job.send(to, "x", 1);
    } else if (job_rank == to) {
        err = fake_job.receive(from, 1, &bytes, &len);
        add_event(PDUMP_EVENT_RECEIVE, from);
        if (err >= 0)
            free(bytes);
    }
    return err;
}

static void begin_dump(void)
{
    ck_assert_int_eq(pdump_builder_new(&builder), PDUMP_OK);
    pdump_builder_process(
        builder, &(struct pdump_dump_process){ .rank = job_rank, .pid = 100 });
    pdump_builder_thread(builder, &(struct pdump_dump_thread){ 0 });
}

enum { ROUNDS = 6 };

static int talk(void)
{
    int err = PDUMP_OK;

    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; err >= 0 && i < job_size; i++) {
            err = pass(0, i);
            if (err >= 0)
                err = pass(i, 0);
        }
    return err;
}

/* The k-th message from one rank to another, in a lane. */
static int64_t time_of(const struct pdump_dump *dump, int lane,
                       enum pdump_event_kind kind, int other, int k)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;

    pdump_lane_open(&reader, dump, lane);
    while (pdump_lane_next(&reader, &event) > 0)
        if (event.kind == kind && event.what == other && k-- == 0)
            return event.time;
    ck_abort_msg("a message is missing");
    return 0;
}

static bool has_start;

static void check_messages(struct pdump_stream *in)
{
    const struct pdump_dump *whole;
    int n_negative = 0;

    ck_assert_int_eq(pdump_stream_whole(in, &whole), PDUMP_OK);
    ck_assert_int_eq(whole->n_lanes, job_size);
    for (int i = 1; i < job_size; i++)
        for (int k = 0; k < ROUNDS; k++) {
            n_negative += time_of(whole, 0, PDUMP_EVENT_SEND, i, k) >
                          time_of(whole, i, PDUMP_EVENT_RECEIVE, 0, k);
            n_negative += time_of(whole, i, PDUMP_EVENT_SEND, 0, k) >
                          time_of(whole, 0, PDUMP_EVENT_RECEIVE, i, k);
        }
    if (has_start)
        ck_assert_int_eq(n_negative, 0);
    else if (job_size > 1)
        ck_assert_int_gt(n_negative, 0);
    if (has_start && job_size > 1) {
        const char *clock = pdump_dump_metadata(in->tables, "clock.1");

        ck_assert_ptr_nonnull(clock);
        ck_assert_ptr_nonnull(strstr(clock, "ns, drift "));
    }
}

static int align(void)
{
    /* The session started 10 s before the clock was 0. */
    struct pdump_clock_sync clock = { .clock = clock_of_rank,
                                      .origin = -INT64_C(10000000000) };
    struct pdump_aggregate *a;
    struct pdump_stream *in;
    struct pdump_dump *mine;
    int err;

    begin_dump();
    if (has_start) {
        pdump_clock_sync_start(&fake_job, 20, &clock);
        if (!clock.has_first)
            return PDUMP_EPEER;
    }
    err = talk();
    if (err < 0)
        return err;
    ck_assert_int_eq(pdump_builder_finish(builder, &mine), PDUMP_OK);
    pdump_builder_free(builder);
    err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, &clock, &a);
    if (err < 0)
        return err;
    in = pdump_aggregate_stream(a);
    if (in)
        check_messages(in);
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

START_TEST(messages_arrive_after_they_were_sent)
{
    static const int sizes[] = { 2, 3, 5 };

    real_start = pdump_clock_system();
    has_start = true;
    run_job(sizes[_i], align);
}
END_TEST

/* So the test above would notice. */
START_TEST(one_measurement_is_not_enough_for_such_clocks)
{
    real_start = pdump_clock_system();
    run_job(3, align);
}
END_TEST

START_TEST(a_line_goes_through_both_points)
{
    struct pdump_clock_sync_line line = { { 1000, 50 }, { 3000, 250 }, 7 };

    ck_assert_int_eq(pdump_clock_sync_offset(&line, 0), 50);
    ck_assert_int_eq(pdump_clock_sync_offset(&line, 1000), 50);
    ck_assert_int_eq(pdump_clock_sync_offset(&line, 2000), 150);
    ck_assert_int_eq(pdump_clock_sync_offset(&line, 3000), 250);
    ck_assert_int_eq(pdump_clock_sync_offset(&line, 9000), 250);
    ck_assert_int_eq(pdump_clock_sync_time(&line, 2000), 2000 - 150 + 7);
    ck_assert_int_eq(pdump_clock_sync_time(&line, 0), 0);
    ck_assert(pdump_clock_sync_drift(&line) == 1e5);
    line.first = line.last;
    ck_assert_int_eq(pdump_clock_sync_offset(&line, 0), 250);
    ck_assert(pdump_clock_sync_drift(&line) == 0);
}
END_TEST

/* Ranks of one machine know exactly. */
static int one_machine(void)
{
    struct pdump_clock_sync clock = { .origin = 1000 * job_rank,
                                      .clock = pdump_clock_system,
                                      .is_system = true };
    struct pdump_clock_sync_point point;
    int err = pdump_clock_sync_measure(&fake_job, &clock, &point);

    if (err >= 0 && point.offset != -1000 * job_rank)
        err =
            pdump_fail(PDUMP_EINVAL, "%lld ns ahead", (long long)point.offset);
    return err;
}

START_TEST(ranks_of_one_machine_have_one_clock)
{
    if (access("/proc/sys/kernel/random/boot_id", R_OK) == 0)
        run_job(4, one_machine);
}
END_TEST

/* Without a clock the events stay where they were. */
static int no_clock(void)
{
    struct pdump_aggregate *a;
    struct pdump_stream *in;
    struct pdump_dump *mine;
    int err;

    begin_dump();
    pdump_builder_event(
        builder, 0, &(struct pdump_event){ 77, PDUMP_EVENT_AT, -1, 0, 0, 0 });
    ck_assert_int_eq(pdump_builder_finish(builder, &mine), PDUMP_OK);
    pdump_builder_free(builder);
    err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);
    if (err < 0)
        return err;
    in = pdump_aggregate_stream(a);
    for (int i = 0; in && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        ck_assert_int_eq(in->piece(in, i, &piece), PDUMP_OK);
        ck_assert_int_eq(piece->n_lanes, 1);
        ck_assert_int_eq(piece->lanes[0].thread, in->rank[i]);
        ck_assert_int_eq(piece->lanes[0].last, 77);
    }
    if (in) {
        ck_assert_int_eq(in->n_pieces, strcmp(set.ranks, "2") ? job_size : 2);
        ck_assert_int_eq(in->event_ptr[in->n_pieces], in->n_pieces);
        ck_assert_int_eq(in->tables->n_warnings, in->n_pieces < job_size);
        if (in->n_pieces < job_size)
            ck_assert_int_eq(in->tables->warnings[0].count,
                             job_size - in->n_pieces);
    }
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

START_TEST(without_clocks_times_stay)
{
    set.ranks = _i ? "2" : "all";
    run_job(4, no_clock);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("align");
    TCase *tc = tcase_create("align");

    tcase_add_loop_test(tc, messages_arrive_after_they_were_sent, 0, 3);
    tcase_add_test(tc, one_measurement_is_not_enough_for_such_clocks);
    tcase_add_test(tc, a_line_goes_through_both_points);
    tcase_add_test(tc, ranks_of_one_machine_have_one_clock);
    tcase_add_loop_test(tc, without_clocks_times_stay, 0, 2);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
