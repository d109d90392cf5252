/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of threads: recorded exactly, kept in a ring, lost and counted. */
#include "fake.h"

#include "store/store_event_file.h"
#include "dump/event_lanes.h"
#include "record/parameter.h"
#include "record/frame_reorder.h"
#include "record/rewind.h"

#include <pthread.h>
#include <unistd.h>

static struct pdump_timeline events;

static void open_mode(enum pdump_timeline_mode mode, uint64_t buffer)
{
    events = (struct pdump_timeline){ .mode = mode,
                                      .buffer = buffer,
                                      .limit = 32 << 20 };
    fake_open_by((struct fake_options){ .events = &events });
}

static void open_flush(void)
{
    open_mode(PDUMP_TIMELINE_FLUSH, 1 << 20);
}

static const char *const kinds[PDUMP_EVENT_KINDS] = {
    "enter", "leave",   "at",         "marker", "counter",
    "send",  "receive", "collective", "lost",   "io",
};

static void put_path(const struct pdump_dump *dump, int64_t node, char *out,
                     size_t len)
{
    if (node < 0)
        snprintf(out, len, "-");
    else
        pdump_dump_node_path(dump, (int)node, out, len);
}

/* A lane in words, "enter a; leave a; ".  Times never go back. */
static const char *tell(const struct pdump_dump *dump, int lane)
{
    static char text[4096];
    struct pdump_lane_reader reader;
    struct pdump_event event;
    int64_t last = 0;
    size_t used = 0;
    int got;

    text[0] = '\0';
    pdump_lane_open(&reader, dump, lane);
    while ((got = pdump_lane_next(&reader, &event)) > 0) {
        char path[256];

        ck_assert_int_ge(event.time, last);
        last = event.time;
        put_path(dump, event.node, path, sizeof(path));
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s; ",
                                 kinds[event.kind], path);
        ck_assert_uint_lt(used, sizeof(text));
    }
    ck_assert_int_eq(got, 0);
    return text;
}

static void expect_lane(const char *text)
{
    struct pdump_dump *dump = snapshot();

    ck_assert_int_eq(dump->n_lanes, 1);
    ck_assert_str_eq(tell(dump, 0), text);
    pdump_dump_free(dump);
}

static int n_warnings_of(const struct pdump_dump *dump, const char *text)
{
    int n = 0;

    for (int i = 0; i < dump->n_warnings; i++)
        n += strstr(dump->warnings[i].text, text) != NULL;
    return n;
}

static int64_t number_in(const struct pdump_dump *dump, const char *key)
{
    const char *text = pdump_dump_metadata(dump, key);

    ck_assert_msg(text != NULL, "no %s", key);
    return strtoll(text, NULL, 10);
}

START_TEST(regions_are_events_in_order)
{
    uint32_t c = add_region("c");

    begin("a");
    begin("b");
    end("b");
    ck_assert_int_eq(pdump_recorder_enter(&rec, c), PDUMP_OK);
    ck_assert_int_eq(pdump_recorder_leave(&rec, c), PDUMP_OK);
    end(NULL);
    begin("a");
    expect_lane("enter a; enter a/b; leave a/b; enter a/c; leave a/c; "
                "leave a; enter a; ");
    end("a");
    expect("a", 2, 0);
}
END_TEST

START_TEST(parameters_are_events)
{
    begin("a");
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "2"), PDUMP_OK);
    end("a");
    expect_lane("enter a; enter a/n=1; leave a/n=1; enter a/n=2; "
                "leave a/n=2; leave a; ");
}
END_TEST

START_TEST(what_is_thrown_away_has_two_marks_instead_of_events)
{
    uint32_t maybe = add_region("maybe");

    begin("a");
    for (int discard = 0; discard < 2; discard++) {
        ck_assert_int_eq(pdump_rewind_enter(&rec, maybe), PDUMP_OK);
        begin("b");
        ck_assert_int_eq(pdump_rewind_enter(&rec, maybe), PDUMP_OK);
        ck_assert_int_eq(pdump_rewind_leave(&rec, NULL, true), PDUMP_OK);
        end("b");
        ck_assert_int_eq(pdump_rewind_leave(&rec, NULL, discard), PDUMP_OK);
    }
    end("a");
    expect_lane("enter a; enter a/maybe; enter a/maybe/b; marker a/maybe/b; "
                "marker a/maybe/b; leave a/maybe/b; leave a/maybe; marker a; "
                "marker a; leave a; ");
}
END_TEST

