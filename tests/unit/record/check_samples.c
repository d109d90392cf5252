/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of samples: visits kept on their own, in order, within a limit. */
#include "fake.h"

#include "record/rewind.h"

static void visit(const char *name, int64_t amount)
{
    begin(name);
    work(amount);
    end(name);
}

static void open_with_samples(void)
{
    fake_open_by((struct fake_options){ .wants_samples = true });
}

START_TEST(every_visit_is_a_sample)
{
    struct pdump_dump *dump;
    uint32_t a = add_region("a");

    begin("a");
    work(1);
    visit("b", 2);
    end("a");
    ck_assert_int_eq(pdump_recorder_enter(&rec, a), PDUMP_OK);
    work(3);
    ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);

    dump = snapshot();
    ck_assert_int_eq(dump->n_samples, 3);
    ck_assert_int_eq(dump->sample_values[WORK][0], 2);
    ck_assert_int_eq(dump->sample_values[WORK][1], 3);
    ck_assert_int_eq(dump->sample_values[WORK][2], 3);
    ck_assert_int_eq(dump->samples[1].node, dump->samples[2].node);
    ck_assert_int_ne(dump->samples[0].node, dump->samples[1].node);
    ck_assert_int_eq(dump->samples[1].number, 0);
    ck_assert_int_eq(dump->samples[2].number, 1);
    ck_assert_int_ge(dump->samples[0].start, dump->samples[1].start);
    ck_assert_int_ge(dump->samples[2].start, dump->samples[0].start);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(many_samples_stay_in_order)
{
    struct pdump_dump *dump;

    for (int i = 0; i < 900; i++)
        visit("a", i);
    dump = snapshot();
    ck_assert_int_eq(dump->n_samples, 900);
    for (int i = 0; i < 900; i++) {
        if (dump->sample_values[WORK][i] != i || dump->samples[i].number != i)
            ck_abort_msg("sample %d is wrong", i);
    }
    expect("a", 900, 900 * 899 / 2);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(samples_beyond_the_limit_are_counted)
{
    struct pdump_dump *dump;

    fake_close();
    fake_open_by(
        (struct fake_options){ .wants_samples = true, .samples_max = 20 });
    for (int i = 0; i < 50; i++)
        visit("a", 1);
    ck_assert_uint_eq(rec.record->lost_samples, 30);
    dump = snapshot();
    ck_assert_int_eq(dump->n_samples, 20);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_int_eq(dump->warnings[0].count, 30);
    expect("a", 50, 50);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(without_asking_only_profiles_and_steps_are_samples)
{
    struct pdump_dump *dump;
    uint32_t node;

    fake_close();
    fake_open();
    visit("a", 1);
    node = pdump_tree_child(&rec.tree, rec.tree.root, add_region("p"), 0);
    for (int i = 0; i < 2; i++) {
        pdump_recorder_push(&rec, node, PDUMP_FRAME_PROFILE);
        visit("inside", 1);
        work(4);
        ck_assert_int_eq(pdump_recorder_pop(&rec, PDUMP_FRAME_STEP),
                         PDUMP_ESTATE);
        ck_assert_int_eq(pdump_recorder_pop(&rec, PDUMP_FRAME_PROFILE),
                         PDUMP_OK);
    }
    rec.step = 18; /* the number of the next one; 17 is open */
    pdump_recorder_push(&rec, node, PDUMP_FRAME_STEP);
    ck_assert_int_eq(pdump_recorder_pop(&rec, PDUMP_FRAME_STEP), PDUMP_OK);
    dump = snapshot();
    ck_assert_int_eq(dump->n_samples, 3);
    ck_assert_int_eq(dump->sample_values[WORK][1], 5);
    ck_assert_int_eq(dump->samples[1].number, 1);
    ck_assert_int_eq(dump->samples[2].number, 17);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_discarded_rewind_takes_its_samples_along)
{
    struct pdump_dump *dump;
    uint32_t r = add_region("r");

    visit("a", 1);
    begin("b");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pdump_rewind_enter(&rec, r), PDUMP_OK);
        for (int j = 0; j < 100; j++)
            visit("x", 1000);
        ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_OK);
        visit("c", 2);
    }
    end("b");
    dump = snapshot();
    ck_assert_int_eq(dump->n_samples, 4);
    ck_assert_int_eq(rec.n_samples, 4);
    ck_assert_int_eq(dump->sample_values[WORK][0], 1);
    ck_assert_int_eq(dump->sample_values[WORK][1], 2);
    ck_assert_int_eq(dump->sample_values[WORK][2], 2);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_kept_rewind_keeps_its_samples)
{
    struct pdump_dump *dump;
    int64_t row;

    visit("a", 1);
    ck_assert_int_eq(pdump_rewind_enter(&rec, add_region("r")), PDUMP_OK);
    visit("x", 5);
    visit("x", 6);
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", false), PDUMP_OK);
    dump = snapshot();
    ck_assert_int_ge(dump->n_samples, 3);
    row = row_at(dump, "r/x");
    ck_assert_int_ge(row, 0);
    ck_assert_int_eq(dump->samples[1].node, dump->rows[row].node);
    ck_assert_int_eq(dump->samples[2].node, dump->rows[row].node);
    ck_assert_int_eq(dump->sample_values[WORK][2], 6);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(discarding_for_ever_needs_no_memory)
{
    uint32_t r = add_region("r");
    size_t used = 0;

    for (int i = 0; i < 20000; i++) {
        pdump_rewind_enter(&rec, r);
        pdump_recorder_begin(&rec, "x");
        pdump_recorder_end(&rec, "x");
        pdump_rewind_leave(&rec, "r", true);
        if (i == 100)
            used = pdump_store_used(recording.store);
    }
    ck_assert_uint_eq(pdump_store_used(recording.store), used);
    ck_assert_int_eq(rec.n_samples, 0);
}
END_TEST

START_TEST(a_full_store_loses_samples_only)
{
    fake_close();
    fake_open_by((struct fake_options){
        .wants_samples = true, .memory = 1 << 20, .samples_max = 1000000 });
    for (int i = 0; i < 40000; i++) {
        pdump_recorder_begin(&rec, "a");
        work(1);
        pdump_recorder_end(&rec, "a");
    }
    expect("a", 40000, 40000);
    ck_assert_uint_gt(rec.record->lost_samples, 0);
    ck_assert_int_eq((int64_t)rec.record->lost_samples + rec.n_samples, 40000);
}
END_TEST

START_TEST(a_missing_metric_is_missing_in_samples)
{
    struct pdump_dump *dump;

    fake_close();
    is_refused = true;
    open_with_samples();
    begin("a");
    work(1);
    turned[OTHER] += 3;
    end("a");
    dump = snapshot();
    ck_assert_int_eq(dump->sample_values[WORK][0], PDUMP_MISSING);
    ck_assert_int_eq(dump->sample_values[OTHER][0], 3);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("samples");
    TCase *t = tcase_create("samples");

    tcase_add_checked_fixture(t, open_with_samples, fake_close);
    tcase_add_test(t, every_visit_is_a_sample);
    tcase_add_test(t, many_samples_stay_in_order);
    tcase_add_test(t, samples_beyond_the_limit_are_counted);
    tcase_add_test(t, without_asking_only_profiles_and_steps_are_samples);
    tcase_add_test(t, a_discarded_rewind_takes_its_samples_along);
    tcase_add_test(t, a_kept_rewind_keeps_its_samples);
    tcase_add_test(t, discarding_for_ever_needs_no_memory);
    tcase_add_test(t, a_full_store_loses_samples_only);
    tcase_add_test(t, a_missing_metric_is_missing_in_samples);
    suite_add_tcase(s, t);
    return fake_run(s);
}
