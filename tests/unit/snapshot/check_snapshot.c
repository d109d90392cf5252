/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of snapshots: the store as a dump, also while it is being changed. */
#include "fake.h"

#include "record/user_metric.h"
#include "store/store_metadata.h"

#include <semaphore.h>
#include <unistd.h>

static void visit(const char *name, int64_t amount)
{
    begin(name);
    work(amount);
    end(name);
}

static void count(const char *name, int64_t value)
{
    ck_assert_int_eq(pdump_user_metric_add(&rec, rec.top->node, name, value),
                     PDUMP_OK);
}

static int64_t sum(const struct pdump_dump *dump, const char *path, int metric)
{
    int64_t row = row_at(dump, path);

    ck_assert_msg(row >= 0, "no row %s", path);
    return dump->columns[metric].sum[row];
}

START_TEST(rows_are_the_visited_nodes)
{
    struct pdump_dump *dump;
    int64_t row;

    begin("a");
    visit("b", 2);
    visit("c", 3);
    visit("b", 5);
    end("a");
    dump = snapshot();
    ck_assert_int_eq(dump->n_rows, 3);
    ck_assert_int_eq(dump->n_metrics, METRICS);
    ck_assert_int_eq(dump->n_threads, 1);
    row = row_at(dump, "a/b");
    ck_assert_int_eq(dump->rows[row].visits, 2);
    ck_assert(!dump->rows[row].is_open);
    ck_assert_int_eq(dump->rows[row].parent, row_at(dump, "a"));
    ck_assert_int_eq(dump->columns[WORK].sum[row], 7);
    ck_assert_int_eq(dump->columns[WORK].min[row], 2);
    ck_assert_int_eq(dump->columns[WORK].max[row], 5);
    ck_assert_double_eq(dump->columns[WORK].sumsq[row], 29);
    ck_assert_int_eq(sum(dump, "a", WORK), 10);
    ck_assert_int_lt(row, row_at(dump, "a/c")); /* in order of first use */
    pdump_dump_free(dump);
}
END_TEST