START_TEST(names_beyond_the_limit_keep_their_place)
{
    fake_close();
    events = (struct pdump_timeline){ .mode = PDUMP_TIMELINE_FLUSH,
                                      .buffer = 1 << 20,
                                      .limit = 1 << 20 };
    fake_open_by((struct fake_options){ .events = &events, .names = 3 });
    begin("a");
    begin("b");
    begin("c");
    begin("d");
    end(NULL);
    end("c");
    end("b");
    end("a");
    expect_lane("enter a; enter a/b; enter a/b/<overflow>; "
                "enter a/b/<overflow>/<overflow>; "
                "leave a/b/<overflow>/<overflow>; leave a/b/<overflow>; "
                "leave a/b; leave a; ");
}
END_TEST

START_TEST(counters_are_events_on_request)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;
    struct pdump_dump *dump;
    int64_t sum = 0;

    fake_close();
    events = (struct pdump_timeline){ .mode = PDUMP_TIMELINE_FLUSH,
                                      .buffer = 1 << 20,
                                      .limit = 1 << 20,
                                      .has_counters = true };
    fake_open_by((struct fake_options){ .events = &events });
    work(100);
    begin("a");
    work(7);
    end("a");
    dump = snapshot();
    /* A level has no value at the begin. */
    ck_assert_str_eq(tell(dump, 0), "enter a; counter a; counter a; counter a; "
                                    "counter a; counter a; leave a; ");
    pdump_lane_open(&reader, dump, 0);
    while (pdump_lane_next(&reader, &event) > 0)
        if (event.kind == PDUMP_EVENT_COUNTER && event.what == WORK)
            sum = event.value - sum;
    ck_assert_int_eq(sum, 7);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(an_unread_counter_is_no_event)
{
    fake_close();
    events = (struct pdump_timeline){ .mode = PDUMP_TIMELINE_FLUSH,
                                      .buffer = 1 << 20,
                                      .limit = 1 << 20,
                                      .has_counters = true };
    fake_open_by((struct fake_options){ .events = &events });
    is_broken = true;
    begin("a");
    end("a");
    expect_lane("enter a; leave a; ");
}
END_TEST

static void visit_many(int n)
{
    for (int i = 0; i < n; i++) {
        begin("a");
        end("a");
    }
}

/* Is it "enter a; leave a; " all along, but for what is said of gaps? */
static int64_t count_pairs(const struct pdump_dump *dump, int lane,
                           int64_t *n_lost)
{
    struct pdump_lane_reader reader;
    struct pdump_event event;
    bool is_in = false;
    int64_t n = 0;

    *n_lost = 0;
    pdump_lane_open(&reader, dump, lane);
    while (pdump_lane_next(&reader, &event) > 0) {
        if (event.kind == PDUMP_EVENT_LOST)
            *n_lost += event.value;
        else if (event.kind == PDUMP_EVENT_AT)
            is_in = event.node >= 0;
        else if ((event.kind == PDUMP_EVENT_ENTER) == is_in)
            ck_abort_msg("event %d is wrong", (int)n);
        else
            is_in = !is_in, n++;
    }
    return n;
}

START_TEST(events_take_few_bytes)
{
    struct pdump_event_chunk *chunk;
    int64_t bytes = 0;

    visit_many(20000);
    for (uint32_t ref = recording.head->event_chunks; ref; ref = chunk->next) {
        chunk = pdump_store_at(rec.base, ref);
        bytes += chunk->n;
    }
    ck_assert_int_gt(bytes, 40000 * 3 / 2);
    ck_assert_int_le(bytes, 40000 * 8);
}
END_TEST

/* Nobody writes here: what finds no room is lost, at the end. */
START_TEST(lost_events_are_counted)
{
    struct pdump_dump *dump;
    int64_t n, n_lost;

    fake_close();
    open_mode(PDUMP_TIMELINE_FLUSH, 32 << 10);
    visit_many(20000);
    dump = snapshot();
    n = count_pairs(dump, 0, &n_lost);
    ck_assert_int_gt(n, 1000);
    ck_assert_int_gt(n_lost, 1000);
    ck_assert_int_eq(n + n_lost, 40000);
    ck_assert_int_eq(number_in(dump, "events_lost"), n_lost);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_int_eq(dump->warnings[0].count, n_lost);
    ck_assert_ptr_nonnull(
        strstr(dump->warnings[0].text, "PDUMP_EVENTS_BUFFER"));
    expect("a", 20000, 0);
    pdump_dump_free(dump);
}
END_TEST

