/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the names: each once, numbered, found by content. */
#include "fake.h"

#include <pthread.h>

static const struct pdump_region_record *at(uint32_t ref)
{
    return pdump_store_at(regions.base, ref);
}

static uint32_t find(const char *name)
{
    return pdump_regions_find(&regions, name, strlen(name), PDUMP_GROUP_USER);
}

static int add(const char *name, size_t len, uint32_t *out)
{
    return pdump_regions_add(&regions, name, len, PDUMP_GROUP_USER, NULL, 0,
                             out);
}

START_TEST(a_name_is_copied_and_found_by_content)
{
    char name[] = "solve";
    uint32_t ref;

    ck_assert_uint_eq(find("solve"), 0);
    ref = add_region(name);
    name[0] = 'x';
    ck_assert_str_eq(at(ref)->name, "solve");
    ck_assert_uint_eq(find("solve"), ref);
    ck_assert_uint_eq(add_region("solve"), ref);
    ck_assert_uint_eq(find("xolve"), 0);
    ck_assert_uint_eq(find("solv"), 0);
    ck_assert_uint_eq(find("solver"), 0);
}
END_TEST

START_TEST(a_length_cuts_the_name)
{
    uint32_t ref;

    ck_assert_int_eq(add("solver", 5, &ref), PDUMP_OK);
    ck_assert_uint_eq(at(ref)->length, 5);
    ck_assert_str_eq(at(ref)->name, "solve");
    ck_assert_uint_eq(find("solve"), ref);
}
END_TEST

START_TEST(any_bytes_but_nul_are_a_name)
{
    static const char *const names[] = { " ",        ",",   "\"",       "a\nb",
                                         "a/b",      "a;b", "\xff\xfe", "größe",
                                         "12345678", "\\",  "日本" };
    uint32_t refs[11], none = 0;

    for (int i = 0; i < 11; i++)
        refs[i] = add_region(names[i]);
    for (int i = 0; i < 11; i++) {
        ck_assert_uint_eq(find(names[i]), refs[i]);
        ck_assert_str_eq(at(refs[i])->name, names[i]);
    }
    ck_assert_int_eq(add("a\0b", 3, &none), PDUMP_EINVAL);
    ck_assert_int_eq(add("", 0, &none), PDUMP_EINVAL);
    ck_assert_uint_eq(none, 0);
}
END_TEST

START_TEST(names_have_a_greatest_length)
{
    static char name[PDUMP_NAME_MAX + 1];
    uint32_t ref;

    memset(name, 'n', sizeof(name));
    ck_assert_int_eq(add(name, PDUMP_NAME_MAX, &ref), PDUMP_OK);
    ck_assert_uint_eq(at(ref)->length, PDUMP_NAME_MAX);
    ck_assert_int_eq(add(name, PDUMP_NAME_MAX + 1, &ref), PDUMP_EINVAL);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "65536 bytes"));
}
END_TEST

START_TEST(the_group_is_part_of_the_name)
{
    uint32_t user = add_region("step"), step;

    ck_assert_int_eq(pdump_regions_add(&regions, "step", 4, PDUMP_GROUP_STEP,
                                       NULL, 0, &step),
                     PDUMP_OK);
    ck_assert_uint_ne(user, step);
    ck_assert_uint_eq(at(step)->group, PDUMP_GROUP_STEP);
    ck_assert_uint_ne(add_region("<overflow>"), regions.overflow);
}
END_TEST

START_TEST(the_first_place_stays)
{
    char file[] = "main.c";
    uint32_t ref, again;

    ck_assert_int_eq(
        pdump_regions_add(&regions, "a", 1, PDUMP_GROUP_USER, file, 12, &ref),
        PDUMP_OK);
    file[0] = 'x';
    pdump_regions_add(&regions, "a", 1, PDUMP_GROUP_USER, "b.c", 99, &again);
    ck_assert_uint_eq(ref, again);
    ck_assert_str_eq(pdump_store_at(regions.base, at(ref)->file), "main.c");
    ck_assert_int_eq(at(ref)->line, 12);
    ck_assert_uint_eq(at(add_region("b"))->file, 0);
}
END_TEST