START_TEST(an_empty_store_has_no_rows)
{
    struct pdump_dump *dump = snapshot();

    ck_assert_int_eq(dump->n_rows, 0);
    ck_assert_int_eq(dump->n_warnings, 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(open_regions_have_what_they_had_so_far)
{
    struct pdump_dump *dump;
    int64_t row;

    visit("a", 1);
    begin("a");
    work(10);
    begin("b");
    work(5);
    dump = snapshot();
    row = row_at(dump, "a");
    ck_assert(dump->rows[row].is_open);
    ck_assert_int_eq(dump->rows[row].visits, 1);
    ck_assert_int_eq(dump->columns[WORK].sum[row], 16);
    ck_assert_int_eq(dump->columns[WORK].max[row], 1);
    row = row_at(dump, "a/b");
    ck_assert_int_eq(dump->rows[row].visits, 0);
    ck_assert_int_eq(dump->columns[WORK].sum[row], 5);
    ck_assert_int_eq(dump->columns[WORK].min[row], PDUMP_MISSING);
    ck_assert_int_ge(sum(dump, "a", TIME), sum(dump, "a/b", TIME));
    pdump_dump_free(dump);
    end("b");
    end("a");
}
END_TEST

START_TEST(the_level_of_an_open_region_is_that_of_now)
{
    struct pdump_dump *dump;
    int64_t row;

    begin("a");
    for (int i = 1; i <= 3; i++) {
        turned[LEVEL] = i * 10;
        visit("b", 1);
    }
    turned[LEVEL] = 7;
    dump = snapshot();
    row = row_at(dump, "a");
    ck_assert(dump->rows[row].is_open);
    ck_assert_int_eq(dump->columns[LEVEL].sum[row], 7); /* not 60 */
    ck_assert_int_eq(dump->columns[LEVEL].min[row], 7);
    ck_assert_int_eq(dump->columns[LEVEL].max[row], 7);
    ck_assert_int_eq(sum(dump, "a/b", LEVEL), 60);
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(an_open_region_that_could_not_be_read_has_no_values)
{
    struct pdump_dump *dump;

    work(1000000);
    visit("a", 1);
    work(1000000);
    is_broken = true;
    begin("a");
    is_broken = false;
    work(1);
    dump = snapshot();
    ck_assert_int_eq(sum(dump, "a", WORK), 1);
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(of_other_threads_the_counters_cannot_be_read)
{
    struct pdump_dump *dump;

    begin("a");
    visit("b", 5);
    work(1);
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a/b", WORK), 5);
    ck_assert_int_eq(sum(dump, "a", WORK), PDUMP_MISSING); /* not 5 */
    ck_assert_int_eq(sum(dump, "a", LEVEL), PDUMP_MISSING);
    ck_assert_int_ge(sum(dump, "a", TIME), sum(dump, "a/b", TIME));
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(visits_that_ended_before_keep_their_counters)
{
    struct pdump_dump *dump;

    visit("a", 5);
    begin("a");
    work(1);
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a", WORK), 5);
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(a_source_may_read_the_counters_of_other_threads)
{
    struct pdump_dump *dump;

    turned[OTHER] = 10;
    begin("a");
    turned[OTHER] = 17;
    asked_tid = 0;
    dump = snapshot_by(NULL);
    ck_assert_int_eq(asked_tid, rec.record->tid);
    ck_assert_int_eq(sum(dump, "a", OTHER), 7);
    ck_assert_int_eq(sum(dump, "a", WORK), PDUMP_MISSING);
    pdump_dump_free(dump);
    turned[OTHER] = 9; /* as if it had begun after this was read */
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a", OTHER), PDUMP_MISSING);
    pdump_dump_free(dump);
    rec.record->has_ended = 1;
    turned[OTHER] = 17;
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a", OTHER), PDUMP_MISSING);
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(what_is_missing_is_missing)
{
    struct pdump_dump *dump;

    fake_close();
    is_refused = true;
    fake_open();
    begin("a");
    turned[OTHER] += 2;
    end("a");
    dump = snapshot();
    ck_assert_int_eq(sum(dump, "a", WORK), PDUMP_MISSING);
    ck_assert_int_eq(sum(dump, "a", LEVEL), PDUMP_MISSING);
    ck_assert_int_eq(sum(dump, "a", OTHER), 2);
    pdump_dump_free(dump);
}
END_TEST

/* As pdump_call_begin() and _end() do. */
static void call(uint32_t region, int64_t amount)
{
    ck_assert_int_eq(
        pdump_hot_enter(&rec, region, rec.call_flags, rec.call_way), PDUMP_OK);
    work(amount);
    visit("inside", 1);
    ck_assert_int_eq(pdump_hot_end_plain(&rec, rec.top, pdump_clock_now(),
                                         PDUMP_WAY_COUNTED | rec.call_way),
                     PDUMP_OK);
}

static uint32_t add_call(const char *name)
{
    uint32_t ref;

    ck_assert_int_eq(pdump_regions_add(&regions, name, strlen(name),
                                       PDUMP_GROUP_MPI, NULL, 0, &ref),
                     PDUMP_OK);
    return ref;
}

/* The counters of calls are those of the region around them. */
START_TEST(calls_have_their_time_only)
{
    struct pdump_dump *dump;
    uint32_t send;
    int64_t row;

    fake_close();
    fake_open_by((struct fake_options){ .times_calls = true });
    send = add_call("MPI_Send");
    begin("a");
    for (int i = 0; i < 5; i++)
        call(send, 10);
    work(3);
    end("a");
    ck_assert(is_balanced());
    dump = snapshot();
    row = row_at(dump, "a/MPI_Send");
    ck_assert_int_eq(dump->rows[row].visits, 5);
    ck_assert_int_ge(sum(dump, "a/MPI_Send", TIME), 0);
    ck_assert_int_eq(sum(dump, "a/MPI_Send", WORK), PDUMP_MISSING);
    ck_assert_int_eq(sum(dump, "a/MPI_Send", OTHER), PDUMP_MISSING);
    ck_assert_int_eq(sum(dump, "a/MPI_Send/inside", WORK), 5);
    ck_assert_int_eq(sum(dump, "a", WORK), 58);
    ck_assert_int_eq(dump->columns[WORK].exclusive[row_at(dump, "a")], 53);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(calls_are_counted_if_asked_for)
{
    struct pdump_dump *dump;
    uint32_t send = add_call("MPI_Send");

    for (int i = 0; i < 5; i++)
        call(send, 10);
    dump = snapshot();
    ck_assert_int_eq(sum(dump, "MPI_Send", WORK), 55);
    pdump_dump_free(dump);
}
END_TEST

/* A call that is never left, as by longjmp(), ends with its region. */
START_TEST(calls_that_are_left_end_with_their_region)
{
    struct pdump_dump *dump;
    uint32_t send;

    fake_close();
    fake_open_by((struct fake_options){ .times_calls = true });
    send = add_call("MPI_Send");
    begin("a");
    call(send, 10);
    pdump_hot_enter(&rec, send, rec.call_flags, rec.call_way);
    work(5);
    end("a");
    ck_assert(is_balanced());
    dump = snapshot();
    ck_assert_int_eq(dump->rows[row_at(dump, "a/MPI_Send")].visits, 2);
    ck_assert_int_eq(sum(dump, "a/MPI_Send", WORK), PDUMP_MISSING);
    ck_assert_int_eq(sum(dump, "a", WORK), 16);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(losses_are_warnings)
{
    struct pdump_dump *dump;

    fake_close();
    fake_open_by((struct fake_options){ .depth_max = 1, .names = 2 });
    begin("a");
    visit("a", 1);
    visit("a", 1);
    end("a");
    visit("b", 1);
    is_broken = true;
    visit("a", 1);
    is_broken = false;
    dump = snapshot();
    ck_assert_int_eq(dump->n_warnings, 3);
    ck_assert_ptr_nonnull(strstr(dump->warnings[0].text, "PDUMP_DEPTH_MAX"));
    ck_assert_int_eq(dump->warnings[0].count, 2);
    ck_assert_ptr_nonnull(strstr(dump->warnings[1].text, "<overflow>"));
    ck_assert_int_eq(dump->warnings[1].count, 1);
    ck_assert_int_eq(dump->warnings[2].count, 1);
    ck_assert_int_eq(sum(dump, "<overflow>", WORK), 1);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(user_counters_include_those_inside)
{
    struct pdump_dump *dump;
    int items, bytes;
    int64_t row;

    begin("a");
    count("items", 1);
    begin("b");
    count("items", 10);
    count("items", 5);
    count("bytes", -3);
    end("b");
    end("a");
    visit("c", 1);
    dump = snapshot();
    items = pdump_dump_find_metric(dump, "items");
    bytes = pdump_dump_find_metric(dump, "bytes");
    ck_assert_int_eq(dump->metrics[items].kind, PDUMP_USER);
    ck_assert_int_eq(sum(dump, "a/b", items), 15);
    ck_assert_int_eq(sum(dump, "a", items), 16);
    ck_assert_int_eq(sum(dump, "a", bytes), -3);
    ck_assert_int_eq(sum(dump, "c", items), PDUMP_MISSING);
    row = row_at(dump, "a");
    ck_assert_int_eq(dump->columns[items].min[row], 1);
    ck_assert_int_eq(dump->columns[items].max[row], 10);
    ck_assert_double_eq(dump->columns[items].sumsq[row], 126);
    pdump_dump_free(dump);
}
END_TEST

/* Two threads that make a name at once make it twice. */
START_TEST(a_user_counter_made_twice_is_one)
{
    struct pdump_dump *dump;
    uint32_t first, second;

    begin("a");
    count("items", 1);
    first = recording.head->counters;
    recording.head->counters = 0; /* as the other thread saw it */
    count("items", 10);
    second = recording.head->counters;
    {
        struct pdump_counter_record *record = pdump_store_at(rec.base, second);

        record->next = first;
        record->id = 1;
    }
    end("a");
    dump = snapshot();
    ck_assert_int_eq(dump->n_metrics, METRICS + 1);
    ck_assert_int_eq(sum(dump, "a", METRICS), 11);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(the_last_word_on_a_fact_stays)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_store_metadata_add(recording.store, "host", "h1"),
                     PDUMP_OK);
    ck_assert_int_eq(pdump_store_metadata_add(recording.store, "mesh", "m"),
                     PDUMP_OK);
    ck_assert_int_eq(pdump_store_metadata_add(recording.store, "host", "h2"),
                     PDUMP_OK);
    dump = snapshot();
    ck_assert_str_eq(pdump_dump_metadata(dump, "host"), "h2");
    ck_assert_str_eq(pdump_dump_metadata(dump, "mesh"), "m");
    ck_assert_str_eq(dump->processes[0].host, "h2");
    ck_assert_ptr_nonnull(pdump_dump_metadata(dump, "wall_time_ns"));
    pdump_dump_free(dump);
}
END_TEST

/* Leave figures as a thread leaves them that is killed in finish(): half
 * changed, with `n` metrics saved. */
static void die_in_change(const char *path, uint32_t n)
{
    struct pdump_node *node = node_at(path);
    uint32_t ref = (uint32_t)(((char *)node - rec.base) / 8);

    pdump_recorder_change(&rec, pdump_node_figures(ref), pdump_node_words(n));
    node->visits += 1000;
    for (uint32_t i = 0; i < n; i++)
        node->stat[i] = (struct pdump_stat){ 77, 77, 77, 77 };
}

/* A dump takes its time. */
static void *dump_slowly(void *started)
{
    ck_assert_int_eq(pdump_store_take(recording.store), PDUMP_OK);
    sem_post(started);
    sleep(2);
    pdump_store_end(recording.store);
    return NULL;
}

START_TEST(metadata_waits_for_a_dump)
{
    struct pdump_dump *dump;
    pthread_t thread;
    sem_t started;

    sem_init(&started, 0, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, dump_slowly, &started), 0);
    sem_wait(&started);
    ck_assert_int_eq(pdump_store_metadata_add(recording.store, "host", "h"),
                     PDUMP_OK);
    pthread_join(thread, NULL);
    dump = snapshot();
    ck_assert_str_eq(pdump_dump_metadata(dump, "host"), "h");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(half_a_change_is_undone)
{
    struct pdump_dump *dump;
    int64_t row;

    visit("a", 3);
    visit("b", 4);
    die_in_change("a", METRICS);
    dump = snapshot_by(NULL);
    row = row_at(dump, "a");
    ck_assert_int_eq(dump->rows[row].visits, 1);
    ck_assert_int_eq(dump->columns[WORK].sum[row], 3);
    ck_assert_int_eq(dump->columns[WORK].min[row], 3);
    ck_assert_double_eq(dump->columns[WORK].sumsq[row], 9);
    ck_assert_int_eq(sum(dump, "b", WORK), 4);
    pdump_dump_free(dump);
    pdump_recorder_changed(&rec);
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a", WORK), 77);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(half_a_change_of_the_time_alone_is_undone)
{
    struct pdump_dump *dump;

    visit("a", 3);
    visit("b", 400); /* the undo slot has these figures */
    die_in_change("a", 1);
    dump = snapshot_by(NULL);
    ck_assert_int_eq(dump->rows[row_at(dump, "a")].visits, 1);
    ck_assert_int_eq(sum(dump, "a", WORK), 3);
    ck_assert_int_lt(sum(dump, "a", OTHER), 1);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(half_a_change_of_a_user_counter_is_undone)
{
    struct pdump_dump *dump;
    struct pdump_user_metric *extra;
    uint32_t ref;

    begin("a");
    count("items", 1);
    end("a");
    ref = node_at("a")->extra;
    extra = pdump_store_at(rec.base, ref);
    pdump_recorder_change(
        &rec, ref + (uint32_t)offsetof(struct pdump_user_metric, stat) / 8,
        sizeof(struct pdump_stat) / 8);
    extra->stat.sum = 1000;
    dump = snapshot_by(NULL);
    ck_assert_int_eq(sum(dump, "a", METRICS), 1);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("snapshot");
    TCase *t = tcase_create("snapshot");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, rows_are_the_visited_nodes);
    tcase_add_test(t, an_empty_store_has_no_rows);
    tcase_add_test(t, open_regions_have_what_they_had_so_far);
    tcase_add_test(t, the_level_of_an_open_region_is_that_of_now);
    tcase_add_test(t, an_open_region_that_could_not_be_read_has_no_values);
    tcase_add_test(t, of_other_threads_the_counters_cannot_be_read);
    tcase_add_test(t, calls_have_their_time_only);
    tcase_add_test(t, calls_are_counted_if_asked_for);
    tcase_add_test(t, calls_that_are_left_end_with_their_region);
    tcase_add_test(t, visits_that_ended_before_keep_their_counters);
    tcase_add_test(t, a_source_may_read_the_counters_of_other_threads);
    tcase_add_test(t, what_is_missing_is_missing);
    tcase_add_test(t, losses_are_warnings);
    tcase_add_test(t, user_counters_include_those_inside);
    tcase_add_test(t, a_user_counter_made_twice_is_one);
    tcase_add_test(t, the_last_word_on_a_fact_stays);
    tcase_add_test(t, metadata_waits_for_a_dump);
    tcase_add_test(t, half_a_change_is_undone);
    tcase_add_test(t, half_a_change_of_the_time_alone_is_undone);
    tcase_add_test(t, half_a_change_of_a_user_counter_is_undone);
    suite_add_tcase(s, t);
    return fake_run(s);
}