/* A chunk that was written elsewhere, and is not there: a gap. */
START_TEST(a_gap_is_told_where_it_is)
{
    struct pdump_event_chunk *chunk;
    struct pdump_dump *dump;
    int64_t n, n_lost, n_free = 0;

    fake_close();
    open_mode(PDUMP_TIMELINE_FLUSH, 64 << 10);
    begin("outer");
    visit_many(3000);
    for (uint32_t ref = recording.head->event_chunks; ref; ref = chunk->next) {
        chunk = pdump_store_at(rec.base, ref);
        if (chunk->sequence != 2)
            continue;
        chunk->sequence = 0;
        atomic_store(&chunk->state, PDUMP_CHUNK_FREE);
        atomic_fetch_add(&events.freed, 1);
        n_free++;
    }
    ck_assert_int_eq(n_free, 1);
    dump = snapshot();
    n = number_in(dump, "events");
    n_lost = number_in(dump, "events_lost");
    ck_assert_int_gt(n_lost, 100);
    ck_assert_int_ge(n, 6001 - n_lost);
    ck_assert_int_le(n, 6001 - n_lost + 4); /* with LOST and AT */
    pdump_dump_free(dump);

    /* And it is used again. */
    visit_many(10000);
    for (uint32_t ref = recording.head->event_chunks; ref; ref = chunk->next) {
        chunk = pdump_store_at(rec.base, ref);
        ck_assert_int_ne(chunk->state, PDUMP_CHUNK_FREE);
    }
    end("outer");
}
END_TEST

START_TEST(a_ring_has_the_last_events)
{
    struct pdump_lane_reader reader;
    struct pdump_event event = { .time = 0 };
    struct pdump_dump *dump;
    int64_t n, n_lost;
    size_t used;

    fake_close();
    open_mode(PDUMP_TIMELINE_RING, 32 << 10);
    begin("last");
    end("last");
    visit_many(15000);
    used = pdump_store_used(recording.store);
    visit_many(15000);
    begin("last");
    ck_assert_uint_eq(pdump_store_used(recording.store), used);
    dump = snapshot();
    n = number_in(dump, "events");
    ck_assert_int_gt(n, 3000);
    ck_assert_int_lt(n, 30000);
    ck_assert_int_eq(number_in(dump, "events_lost"), 0);
    n_lost = number_in(dump, "events_dropped");
    ck_assert_int_ge(n + n_lost, 60003);
    ck_assert_int_le(n + n_lost, 60004); /* with one AT */
    ck_assert_int_eq(dump->n_warnings, 0);
    pdump_lane_open(&reader, dump, 0);
    while (pdump_lane_next(&reader, &event) > 0)
        ;
    ck_assert_int_eq(event.kind, PDUMP_EVENT_ENTER);
    ck_assert_str_eq(dump->regions[dump->nodes[event.node].region].name,
                     "last");
    pdump_dump_free(dump);
    end("last");
}
END_TEST

START_TEST(no_room_at_all_is_told)
{
    struct pdump_dump *dump;
    int64_t n_lost;

    fake_close();
    open_mode(_i == 0 ? PDUMP_TIMELINE_RING : PDUMP_TIMELINE_FLUSH, 32 << 10);
    events.limit = 0;
    visit_many(5);
    dump = snapshot();
    ck_assert_int_eq(count_pairs(dump, 0, &n_lost), 0);
    ck_assert_int_eq(n_lost, 10);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_int_eq(dump->warnings[0].count, 10);
    ck_assert_ptr_nonnull(
        strstr(dump->warnings[0].text,
               _i == 0 ? "PDUMP_MEMORY_MAX" : "PDUMP_EVENTS_MODE=ring"));
    pdump_dump_free(dump);
}
END_TEST

/* As the writer does: a chunk goes to the file, whole or cut. */
static void flush_to(const char *path, struct pdump_event_chunk *chunk)
{
    struct pdump_event_piece piece = { .sequence = chunk->sequence,
                                       .first = chunk->first,
                                       .start = chunk->start,
                                       .thread = chunk->number,
                                       .node = chunk->node,
                                       .n = chunk->n };

    ck_assert_int_eq(pdump_store_event_file_add(path, &piece, chunk->bytes),
                     PDUMP_OK);
}

