/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of PDUMP_THROTTLE: who is put out, and what remains of it. */
#include "fake.h"

#include "record/parameter.h"
#include "record/rewind.h"

enum { VISITS = 10, MANY = 1000 };

static struct pdump_throttle throttle;

/* Scale 1: a tick is a ns here.  No visit of a test takes an hour. */
static void open_throttled(const char *text)
{
    fake_open();
    pdump_throttle_open(&throttle, recording.store, text, 1.0);
    recording.throttle = throttle.visits ? &throttle : NULL;
}

static void open_strict(void)
{
    open_throttled("10:3600000000000");
}

static void close_throttled(void)
{
    ck_assert(is_balanced());
    pdump_throttle_close(&throttle);
    fake_close();
}

static void visit(const char *name)
{
    begin(name);
    work(1);
    end(name);
}

static uint64_t lost_of(const char *name)
{
    const struct pdump_region_record *region =
        pdump_store_at(rec.base, add_region(name));

    return region->throttle ? pdump_throttle_of(rec.base, region)->lost : 0;
}

START_TEST(what_is_short_and_frequent_is_counted_only)
{
    open_strict();
    for (int i = 0; i < MANY; i++) {
        begin("a");
        visit("tiny");
        end("a");
    }
    expect("a", VISITS + 1, VISITS + 1);
    expect("a/tiny", VISITS + 1, VISITS + 1);
    ck_assert_uint_eq(lost_of("a"), MANY - VISITS - 1);
    ck_assert_uint_eq(lost_of("tiny"), MANY - VISITS - 1);
    ck_assert_int_eq(warned_of("PDUMP_THROTTLE"), 2);
    close_throttled();
}
END_TEST

START_TEST(what_is_long_stays)
{
    open_throttled("10:1");
    for (int i = 0; i < MANY; i++) {
        begin("a");
        for (int64_t start = pdump_clock_now(); pdump_clock_now() < start + 9;)
            continue;
        end("a");
    }
    expect("a", MANY, 0);
    ck_assert_int_eq(warned_of("PDUMP_THROTTLE"), 0);
    close_throttled();
}
END_TEST

START_TEST(children_of_the_throttled_belong_to_its_parent)
{
    open_strict();
    for (int i = 0; i < VISITS + 1; i++)
        visit("tiny");
    begin("a");
    begin("tiny");
    begin("b");
    work(1);
    end("b");
    ck_assert_int_eq(pdump_recorder_end_n(&rec, "tiny", 4), PDUMP_OK);
    end("a");
    expect("a", 1, 1);
    expect("a/b", 1, 1);
    ck_assert_ptr_null(node_at("a/tiny"));
    close_throttled();
}
END_TEST

START_TEST(regions_by_number_and_from_several_addresses)
{
    char copy[] = "tiny";
    uint32_t tiny;

    open_strict();
    tiny = add_region("tiny");
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(pdump_recorder_enter(&rec, tiny), PDUMP_OK);
        ck_assert_int_eq(pdump_recorder_leave(&rec, tiny), PDUMP_OK);
        visit("tiny");
        visit(copy);
    }
    ck_assert_uint_eq(node_at("tiny")->visits, VISITS + 1);
    ck_assert_uint_eq(lost_of("tiny"), 3 * MANY - VISITS - 1);
    close_throttled();
}
END_TEST

/* Put out in the middle of it: the outer visits end as they began. */
START_TEST(a_recursion_that_is_put_out_keeps_its_balance)
{
    open_strict();
    for (int i = 0; i < 2 * VISITS; i++)
        begin("again");
    for (int i = 0; i < 2 * VISITS; i++)
        end("again");
    ck_assert(is_balanced());
    visit("again");
    ck_assert_uint_eq(lost_of("again"), 1);
    close_throttled();
}
END_TEST

START_TEST(rewind_regions_and_parameters_stay)
{
    open_strict();
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(pdump_rewind_enter(&rec, add_region("try")), PDUMP_OK);
        ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
        ck_assert_int_eq(pdump_rewind_leave(&rec, "try", false), PDUMP_OK);
    }
    ck_assert_uint_eq(node_at("try")->visits, MANY);
    ck_assert_uint_eq(node_at("try/n=1")->visits, MANY);
    close_throttled();
}
END_TEST

START_TEST(names_beyond_the_limit_are_not_one_region)
{
    char name[20];

    fake_open_by((struct fake_options){ .names = 20 });
    pdump_throttle_open(&throttle, recording.store, "10:3600000000000", 1.0);
    recording.throttle = &throttle;
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "name %d", i);
        visit(name);
    }
    expect("<overflow>", MANY - 19, MANY - 19);
    close_throttled();
}
END_TEST

START_TEST(the_dump_names_it_with_visits_and_mean)
{
    struct pdump_dump *dump;
    int n = 0;

    open_strict();
    for (int i = 0; i < MANY; i++)
        visit("tiny");
    visit("other");
    dump = snapshot();
    for (int i = 0; i < dump->n_warnings; i++) {
        const struct pdump_dump_warning *w = &dump->warnings[i];

        if (!strstr(w->text, "PDUMP_THROTTLE, after"))
            continue;
        n++;
        ck_assert_ptr_nonnull(strstr(w->text, "visits of region tiny are not"));
        ck_assert_ptr_nonnull(strstr(w->text, "after 11 visits"));
        ck_assert_ptr_nonnull(strstr(w->text, " ns"));
        ck_assert_int_eq(w->count, MANY - VISITS - 1);
    }
    ck_assert_int_eq(n, 1);
    pdump_dump_free(dump);
    close_throttled();
}
END_TEST

START_TEST(nonsense_is_told_and_changes_nothing)
{
    static const char *const texts[] = { "x",   "10",  "10:", ":5",
                                         "0:5", "5:0", "-1:5" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        open_throttled(texts[i]);
        ck_assert_int_eq(warned_of("is not COUNT:NS"), 1);
        ck_assert_ptr_null(recording.throttle);
        close_throttled();
    }
    open_throttled("off");
    ck_assert_int_eq(warned_of("is not COUNT:NS"), 0);
    ck_assert_ptr_null(recording.throttle);
    close_throttled();
}
END_TEST

/* A tick is less than a ns on most machines. */
START_TEST(any_visit_is_short)
{
    fake_open();
    pdump_throttle_open(&throttle, recording.store, "10:9223372036854775807",
                        0.3);
    recording.throttle = &throttle;
    for (int i = 0; i < MANY; i++)
        visit("tiny");
    expect("tiny", VISITS + 1, VISITS + 1);
    close_throttled();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("throttle");
    TCase *tc = tcase_create("throttle");

    tcase_add_test(tc, what_is_short_and_frequent_is_counted_only);
    tcase_add_test(tc, what_is_long_stays);
    tcase_add_test(tc, children_of_the_throttled_belong_to_its_parent);
    tcase_add_test(tc, regions_by_number_and_from_several_addresses);
    tcase_add_test(tc, a_recursion_that_is_put_out_keeps_its_balance);
    tcase_add_test(tc, rewind_regions_and_parameters_stay);
    tcase_add_test(tc, names_beyond_the_limit_are_not_one_region);
    tcase_add_test(tc, the_dump_names_it_with_visits_and_mean);
    tcase_add_test(tc, nonsense_is_told_and_changes_nothing);
    tcase_add_test(tc, any_visit_is_short);
    suite_add_tcase(suite, tc);
    return fake_run(suite);
}
