/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the store: memory that never moves, until there is no more. */
#include "fake.h"

#include <pthread.h>

enum { MIB = 1 << 20 };

static struct pdump_store *store;

static void open_store(void)
{
    ck_assert_int_eq(pdump_store_open(&store, 16 * MIB, 100), PDUMP_OK);
}

static void close_store(void)
{
    pdump_store_close(store);
}

static char *at(uint32_t ref)
{
    return pdump_store_at(pdump_store_base(store), ref);
}

static bool is_zero(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i])
            return false;
    return true;
}

START_TEST(the_head_is_at_ref_0_and_zeroed)
{
    ck_assert_uint_ge(pdump_store_used(store), 100);
    ck_assert_ptr_eq(at(0), pdump_store_base(store));
    ck_assert(is_zero(at(0), 100));
}
END_TEST

START_TEST(memory_is_zeroed_aligned_and_nobody_elses)
{
    uint32_t last = 0;

    for (int i = 1; i < 2000; i++) {
        size_t bytes = (size_t)i % 37 + 1;
        uint32_t ref = pdump_store_alloc(store, bytes);

        if (ref <= last || !is_zero(at(ref), bytes))
            ck_abort_msg("allocation %d is not fresh", i);
        memset(at(ref), 0xff, bytes);
        last = ref;
    }
    ck_assert_uint_eq((uintptr_t)at(last) % 8, 0);
}
END_TEST

START_TEST(signal_handlers_get_memory_until_there_is_no_more)
{
    uint32_t last = 0, ref;
    size_t n = 0;

    while ((ref = pdump_store_alloc_now(store, 100000)) != 0) {
        if (ref <= last || !is_zero(at(ref), 100000))
            ck_abort_msg("allocation %zu is not fresh", n);
        memset(at(ref), 0xff, 100000);
        last = ref;
        n++;
    }
    ck_assert_uint_ge(n, 16 * MIB / 100000 - 10);
    ck_assert_uint_eq(pdump_store_alloc(store, 100000), 0);
}
END_TEST

START_TEST(nothing_moves_when_the_store_grows)
{
    char *base = pdump_store_base(store);
    uint32_t first = pdump_store_text(store, "first", 5);

    for (int i = 0; i < 10; i++)
        ck_assert_uint_ne(pdump_store_alloc(store, MIB), 0);
    ck_assert_ptr_eq(pdump_store_base(store), base);
    ck_assert_str_eq(at(first), "first");
    ck_assert_uint_ge(pdump_store_used(store), 10 * MIB);
}
END_TEST

START_TEST(a_full_store_says_so_and_serves_what_fits)
{
    size_t used;
    uint32_t ref;

    ck_assert_uint_eq(pdump_store_alloc(store, 17 * MIB), 0);
    while (pdump_store_alloc(store, MIB))
        continue;
    used = pdump_store_used(store);
    ck_assert_uint_gt(used, 15 * MIB);
    ck_assert_uint_eq(pdump_store_alloc(store, MIB), 0);
    ck_assert_uint_eq(pdump_store_used(store), used);
    ref = pdump_store_alloc(store, 16 * MIB - used);
    ck_assert_uint_ne(ref, 0);
    at(ref)[16 * MIB - used - 1] = 1; /* the last byte */
    ck_assert_uint_eq(pdump_store_alloc(store, 1), 0);
    ck_assert_uint_eq(pdump_store_text(store, "x", 1), 0);
}
END_TEST

START_TEST(texts_are_cut_at_their_length)
{
    uint32_t ref = pdump_store_text(store, "solver", 5);
    uint32_t empty = pdump_store_text(store, "", 0);

    ck_assert_str_eq(at(ref), "solve");
    ck_assert_str_eq(at(empty), "");
    ck_assert_uint_ne(empty, 0);
}
END_TEST

START_TEST(too_little_is_no_store)
{
    struct pdump_store *none = NULL;

    ck_assert_int_eq(pdump_store_open(&none, 4096, 100), PDUMP_ENOMEM);
    ck_assert_int_eq(pdump_store_open(&none, MIB, 2 * MIB), PDUMP_ENOMEM);
    ck_assert_ptr_null(none);
    pdump_store_close(NULL);
}
END_TEST

START_TEST(too_much_is_what_the_address_space_has)
{
    struct pdump_store *big;

    ck_assert_int_eq(pdump_store_open(&big, (size_t)1 << 60, 100), PDUMP_OK);
    ck_assert_uint_ne(pdump_store_alloc(big, MIB), 0);
    pdump_store_close(big);
}
END_TEST

START_TEST(arenas_share_a_store)
{
    struct pdump_arena one, two;
    uint32_t last[2] = { 0 };

    pdump_arena_init(&one, store);
    pdump_arena_init(&two, store);
    for (int i = 0; i < 3000; i++) {
        size_t bytes = i % 500 == 499 ? 20000 : (size_t)i % 50 + 1;
        uint32_t ref = pdump_arena_alloc(i % 2 ? &one : &two, bytes);

        if (!ref || ref == last[0] || ref == last[1] ||
            !is_zero(at(ref), bytes))
            ck_abort_msg("allocation %d is not fresh", i);
        memset(at(ref), 0xff, bytes);
        last[i % 2] = ref;
    }
}
END_TEST

START_TEST(an_arena_of_a_full_store_says_so)
{
    struct pdump_arena arena;
    int n = 0;

    pdump_arena_init(&arena, store);
    while (pdump_arena_alloc(&arena, 1000))
        n++;
    ck_assert_int_gt(n, 14 * MIB / 1000);
    ck_assert_uint_eq(pdump_arena_alloc(&arena, 1000), 0);
}
END_TEST

enum { PIECES = 5000 };

static void *take_pieces(void *data)
{
    int64_t **pieces = data;

    for (int i = 0; i < PIECES; i++) {
        pieces[i] = (void *)at(pdump_store_alloc(store, sizeof(int64_t)));
        *pieces[i] += i; /* more than i if it is somebody else's, too */
    }
    return NULL;
}

START_TEST(threads_may_take_at_once)
{
    static int64_t *pieces[4][PIECES];
    pthread_t threads[4];

    for (int t = 0; t < 4; t++)
        pthread_create(&threads[t], NULL, take_pieces, pieces[t]);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < PIECES; i++)
            if (*pieces[t][i] != i)
                ck_abort_msg("piece %d of thread %d is shared", i, t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store");
    TCase *t = tcase_create("store");

    tcase_add_checked_fixture(t, open_store, close_store);
    tcase_add_test(t, the_head_is_at_ref_0_and_zeroed);
    tcase_add_test(t, memory_is_zeroed_aligned_and_nobody_elses);
    tcase_add_test(t, signal_handlers_get_memory_until_there_is_no_more);
    tcase_add_test(t, nothing_moves_when_the_store_grows);
    tcase_add_test(t, a_full_store_says_so_and_serves_what_fits);
    tcase_add_test(t, texts_are_cut_at_their_length);
    tcase_add_test(t, too_little_is_no_store);
    tcase_add_test(t, too_much_is_what_the_address_space_has);
    tcase_add_test(t, arenas_share_a_store);
    tcase_add_test(t, an_arena_of_a_full_store_says_so);
    tcase_add_test(t, threads_may_take_at_once);
    suite_add_tcase(s, t);
    return fake_run(s);
}
