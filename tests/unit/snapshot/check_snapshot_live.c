/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of snapshots of threads that record at full speed meanwhile. */
#include "fake.h"

#include "record/user_metric.h"
#include "record/rewind.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 2, NEW_NAMES = 50 };

static _Atomic bool is_over;
static _Atomic int n_running;
static _Atomic int n_snapshots; /* begun */

/* Run `job` on some threads, each with a recorder of its own. */
static void *record(void *data)
{
    void (*job)(struct pdump_recorder * r, int64_t round);
    struct pdump_recorder r;

    memcpy(&job, data, sizeof(job));
    if (pdump_recorder_open(&r, &recording) < 0)
        return NULL;
    for (int64_t i = 0; !is_over; i++) {
        job(&r, i);
        if (i == 10)
            n_running++;
    }
    pdump_recorder_close(&r);
    return data;
}

/* Take `n` snapshots of the running threads, and look at each. */
static void watch(void (*job)(struct pdump_recorder *r, int64_t round),
                  void (*look)(const struct pdump_dump *dump), int n)
{
    pthread_t threads[THREADS];
    void *result;

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, record, &job), 0);
    while (n_running < THREADS)
        sched_yield();
    for (int i = 0; i < n; i++) {
        struct pdump_dump *dump;

        n_snapshots++;
        dump = snapshot();
        look(dump);
        pdump_dump_free(dump);
    }
    is_over = true;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        ck_assert_ptr_nonnull(result);
    }
}

static void visit(struct pdump_recorder *r, const char *name)
{
    pdump_recorder_begin(r, name);
    turned[WORK]++;
    pdump_recorder_end(r, name);
}

static void two_regions(struct pdump_recorder *r, int64_t round)
{
    (void)round;
    visit(r, "hot");
    visit(r, "cold");
}

/* The counter grows by 1 in each visit: half a change would show. */
static void expect_agreement(const struct pdump_dump *dump)
{
    const struct pdump_dump_column *column = &dump->columns[WORK];

    if (dump->n_rows != 2 * THREADS)
        ck_abort_msg("a row is missing");
    for (int64_t i = 0; i < dump->n_rows; i++) {
        int64_t visits = dump->rows[i].visits;

        if (column->sum[i] != visits || column->sumsq[i] != (double)visits ||
            visits < 10)
            ck_abort_msg("%d visits, but %d counted", (int)visits,
                         (int)column->sum[i]);
    }
}

/* valgrind runs one thread at a time, and may let the others wait for long. */
START_TEST(visits_and_counters_always_agree)
{
    watch(two_regions, expect_agreement,
          getenv("UNDER_VALGRIND") ? 100 : 10000);
}
END_TEST

/* Some names that are new with each snapshot, while it is being taken. */
static void new_names(struct pdump_recorder *r, int64_t round)
{
    char name[40];

    snprintf(name, sizeof(name), "%d",
             n_snapshots * NEW_NAMES + (int)(round % NEW_NAMES));
    visit(r, name);
}

static void expect_visits(const struct pdump_dump *dump)
{
    ck_assert_int_ge(dump->n_rows, 10);
    for (int64_t i = 0; i < dump->n_rows; i++)
        if (dump->columns[WORK].sum[i] != dump->rows[i].visits)
            ck_abort_msg("row %d does not agree", (int)i);
}

START_TEST(new_names_may_come_at_any_time)
{
    watch(new_names, expect_visits, 100);
}
END_TEST

static void new_counters(struct pdump_recorder *r, int64_t round)
{
    char name[40];

    snprintf(name, sizeof(name), "%d", n_snapshots / 2 + (int)(round % 2));
    pdump_recorder_begin(r, "a");
    pdump_user_metric_add(r, r->top->node, name, 1);
    pdump_recorder_end(r, "a");
}

/* Every call adds 1: extremes and sums must fit each other. */
static void expect_ones(const struct pdump_dump *dump)
{
    for (int m = METRICS; m < dump->n_metrics; m++)
        for (int64_t i = 0; i < dump->n_rows; i++) {
            const struct pdump_dump_column *column = &dump->columns[m];

            if (column->sum[i] != PDUMP_MISSING &&
                (column->max[i] != 1 ||
                 column->sumsq[i] != (double)column->sum[i]))
                ck_abort_msg("metric %d of row %d is torn", m, (int)i);
        }
}

START_TEST(new_counters_may_come_at_any_time)
{
    watch(new_counters, expect_ones, 100);
}
END_TEST

static void rewinds(struct pdump_recorder *r, int64_t round)
{
    static _Atomic uint32_t region;

    if (!region)
        region = add_region("r");
    pdump_rewind_enter(r, region);
    visit(r, "x");
    pdump_rewind_leave(r, "r", round % 2);
}

static void expect_samples(const struct pdump_dump *dump)
{
    for (int64_t i = 0; i < dump->n_samples; i++)
        if (dump->samples[i].node < 0 || dump->samples[i].node >= dump->n_nodes)
            ck_abort_msg("sample %d has no node", (int)i);
    for (int64_t i = 0; i < dump->n_rows; i++)
        if (dump->columns[WORK].sum[i] != dump->rows[i].visits)
            ck_abort_msg("row %d does not agree", (int)i);
}

START_TEST(rewinds_and_samples_may_come_and_go)
{
    recording.wants_samples = true;
    watch(rewinds, expect_samples, 300);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("snapshot_live");
    TCase *t = tcase_create("live");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, visits_and_counters_always_agree);
    tcase_add_test(t, new_names_may_come_at_any_time);
    tcase_add_test(t, new_counters_may_come_at_any_time);
    tcase_add_test(t, rewinds_and_samples_may_come_and_go);
    suite_add_tcase(s, t);
    return fake_run(s);
}
