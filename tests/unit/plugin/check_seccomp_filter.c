/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of what seccomp filters are found to do, without setting any. */
#include "plugins/run/seccomp_filter.h"
#include "suite.h"

#include <check.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARCH offsetof(struct seccomp_data, arch)
#define ARGUMENT offsetof(struct seccomp_data, args)
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, what)
#define IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define GIVE(action) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##action)
#define LENGTH(code) (sizeof(code) / sizeof((code)[0]))

START_TEST(a_list_of_what_is_allowed_kills_the_rest)
{
    const struct sock_filter code[] = {
        LOAD(NUMBER),
        IF(SYS_write, 0, 1),
        GIVE(ALLOW),
        GIVE(KILL_PROCESS),
    };

    ck_assert(!filter_kills(code, LENGTH(code), SYS_write));
    ck_assert(filter_kills(code, LENGTH(code), SYS_read));
    ck_assert(filter_kills_ours(code, LENGTH(code)));
}
END_TEST

START_TEST(a_list_of_what_is_refused_may_leave_ours_alone)
{
    const struct sock_filter code[] = {
        LOAD(NUMBER),
        IF(SYS_reboot, 0, 1),
        GIVE(KILL_PROCESS),
        IF(SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        GIVE(ALLOW),
    };

    ck_assert(filter_kills(code, LENGTH(code), SYS_reboot));
    ck_assert(!filter_kills(code, LENGTH(code), SYS_openat));
    ck_assert(!filter_kills_ours(code, LENGTH(code)));
}
END_TEST

/* As libseccomp writes it: calls of other machines are not for us. */
START_TEST(the_machine_is_known)
{
    const struct sock_filter code[] = {
        LOAD(ARCH),
        IF(0x40000003, 0, 1),
        GIVE(KILL_PROCESS),
        GIVE(ALLOW),
    };

    ck_assert(!filter_kills_ours(code, LENGTH(code)));
}
END_TEST

START_TEST(arguments_are_not_known)
{
    const struct sock_filter code[] = {
        LOAD(NUMBER), IF(SYS_openat, 0, 3), LOAD(ARGUMENT),    IF(1, 1, 0),
        GIVE(ALLOW),  IF(SYS_write, 1, 0),  GIVE(KILL_THREAD), GIVE(ALLOW),
    };

    ck_assert(filter_kills(code, LENGTH(code), SYS_openat));
    ck_assert(!filter_kills(code, LENGTH(code), SYS_write));
}
END_TEST

START_TEST(values_are_computed_and_kept)
{
    const struct sock_filter code[] = {
        LOAD(NUMBER),
        BPF_STMT(BPF_ST, 3),
        BPF_STMT(BPF_LD | BPF_IMM, 1),
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        BPF_STMT(BPF_LD | BPF_MEM, 3),
        BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0),
        IF(SYS_write + 1, 0, 1),
        GIVE(LOG),
        BPF_STMT(BPF_RET | BPF_A, 0),
    };

    ck_assert(!filter_kills(code, LENGTH(code), SYS_write));
    ck_assert(filter_kills(code, LENGTH(code), SYS_read));
}
END_TEST

START_TEST(what_is_not_understood_kills)
{
    const struct sock_filter ends[] = { LOAD(NUMBER) };
    struct sock_filter code[4096];

    ck_assert(filter_kills(ends, 1, SYS_write));
    for (size_t i = 0; i < LENGTH(code); i += 2) {
        code[i] = (struct sock_filter)LOAD(ARGUMENT);
        code[i + 1] = (struct sock_filter)IF(1, 0, 0);
    }
    code[4095] = (struct sock_filter)GIVE(ALLOW);
    ck_assert(filter_kills(code, LENGTH(code), SYS_write));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *tests = tcase_create("sandbox");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_list_of_what_is_allowed_kills_the_rest);
    tcase_add_test(tests, a_list_of_what_is_refused_may_leave_ours_alone);
    tcase_add_test(tests, the_machine_is_known);
    tcase_add_test(tests, arguments_are_not_known);
    tcase_add_test(tests, values_are_computed_and_kept);
    tcase_add_test(tests, what_is_not_understood_kills);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
