/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of descriptor numbers: memory is mapped by the first number only, which
 * no fork handler adds. */
#include "source/source_fds.h"
#include "suite.h"

static struct pdump_fds set;

static bool is_even(int fd)
{
    return fd % 2 == 0;
}

START_TEST(an_empty_set_needs_no_memory)
{
    ck_assert(!pdump_fds_has(&set, 0));
    ck_assert(!pdump_fds_has(&set, PDUMP_FDS_MAX - 1));
    pdump_fds_remove(&set, 3);
    pdump_fds_clear(&set);
    ck_assert_int_eq(pdump_fds_drop(&set, is_even), 0);
    pdump_fds_close_all(&set);
    pdump_fds_disarm_all(&set);
    pdump_fds_release_all(&set);
    ck_assert_uint_le(sizeof(set), 16);
    ck_assert_ptr_null((void *)set.word);
}
END_TEST

START_TEST(a_set_has_what_was_added)
{
    static const int some[] = { 0, 63, 64, 1000, PDUMP_FDS_MAX - 1 };

    for (int i = 0; i < 5; i++) {
        ck_assert(!pdump_fds_has(&set, some[i]));
        ck_assert(pdump_fds_add(&set, some[i]));
        ck_assert(pdump_fds_has(&set, some[i]));
    }
    ck_assert(!pdump_fds_has(&set, 65));
    ck_assert_int_eq(pdump_fds_drop(&set, is_even), 2);
    ck_assert(pdump_fds_has(&set, 64) && !pdump_fds_has(&set, 63));
    pdump_fds_remove(&set, 64);
    ck_assert(!pdump_fds_has(&set, 64) && pdump_fds_has(&set, 1000));
    pdump_fds_clear(&set);
    ck_assert(!pdump_fds_has(&set, 1000));
    ck_assert(pdump_fds_add(&set, 1000) && pdump_fds_has(&set, 1000));
}
END_TEST

START_TEST(numbers_out_of_range_are_ignored)
{
    ck_assert(pdump_fds_add(&set, -1));
    ck_assert(pdump_fds_add(&set, PDUMP_FDS_MAX));
    pdump_fds_remove(&set, PDUMP_FDS_MAX);
    ck_assert(!pdump_fds_has(&set, -1));
    ck_assert(!pdump_fds_has(&set, PDUMP_FDS_MAX));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("source_fds");
    TCase *t = tcase_create("source_fds");

    tcase_add_test(t, an_empty_set_needs_no_memory);
    tcase_add_test(t, a_set_has_what_was_added);
    tcase_add_test(t, numbers_out_of_range_are_ignored);
    suite_add_tcase(s, t);
    return suite_run(s);
}
