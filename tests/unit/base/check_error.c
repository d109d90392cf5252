/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the message of a thread's last failure. */
#include "suite.h"

#include "base/error.h"

static int broken(const char *text)
{
    return pdump_fail(PDUMP_EIO, "%s", text);
}

START_TEST(nothing_has_failed_at_first)
{
    struct pdump_error_kept kept;

    ck_assert_str_eq(pdump_last_error(), "");
    pdump_error_keep(&kept);
    ck_assert_int_eq(broken("tried"), PDUMP_EIO);
    ck_assert_int_eq(pdump_error_settle(&kept, PDUMP_OK), PDUMP_OK);
    ck_assert_str_eq(pdump_last_error(), "");
}
END_TEST

START_TEST(a_success_brings_the_former_message_back)
{
    struct pdump_error_kept kept;

    broken("before");
    pdump_error_keep(&kept);
    broken("tried");
    ck_assert_int_eq(pdump_error_settle(&kept, 3), 3);
    ck_assert_str_eq(pdump_last_error(), "before");
}
END_TEST

START_TEST(a_failure_keeps_its_message)
{
    struct pdump_error_kept kept;

    broken("before");
    pdump_error_keep(&kept);
    ck_assert_int_eq(pdump_error_settle(&kept, broken("failed")), PDUMP_EIO);
    ck_assert_str_eq(pdump_last_error(), "failed");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("error");
    TCase *tc = tcase_create("core");

    suite_add_tcase(s, tc);
    tcase_add_test(tc, nothing_has_failed_at_first);
    tcase_add_test(tc, a_success_brings_the_former_message_back);
    tcase_add_test(tc, a_failure_keeps_its_message);
    return suite_run(s);
}