START_TEST(events_come_back_from_the_file)
{
    struct pdump_event_chunk *chunk;
    struct pdump_dump *dump;
    char path[400], folder[] = "/tmp/check_events.XXXXXX";
    static char beside[40];
    int64_t n_lost;

    fake_close();
    open_mode(PDUMP_TIMELINE_FLUSH, 1 << 20);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(beside, sizeof(beside), "%s/", folder);
    fake_beside = beside;
    visit_many(10000);
    ck_assert_int_eq(pdump_store_event_file_make(recording.store, beside,
                                                 recording.head, path,
                                                 sizeof(path)),
                     PDUMP_OK);
    for (uint32_t ref = recording.head->event_chunks; ref; ref = chunk->next) {
        chunk = pdump_store_at(rec.base, ref);
        flush_to(path, chunk);
        if (chunk->sequence != 2) /* this one's process died before that */
            atomic_store(&chunk->sequence, 0);
    }
    dump = snapshot();
    ck_assert_int_eq(count_pairs(dump, 0, &n_lost), 20000);
    ck_assert_int_eq(n_lost, 0);
    pdump_dump_free(dump);

    /* Half a piece more, as a kill leaves it: nothing changes. */
    ck_assert_int_eq(truncate(path, 100), 0);
    dump = snapshot();
    ck_assert_int_gt(number_in(dump, "events_lost"), 0);
    pdump_dump_free(dump);

    /* Somebody else's file is neither read nor removed. */
    recording.head->pid++;
    pdump_store_event_file_remove(beside, (char *)recording.head);
    ck_assert_int_eq(access(path, F_OK), 0);
    recording.head->pid--;
    pdump_store_event_file_remove(beside, (char *)recording.head);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(rmdir(folder), 0);

    /* What was in it is missed. */
    dump = snapshot();
    ck_assert_int_eq(n_warnings_of(dump, "could not be read"), 1);
    pdump_dump_free(dump);
}
END_TEST

/* A process that ends just when it has made its file. */
START_TEST(a_file_without_an_owner_yet_is_empty_and_goes_with_its_store)
{
    char path[400], folder[] = "/tmp/check_events.XXXXXX";
    static char beside[40];
    struct pdump_dump *dump;

    fake_close();
    open_mode(PDUMP_TIMELINE_FLUSH, 1 << 20);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(beside, sizeof(beside), "%s/", folder);
    fake_beside = beside;
    visit_many(10);
    ck_assert_int_eq(pdump_store_event_file_make(recording.store, beside,
                                                 recording.head, path,
                                                 sizeof(path)),
                     PDUMP_OK);
    ck_assert_int_eq(truncate(path, 0), 0);
    dump = snapshot();
    ck_assert_int_eq(n_warnings_of(dump, "could not be read"), 0);
    ck_assert_int_eq(number_in(dump, "events_lost"), 0);
    pdump_dump_free(dump);
    pdump_store_event_file_remove(beside, (char *)recording.head);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static _Atomic bool is_over;
static _Atomic int64_t n_visits;

static void *visit_on(void *unused)
{
    struct pdump_recorder own;

    if (pdump_recorder_open(&own, &recording) < 0)
        return NULL;
    while (!is_over) {
        pdump_recorder_begin(&own, "a");
        pdump_recorder_end(&own, "a");
        n_visits++;
    }
    pdump_recorder_close(&own);
    return unused;
}

/* Give chunks back as if they had been written. */
static void free_full(void)
{
    struct pdump_event_chunk *chunk;

    for (uint32_t ref = atomic_load(&recording.head->event_chunks); ref;
         ref = chunk->next) {
        struct pdump_thread_record *owner;

        chunk = pdump_store_at(rec.base, ref);
        if (atomic_load(&chunk->state) != PDUMP_CHUNK_FULL)
            continue;
        owner = pdump_store_at(rec.base, chunk->thread);
        atomic_fetch_sub(&owner->event_bytes, sizeof(*chunk) + chunk->room);
        atomic_store(&chunk->sequence, 0);
        atomic_store(&chunk->state, PDUMP_CHUNK_FREE);
        atomic_fetch_add(&events.freed, 1);
    }
}

START_TEST(threads_go_on_while_their_events_are_read)
{
    pthread_t thread[2];

    fake_close();
    open_mode(_i == 0 ? PDUMP_TIMELINE_RING : PDUMP_TIMELINE_FLUSH, 32 << 10);
    is_over = false;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, visit_on, NULL), 0);
    for (int round = 0; round < 20; round++) {
        int64_t n_lost, before = n_visits;
        struct pdump_dump *dump = snapshot();

        for (int lane = 0; lane < dump->n_lanes; lane++)
            count_pairs(dump, lane, &n_lost);
        for (int i = 0; i < dump->n_warnings; i++)
            ck_assert_ptr_null(strstr(dump->warnings[i].text, "damaged"));
        pdump_dump_free(dump);
        free_full();
        while (n_visits < before + 500)
            usleep(100);
    }
    is_over = true;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}
