/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that the lists of fields and the code that walks them are complete. */
#include "dump_kit.h"
#include "folder_kit.h"
#include "job/pack_dump.h"
#include "suite.h"

#include <check.h>

/* Old compilers cannot tell which bytes of a structure are padding. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define CLEAR_PADDING(s) __builtin_clear_padding(s)
#endif
#endif
#ifndef CLEAR_PADDING
#define CLEAR_PADDING(s) memset(s, 0, sizeof(*(s)))
#endif

enum { SIZE_MAX_OF_ANY = 256 };

/* Marks the bytes of a table's fields that are not padding. */
#define USED(what)                                                  \
    static size_t used_##what(unsigned char bytes[SIZE_MAX_OF_ANY]) \
    {                                                               \
        struct pdump_dump_##what s;                                 \
                                                                    \
        ck_assert(sizeof(s) <= SIZE_MAX_OF_ANY);                    \
        memset(&s, 0xff, sizeof(s));                                \
        CLEAR_PADDING(&s);                                          \
        memcpy(bytes, &s, sizeof(s));                               \
        return sizeof(s);                                           \
    }
USED(metric)
USED(region)
USED(node)
USED(process)
USED(thread)
USED(pair)
USED(warning)
USED(detail)
USED(field)
USED(detail_row)
USED(row)
USED(sample)
USED(rank_stat)

static const struct {
    enum pdump_table table;
    size_t (*used)(unsigned char *bytes);
    size_t end; /* of the fields, if they are not the whole structure */
} structures[PDUMP_TABLES] = {
    { PDUMP_TABLE_METRICS, used_metric, 0 },
    { PDUMP_TABLE_REGIONS, used_region, 0 },
    { PDUMP_TABLE_NODES, used_node, 0 },
    { PDUMP_TABLE_PROCESSES, used_process, 0 },
    { PDUMP_TABLE_THREADS, used_thread, 0 },
    { PDUMP_TABLE_METADATA, used_pair, 0 },
    { PDUMP_TABLE_WARNINGS, used_warning, 0 },
    { PDUMP_TABLE_DETAILS, used_detail,
      offsetof(struct pdump_dump_detail, fields) },
    { PDUMP_TABLE_FIELDS, used_field, 0 },
    { PDUMP_TABLE_DETAIL_ROWS, used_detail_row, 0 },
    { PDUMP_TABLE_ROWS, used_row, 0 },
    { PDUMP_TABLE_SAMPLES, used_sample, 0 },
    { PDUMP_TABLE_STATS, used_rank_stat, 0 },
};

START_TEST(every_member_is_a_field_once)
{
    const struct pdump_schema_table *t = &pdump_schema[structures[_i].table];
    unsigned char used[SIZE_MAX_OF_ANY] = { 0 };
    int n_fields[SIZE_MAX_OF_ANY] = { 0 }; /* that have this byte */
    size_t size = structures[_i].used(used);
    size_t end = structures[_i].end ? structures[_i].end : size;

    ck_assert_uint_eq(t->size, size);
    for (int f = 0; f < t->n_fields; f++)
        for (size_t k = 0; k < pdump_schema_size(t->fields[f].type); k++)
            n_fields[t->fields[f].at + k]++;
    for (size_t k = 0; k < end; k++)
        ck_assert_msg(n_fields[k] <= 1 && n_fields[k] >= (used[k] != 0),
                      "byte %zu of a %s is in %d fields", k, t->name,
                      n_fields[k]);
}
END_TEST

/* Readers have room for so many; packing needs the order. */
START_TEST(a_table_is_as_its_users_expect)
{
    const struct pdump_schema_table *t = &pdump_schema[_i];

    ck_assert_int_le(t->n_fields, PDUMP_SCHEMA_FIELDS_MAX);
    ck_assert_int_le(t->n_stored, t->n_fields);
    for (int f = 0; f < t->n_fields; f++)
        ck_assert_msg(t->fields[f].of <= t, "%s of a %s comes later",
                      t->fields[f].name, t->name);
}
END_TEST

START_TEST(enumerations_have_all_their_words)
{
    ck_assert_str_eq(pdump_schema_metric_kinds[PDUMP_COUNTER], "counter");
    ck_assert_str_eq(pdump_schema_metric_kinds[PDUMP_GAUGE], "gauge");
    ck_assert_str_eq(pdump_schema_metric_kinds[PDUMP_USER], "user");
    ck_assert_ptr_null(pdump_schema_metric_kinds[PDUMP_USER + 1]);
    ck_assert_str_eq(pdump_schema_field_kinds[PDUMP_FIELD_SUM], "sum");
    ck_assert_str_eq(pdump_schema_field_kinds[PDUMP_FIELD_MIN], "min");
    ck_assert_str_eq(pdump_schema_field_kinds[PDUMP_FIELD_MAX], "max");
    ck_assert_str_eq(pdump_schema_field_kinds[PDUMP_FIELD_REAL], "real");
    ck_assert_ptr_null(pdump_schema_field_kinds[PDUMP_FIELD_REAL + 1]);
}
END_TEST