START_TEST(numbers_lead_back_to_names)
{
    static const volatile unsigned strangers[] = { 0, 20002, INT32_MAX,
                                                   UINT32_MAX };
    char name[16];

    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        add_region(name);
    }
    for (int i = 0; i < 20000; i++) {
        uint32_t ref;

        snprintf(name, sizeof(name), "name%d", i);
        ref = find(name);
        if (!ref || strcmp(at(ref)->name, name) != 0 ||
            pdump_regions_at(&regions, at(ref)->id) != ref)
            ck_abort_msg("%s is lost", name);
    }
    ck_assert_uint_eq(regions.n, 20001);
    ck_assert_uint_ne(pdump_regions_at(&regions, 20001), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(pdump_regions_at(&regions, strangers[i]), 0);
}
END_TEST

START_TEST(the_list_in_the_store_has_every_name)
{
    uint32_t n = 0, ref;

    add_region("a");
    add_region("b");
    for (ref = recording.head->regions; ref; ref = at(ref)->next, n++)
        ck_assert_uint_eq(at(ref)->id, 3 - n);
    ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(names_beyond_the_limit_are_refused_for_good)
{
    uint32_t known, ref;

    fake_close();
    fake_open_by((struct fake_options){ .names = 4 });
    known = add_region("a");
    for (int i = 0; i < 10; i++) {
        char name[16];

        snprintf(name, sizeof(name), "name%d", i);
        ref = add_region(name);
    }
    ck_assert_uint_eq(ref, regions.overflow);
    ck_assert_str_eq(at(ref)->name, "<overflow>");
    ck_assert_uint_eq(at(ref)->group, PDUMP_GROUP_OVERFLOW);
    ck_assert_uint_eq(find("name9"), 0);
    ck_assert_uint_eq(add_region("a"), known);
    ck_assert_uint_eq(regions.refused + regions.n, 12);
}
END_TEST

START_TEST(a_full_store_refuses_names)
{
    static char name[PDUMP_NAME_MAX];
    uint32_t ref = 0, known;

    fake_close();
    fake_open_by((struct fake_options){ .memory = 1 << 20 });
    known = add_region("a");
    memset(name, 'n', sizeof(name));
    for (size_t len = sizeof(name); len > sizeof(name) - 30; len--)
        ck_assert_int_eq(add(name, len, &ref), PDUMP_OK);
    ck_assert_uint_eq(ref, regions.overflow);
    ck_assert_uint_eq(find("a"), known);
}
END_TEST

enum { NAMES = 3000, THREADS = 4 };

static void *add_names(void *data)
{
    uint32_t *refs = data;

    for (int i = 0; i < NAMES; i++) {
        char name[16];
        int len = snprintf(name, sizeof(name), "name%d", i);

        add(name, (size_t)len, &refs[i]);
    }
    return NULL;
}

START_TEST(threads_agree_on_names)
{
    static uint32_t refs[THREADS][NAMES];
    pthread_t threads[THREADS];

    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, add_names, refs[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 1; t < THREADS; t++)
        ck_assert_mem_eq(refs[t], refs[0], sizeof(refs[0]));
    ck_assert_uint_eq(regions.n, NAMES + 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("region");
    TCase *t = tcase_create("region");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, a_name_is_copied_and_found_by_content);
    tcase_add_test(t, a_length_cuts_the_name);
    tcase_add_test(t, any_bytes_but_nul_are_a_name);
    tcase_add_test(t, names_have_a_greatest_length);
    tcase_add_test(t, the_group_is_part_of_the_name);
    tcase_add_test(t, the_first_place_stays);
    tcase_add_test(t, numbers_lead_back_to_names);
    tcase_add_test(t, the_list_in_the_store_has_every_name);
    tcase_add_test(t, names_beyond_the_limit_are_refused_for_good);
    tcase_add_test(t, a_full_store_refuses_names);
    tcase_add_test(t, threads_agree_on_names);
    suite_add_tcase(s, t);
    return fake_run(s);
}