END_TEST

/* As the store of a process that is no more, whose clock has such ticks. */
static struct pdump_dump *read_store(int ns_per_tick)
{
    struct pdump_head *head = recording.head;
    struct pdump_builder *b;
    struct pdump_dump *dump;

    head->settled.ticks = pdump_clock_now();
    head->settled.ns = head->start.ns +
                       ns_per_tick * (head->settled.ticks - head->start.ticks);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    ck_assert_int_eq(pdump_snapshot_read(b, (char *)head,
                                         pdump_store_used(recording.store),
                                         "x"),
                     PDUMP_OK);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

START_TEST(damage_costs_events_and_no_more)
{
    struct pdump_event_chunk *chunk;
    struct pdump_dump *dump;

    visit_many(10);
    chunk = pdump_store_at(rec.base, recording.head->event_chunks);
    if (_i == 0)
        memset(chunk->bytes + chunk->n / 2, 0xff, chunk->n / 2);
    if (_i == 1)
        chunk->start = INT64_MAX / 2;
    if (_i == 2) { /* a chain without an end, of chunks that nobody uses */
        chunk->next = recording.head->event_chunks;
        atomic_store(&chunk->sequence, 0);
    }
    dump = read_store(1);
    ck_assert_int_eq(n_warnings_of(dump, "damaged"), 1);
    ck_assert_int_eq(dump->rows[row_at(dump, "a")].visits, 10);
    pdump_dump_free(dump);
}
END_TEST

/* What is lost at the end stands where the last event is, whatever the clock's
 * ticks are. */
START_TEST(losses_have_the_time_of_the_last_event)
{
    struct pdump_dump *dump;
    uint32_t mark = add_region("mark");

    begin("a");
    pdump_timeline_add(&rec, &(struct pdump_event){ .time = pdump_clock_now(),
                                                    .kind = PDUMP_EVENT_MARKER,
                                                    .what = mark });
    rec.record->lost_events = 5;
    recording.head->start.ticks = 1;
    dump = read_store(40);
    ck_assert_int_eq(number_in(dump, "events_lost"), 5);
    ck_assert_int_gt(dump->lanes[0].last, 0);
    ck_assert_int_le(dump->lanes[0].last, 40 * (recording.head->settled.ticks));
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(without_the_wish_there_are_none)
{
    struct pdump_dump *dump;

    fake_close();
    fake_open();
    visit_many(10);
    dump = snapshot();
    ck_assert_int_eq(dump->n_lanes, 0);
    ck_assert_ptr_null(pdump_dump_metadata(dump, "events_mode"));
    ck_assert_uint_eq(recording.head->event_chunks, 0);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");

    tcase_add_checked_fixture(tests, open_flush, fake_close);
    tcase_add_test(tests, regions_are_events_in_order);
    tcase_add_test(tests, parameters_are_events);
    tcase_add_test(tests, what_is_thrown_away_has_two_marks_instead_of_events);
    tcase_add_test(tests, names_beyond_the_limit_keep_their_place);
    tcase_add_test(tests, counters_are_events_on_request);
    tcase_add_test(tests, an_unread_counter_is_no_event);
    tcase_add_test(tests, events_take_few_bytes);
    tcase_add_test(tests, lost_events_are_counted);
    tcase_add_test(tests, a_gap_is_told_where_it_is);
    tcase_add_test(tests, a_ring_has_the_last_events);
    tcase_add_loop_test(tests, no_room_at_all_is_told, 0, 2);
    tcase_add_test(tests, events_come_back_from_the_file);
    tcase_add_test(
        tests, a_file_without_an_owner_yet_is_empty_and_goes_with_its_store);
    tcase_add_loop_test(tests, threads_go_on_while_their_events_are_read, 0, 2);
    tcase_add_loop_test(tests, damage_costs_events_and_no_more, 0, 3);
    tcase_add_test(tests, losses_have_the_time_of_the_last_event);
    tcase_add_test(tests, without_the_wish_there_are_none);
    suite_add_tcase(suite, tests);
    return fake_run(suite);
}
