/* SPDX-License-Identifier: BSD-3-Clause */
/* A session of libpdump-mem.so follows another while a thread is still in that
 * one: with sessions that are none. */
#include "probe/call_detail.h"

static struct pdump_session *fake_hold(void);
static void fake_let_go(struct pdump_session *session);
static int64_t *fake_row(struct pdump_call *call, struct pdump_detail_table *of,
                         uint64_t key);
static void fake_done(struct pdump_call *call);

#define pdump_call_hold fake_hold
#define pdump_call_let_go fake_let_go
#define pdump_detail_thread_row fake_row
#define pdump_detail_done fake_done
#include "plugins/mem/mem_record.c"
#include "suite.h"

#include <check.h>
#include <stdlib.h>

static int64_t row[8];
static int n_held;

static struct pdump_session *fake_hold(void)
{
    n_held++;
    return (struct pdump_session *)(void *)row;
}

static void fake_let_go(struct pdump_session *session)
{
    (void)session;
    n_held--;
}

static int64_t *fake_row(struct pdump_call *call, struct pdump_detail_table *of,
                         uint64_t key)
{
    (void)of;
    (void)key;
    return row + call->session;
}

static void fake_done(struct pdump_call *call)
{
    (void)call;
}

START_TEST(who_is_in_a_session_stays_in_it)
{
    struct pdump_thread_record record = { 0 };
    struct pdump_recorder r = { .record = &record };
    struct pdump_call one = { .r = &r, .session = 2 };
    struct pdump_call two = { .r = &r, .session = 3 };

    ck_assert(change_session(&one));
    ck_assert_ptr_eq(now.others, row + 2);
    ck_assert(session_visit(2));
    for (int i = 0; i < 3; i++)
        ck_assert(!change_session(&two));
    ck_assert_ptr_eq(now.others, row + 2);
    ck_assert_int_eq(n_held, 1);
    ck_assert_uint_eq(record.lost_details, 3);
    ck_assert(!session_visit(3));
    session_leave();
    ck_assert(change_session(&two));
    ck_assert_ptr_eq(now.others, row + 3);
    ck_assert_int_eq(n_held, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("heap_session");
    TCase *t = tcase_create("heap_session");

    tcase_add_test(t, who_is_in_a_session_stays_in_it);
    suite_add_tcase(s, t);
    return suite_run(s);
}
