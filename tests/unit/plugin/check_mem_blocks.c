/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of what libpdump-mem.so knows of blocks, without standing in front of
 * anything. */
#include "plugins/mem/blocks.h"
#include "plugins/mem/real_allocator.h"
#include "suite.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static const void *address(uint64_t number)
{
    return (const void *)(uintptr_t)number;
}

START_TEST(every_block_has_a_place)
{
    const uint64_t where[] = { 0x1000, 0x1008,         0x1010,
                               0x1018, 0x5555deadbee0, 0x7fffffffeff0 };
    const int n = sizeof(where) / sizeof(where[0]);

    for (int i = 0; i < n; i++) {
        struct pdump_mem_block *at =
            pdump_mem_blocks_at(address(where[i]), true);

        ck_assert_ptr_nonnull(at);
        ck_assert_uint_eq(at->row, 0);
        at->row = (uint32_t)i + 1;
    }
    for (int i = 0; i < n; i++)
        ck_assert_uint_eq(pdump_mem_blocks_at(address(where[i]), false)->row,
                          (uint32_t)i + 1);
}
END_TEST

START_TEST(where_no_block_was_there_is_no_place)
{
    ck_assert_ptr_null(pdump_mem_blocks_at(address(0x4444000000), false));
    ck_assert_ptr_null(pdump_mem_blocks_at(address(UINT64_C(1) << 52), true));
}
END_TEST

static void *ask(void *out)
{
    *(struct pdump_mem_block **)out =
        pdump_mem_blocks_at(address(0x333300000000), true);
    return NULL;
}

START_TEST(threads_that_come_first_together_get_the_same)
{
    struct pdump_mem_block *found[8];
    pthread_t id[8];

    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(pthread_create(&id[i], NULL, ask, &found[i]), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(id[i], NULL);
    for (int i = 1; i < 8; i++)
        ck_assert_ptr_eq(found[i], found[0]);
}
END_TEST

START_TEST(early_blocks_are_ours)
{
    char *one = pdump_mem_early(1), *two = pdump_mem_early(100);

    ck_assert_ptr_nonnull(one);
    ck_assert_uint_eq((uintptr_t)two % 16, 0);
    ck_assert(two > one && two[99] == 0);
    ck_assert(pdump_mem_is_early(one) && !pdump_mem_is_early(&one));
    ck_assert(!pdump_mem_is_early(NULL));
    ck_assert_uint_ge(pdump_mem_early_rest(two), 100);
    errno = 0;
    ck_assert_ptr_null(pdump_mem_early(SIZE_MAX));
    ck_assert_int_eq(errno, ENOMEM);
    while (pdump_mem_early(1000))
        ;
    ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

START_TEST(the_allocator_is_found)
{
    void *block;

    ck_assert(pdump_mem_is_found());
    block = pdump_mem_real.calloc(1, 10);
    ck_assert_ptr_nonnull(block);
    pdump_mem_real.free(block);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tests = tcase_create("heap");

    tcase_add_test(tests, every_block_has_a_place);
    tcase_add_test(tests, where_no_block_was_there_is_no_place);
    tcase_add_test(tests, threads_that_come_first_together_get_the_same);
    tcase_add_test(tests, early_blocks_are_ours);
    tcase_add_test(tests, the_allocator_is_found);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
