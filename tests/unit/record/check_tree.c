/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the tree: a node is a region under a parent, made once. */
#include "fake.h"

static struct pdump_tree *tree = &rec.tree;

static uint32_t child(uint32_t parent, const char *name)
{
    return pdump_tree_child(tree, parent, add_region(name), 0);
}

START_TEST(a_tree_starts_with_root_and_overflow)
{
    const struct pdump_node *root = pdump_tree_at(tree, tree->root);
    const struct pdump_node *overflow = pdump_tree_at(tree, tree->overflow);

    ck_assert_uint_eq(root->parent, 0);
    ck_assert_uint_eq(root->region, 0);
    ck_assert_uint_eq(root->child, tree->overflow);
    ck_assert_uint_eq(overflow->parent, tree->root);
    ck_assert_uint_eq(overflow->region, regions.overflow);
    ck_assert_uint_eq(overflow->visits, 0);
}
END_TEST

START_TEST(a_node_is_made_once)
{
    uint32_t a = child(tree->root, "a"), b = child(a, "b");

    ck_assert_uint_ne(a, b);
    ck_assert_uint_eq(child(tree->root, "a"), a);
    ck_assert_uint_eq(child(a, "b"), b);
    ck_assert_uint_eq(tree->n_nodes, 4);
    ck_assert_uint_eq(pdump_tree_at(tree, b)->parent, a);
    ck_assert_str_eq(pdump_tree_region(tree, pdump_tree_at(tree, b))->name,
                     "b");
}
END_TEST

START_TEST(parent_and_region_make_the_difference)
{
    uint32_t a = child(tree->root, "a"), b = child(tree->root, "b");

    ck_assert_uint_ne(child(a, "x"), child(b, "x"));
    ck_assert_uint_ne(child(a, "x"), child(a, "y"));
    ck_assert_uint_ne(child(a, "b"), b);
    ck_assert_uint_ne(child(a, "a"), a);
}
END_TEST

START_TEST(flags_make_another_node)
{
    uint32_t region = add_region("a");
    uint32_t plain = pdump_tree_child(tree, tree->root, region, 0);
    uint32_t rewind =
        pdump_tree_child(tree, tree->root, region, PDUMP_NODE_REWIND);

    ck_assert_uint_ne(plain, rewind);
    ck_assert_uint_eq(pdump_tree_at(tree, rewind)->flags, PDUMP_NODE_REWIND);
    ck_assert_uint_eq(pdump_tree_child(tree, tree->root, region, 0), plain);
    ck_assert_uint_eq(
        pdump_tree_child(tree, tree->root, region, PDUMP_NODE_REWIND), rewind);
}
END_TEST

START_TEST(a_new_node_has_no_figures)
{
    const struct pdump_node *node = pdump_tree_at(tree, child(tree->root, "a"));

    ck_assert_uint_eq(node->visits, 0);
    ck_assert_uint_eq(node->child, 0);
    ck_assert_uint_eq(node->extra, 0);
    for (int i = 0; i < METRICS; i++) {
        ck_assert_int_eq(node->stat[i].sum, 0);
        ck_assert_int_eq(node->stat[i].min, INT64_MAX);
        ck_assert_int_eq(node->stat[i].max, INT64_MIN);
        ck_assert_double_eq(node->stat[i].sumsq, 0);
    }
}
END_TEST

START_TEST(thousands_of_children_are_found_again)
{
    enum { N = 5000 };
    static uint32_t refs[N];
    uint32_t a = child(tree->root, "a"), n = 0, ref;
    char name[16];

    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        refs[i] = child(a, name);
    }
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        if (child(a, name) != refs[i])
            ck_abort_msg("%s has a second node", name);
    }
    for (ref = pdump_tree_at(tree, a)->child; ref;
         ref = pdump_tree_at(tree, ref)->sibling)
        if (ref != refs[N - 1 - (int)n++])
            ck_abort_msg("the list of children is not newest first");
    ck_assert_uint_eq(n, N);
}
END_TEST

START_TEST(a_chain_may_be_deep)
{
    uint32_t region = add_region("f"), ref = tree->root;

    for (int i = 0; i < 10000; i++)
        ref = pdump_tree_child(tree, ref, region, 0);
    for (int i = 0; i < 10000; i++)
        ref = pdump_tree_at(tree, ref)->parent;
    ck_assert_uint_eq(ref, tree->root);
}
END_TEST

START_TEST(guesses_stay_inside_their_table)
{
    for (uint32_t i = 0; i < 10000; i++) {
        const void *name = (const void *)(uintptr_t)(i * UINT64_C(0x10001));
        uint32_t *guess = pdump_tree_guess(tree, i * 977, name);

        if (guess < tree->by_name || guess > tree->by_name + tree->mask)
            ck_abort_msg("guess %u is elsewhere", i);
    }
}
END_TEST

START_TEST(without_memory_there_is_the_overflow_node)
{
    uint32_t known = child(tree->root, "known"), ref = 0;
    uint32_t region = add_region("f"), deepest = tree->root;

    while (pdump_store_alloc(recording.store, 4096))
        continue;
    for (int i = 0; i < 1000; i++) {
        ref = pdump_tree_child(tree, deepest, region, 0);
        if (ref == tree->overflow)
            break;
        deepest = ref;
    }
    ck_assert_uint_eq(ref, tree->overflow);
    ck_assert_uint_eq(pdump_tree_child(tree, deepest, region, 0), ref);
    ck_assert_uint_eq(child(tree->root, "known"), known);
    ck_assert_uint_eq(pdump_tree_at(tree, deepest)->child, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tree");
    TCase *t = tcase_create("tree");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, a_tree_starts_with_root_and_overflow);
    tcase_add_test(t, a_node_is_made_once);
    tcase_add_test(t, parent_and_region_make_the_difference);
    tcase_add_test(t, flags_make_another_node);
    tcase_add_test(t, a_new_node_has_no_figures);
    tcase_add_test(t, thousands_of_children_are_found_again);
    tcase_add_test(t, a_chain_may_be_deep);
    tcase_add_test(t, guesses_stay_inside_their_table);
    tcase_add_test(t, without_memory_there_is_the_overflow_node);
    suite_add_tcase(s, t);
    return fake_run(s);
}