START_TEST(numbers_that_do_not_fit_are_not_set)
{
    const struct pdump_schema_field *kind =
        &pdump_schema[PDUMP_TABLE_METRICS].fields[4];
    const struct pdump_schema_field *line =
        &pdump_schema[PDUMP_TABLE_REGIONS].fields[3];
    struct pdump_dump_metric metric = { .kind = PDUMP_GAUGE };
    struct pdump_dump_region region = { .line = 7 };

    ck_assert(!pdump_schema_set_int(kind, &metric, PDUMP_USER + 1));
    ck_assert(!pdump_schema_set_int(kind, &metric, -1));
    ck_assert_int_eq(metric.kind, PDUMP_GAUGE);
    ck_assert(!pdump_schema_set_int(line, &region, INT64_C(1) << 32));
    ck_assert_int_eq(region.line, 7);
    ck_assert(pdump_schema_set_int(line, &region, -8));
    ck_assert_int_eq(region.line, -8);
}
END_TEST

/* Regions and nodes without rows are in another file than the others. */
START_TEST(csv_keeps_every_field)
{
    struct pdump_dump *dump = kit_full_dump(_i), *back;

    enter_folder();
    ck_assert_ptr_nonnull(dump);
    folder_write(dump, "csv", "x");
    back = folder_load("x.csv");
    ck_assert_msg(kit_same(dump, back), "%s", kit_difference);
    pdump_dump_free(back);
    pdump_dump_free(dump);
    leave_folder();
}
END_TEST

/* All tables but rows, samples and statistics. */
static struct pdump_dump *through_a_message(const struct pdump_dump *dump)
{
    struct pdump_dump *back = NULL;
    struct pdump_pack p = { 0 };
    struct pdump_unpack u;
    struct pdump_builder *b;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_pack_tree(&p, dump);
    pdump_pack_processes(&p, dump);
    pdump_pack_details(&p, dump, false);
    u = (struct pdump_unpack){ .at = p.bytes, .end = p.bytes + p.len };
    ck_assert_int_eq(pdump_unpack_tree(&u, b), PDUMP_OK);
    ck_assert_int_eq(pdump_unpack_processes(&u, b), PDUMP_OK);
    ck_assert_int_eq(pdump_unpack_details(&u, b, 0), PDUMP_OK);
    ck_assert_ptr_eq(u.at, u.end);
    ck_assert_int_eq(pdump_builder_finish(b, &back), PDUMP_OK);
    pdump_builder_free(b);
    free(p.bytes);
    return back;
}

START_TEST(a_message_keeps_every_field)
{
    struct pdump_dump *dump = kit_full_dump(KIT_ENTRIES), *back;

    ck_assert_ptr_nonnull(dump);
    back = through_a_message(dump);
    ck_assert_msg(kit_same_lists(dump, back, PDUMP_TABLE_DETAILS) &&
                      kit_same_details(dump, back),
                  "%s", kit_difference);
    pdump_dump_free(back);
    pdump_dump_free(dump);
}
END_TEST

static void is_refused(const struct pdump_pack *p, size_t len)
{
    struct pdump_unpack u = { .at = p->bytes, .end = p->bytes + len };
    struct pdump_builder *b;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    ck_assert_int_eq(pdump_unpack_tree(&u, b), PDUMP_EFORMAT);
    pdump_builder_free(b);
}

START_TEST(a_damaged_message_is_refused)
{
    struct pdump_dump *dump = kit_full_dump(KIT_ENTRIES);
    struct pdump_pack cut = { 0 }, region = { 0 }, parent = { 0 };

    pdump_pack_tree(&cut, dump);
    for (size_t len = 0; len < cut.len; len += 8)
        is_refused(&cut, len);
    dump->nodes[1].parent = 1; /* itself */
    pdump_pack_tree(&parent, dump);
    is_refused(&parent, parent.len);
    dump->nodes[1].parent = 0;
    dump->nodes[1].region = KIT_ENTRIES;
    pdump_pack_tree(&region, dump);
    is_refused(&region, region.len);
    free(region.bytes);
    free(parent.bytes);
    free(cut.bytes);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dump_schema");
    TCase *tests = tcase_create("dump_schema");

    tcase_add_loop_test(tests, every_member_is_a_field_once, 0, PDUMP_TABLES);
    tcase_add_loop_test(tests, a_table_is_as_its_users_expect, 0, PDUMP_TABLES);
    tcase_add_test(tests, enumerations_have_all_their_words);
    tcase_add_test(tests, numbers_that_do_not_fit_are_not_set);
    tcase_add_loop_test(tests, csv_keeps_every_field, 0, KIT_ENTRIES + 1);
    tcase_add_test(tests, a_message_keeps_every_field);
    tcase_add_test(tests, a_damaged_message_is_refused);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
