/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details on their way into files and reports. */
#include "report/view/detail_groups.h"
#include "dump_kit.h"
#include "folder_kit.h"
#include "dump/merge.h"
#include "read/reader.h"
#include "dump/select_ranks.h"
#include "write/sink.h"
#include "suite.h"

#include <check.h>
#include <unistd.h>

static void write_dump(const struct pdump_dump *dump, const char *format)
{
    folder_write(dump, format, "x");
}

static struct pdump_dump *load(void)
{
    return folder_load("x.csv");
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *bytes = calloc(1, 1 << 20);

    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_gt(fread(bytes, 1, (1 << 20) - 1, f), 0);
    fclose(f);
    return bytes;
}

static void write_file(const char *path, const char *bytes)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(bytes, f);
    fclose(f);
}

/* Without rows, with some, of several ranks. */
START_TEST(csv_gives_back_details)
{
    static const struct kit_options how[] = {
        { .n_details = -1 },
        { .n_details = 3 },
        { .n_details = 400, .n_ranks = 4, .n_samples = 5, .has_stats = true },
    };
    struct pdump_dump *before = kit_dump(how[_i]), *after;

    ck_assert_ptr_nonnull(before);
    ck_assert_int_eq(before->n_details, 2);
    write_dump(before, "csv");
    after = load();
    ck_assert_msg(kit_same(before, after), "%s", kit_difference);
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

START_TEST(without_details_there_is_no_file_of_them)
{
    struct pdump_dump *dump = kit_dump((struct kit_options){ 0 });

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    ck_assert_int_ne(access("x.details.csv", F_OK), 0);
    write_file("x.details.csv", "of another run\n");
    dump = load();
    ck_assert_int_eq(dump->n_details, 0);
    pdump_dump_free(dump);
}
END_TEST

static struct pdump_dump *small_dump(void)
{
    static struct pdump_dump_field fields[] = {
        { "calls", "1", PDUMP_FIELD_SUM, 1 },
        { "least", "ns", PDUMP_FIELD_MIN, 1 },
        { "squares", "ns^2", PDUMP_FIELD_REAL, 1 },
        { "sizes", "1", PDUMP_FIELD_SUM, 4 },
    };
    static const struct {
        int thread, node;
        const char *label;
        int64_t calls, least;
    } rows[] = { { 0, 1, "a.c:1", 2, 30 },
                 { 0, 2, "a.c:1", 5, 10 },
                 { 1, 1, "b.c:2", 3, INT64_MAX },
                 { 1, 3, "a.c:1", 7, 20 } };
    struct pdump_builder *b;
    struct pdump_dump *dump = NULL;
    int region[3];

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    for (int i = 0; i < 3; i++)
        region[i] = pdump_builder_region(
            b, &(struct pdump_dump_region){
                   (const char *[]){ "main", "MPI_Send", "MPI_Recv" }[i],
                   i ? "mpi" : "user", "", 0 });
    pdump_builder_node(b, -1, region[0]);
    pdump_builder_node(b, 0, region[1]);
    pdump_builder_node(b, 0, region[2]);
    pdump_builder_node(b, -1, region[1]);
    for (int rank = 0; rank < 2; rank++) {
        int process = pdump_builder_process(
            b, &(struct pdump_dump_process){ rank, 10 + rank, 0, "h", "c", "",
                                             "" });

        pdump_builder_thread(b,
                             &(struct pdump_dump_thread){ process, 0, 1, "" });
    }
    pdump_builder_detail(b, &(struct pdump_dump_detail){ .name = "mpi",
                                                         .about = "all",
                                                         .key = "site",
                                                         .fields = fields,
                                                         .n_fields = 4 });
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        pdump_builder_detail_row(
            b, 0,
            &(struct pdump_builder_details_place){ rows[i].thread, rows[i].node,
                                                   rows[i].label },
            &(int64_t[7]){ rows[i].calls, rows[i].least, pdump_field_bits(0.5),
                           0, 0, 1, 0 }[0]);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

START_TEST(csv_has_a_line_per_value)
{
    struct pdump_dump *dump = small_dump();
    char *bytes;

    write_dump(dump, "csv");
    bytes = read_file("x.details.csv");
    ck_assert_ptr_nonnull(strstr(
        bytes, "table,process,rank,pid,thread,node,path,label,field,index,"
               "unit,kind,value\n"
               "mpi,0,0,10,0,1,main/MPI_Send,a.c:1,calls,0,1,sum,2\n"
               "mpi,0,0,10,0,1,main/MPI_Send,a.c:1,least,0,ns,min,30\n"
               "mpi,0,0,10,0,1,main/MPI_Send,a.c:1,squares,0,ns^2,real,0.5\n"
               "mpi,0,0,10,0,1,main/MPI_Send,a.c:1,sizes,2,1,sum,1\n"
               "mpi,0,0,10,0,2,main/MPI_Recv,a.c:1,calls,0,1,sum,5\n"));
    ck_assert_ptr_nonnull(strstr(bytes, "b.c:2,least,0,ns,min,\n"));
    free(bytes);
    bytes = read_file("x.meta.csv");
    ck_assert_ptr_nonnull(strstr(bytes, "dump,0,details,16\n"));
    free(bytes);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(missing_details_are_told)
{
    struct pdump_dump *dump = small_dump();

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    unlink("x.details.csv");
    dump = load();
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(dump->warnings[0].text, "details"));
    ck_assert_int_eq(dump->n_details, 1);
    pdump_dump_free(dump);
}
END_TEST

#define DETAILS "table,process,thread,node,label,field,index,value\n"

static const char *const bad_details[][2] = {
    { "table,process,thread\n", "x.details.csv:1: no column 'node'" },
    { DETAILS, "0 lines, but the .meta.csv beside it says 16" },
    { DETAILS "io,0,0,1,a,calls,0,1\n", "csv:2: there is no table 'io'" },
    { DETAILS "mpi,0,9,1,a,calls,0,1\n", "no thread 9 of process 0" },
    { DETAILS "mpi,9,0,1,a,calls,0,1\n", "no thread 0 of process 9" },
    { DETAILS "mpi,0,0,9,a,calls,0,1\n", "csv:2: there is no node 9" },
    { DETAILS "mpi,0,0,1,a,cals,0,1\n", "table 'mpi' has no field 'cals'" },
    { DETAILS "mpi,0,0,1,a,calls,1,1\n", "index 1 is out of range" },
    { DETAILS "mpi,0,0,1,a,sizes,4,1\n", "index 4 is out of range" },
    { DETAILS "mpi,0,0,1,a,calls,-1,1\n", "-1 is out of range" },
    { DETAILS "mpi,0,0,1,a,calls,0,x\n", "'x' is no whole number" },
    { DETAILS "mpi,0,0,1,a,squares,0,x\n", "column value: 'x'" },
    { DETAILS "mpi,0,0,1,a,calls,0\n", "csv:2: 7 cells instead of 8" },
};

START_TEST(bad_details_are_named_with_line_and_cause)
{
    struct pdump_dump *dump = small_dump();

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    write_file("x.details.csv", bad_details[_i][0]);
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad_details[_i][1]) != NULL,
                  "'%s' instead of '%s'", pdump_last_error(),
                  bad_details[_i][1]);
}
END_TEST

#define META "table,index,key,value\ndump,0,format,libpdump\ndump,0,rows,1\n"
#define FIELD "field,0,detail,0\nfield,0,name,a\n"

static const char *const bad_meta[][2] = {
    { META "detail,1,name,a\n", "x.meta.csv:4: detail 1 should be" },
    { META "detail,0,name,a\n", "table a has no fields" },
    { META FIELD, "x.meta.csv:4: field 0: detail 0 is out of range" },
    { META "detail,0,name,a\n" FIELD "field,0,kind,sum\n",
      "field 0: width 0 is out of range" },
    { META "detail,0,name,a\n" FIELD "field,0,kind,odd\nfield,0,width,1\n",
      "kind 'odd' is unknown" },
    { META "detail,0,name,a\n" FIELD
           "field,0,kind,sum\nfield,0,width,2000000000\n",
      "field a of table a is too wide" },
    { META "detail,0,name,a\n" FIELD "field,0,kind,sum\nfield,0,width,1\n"
           "field,1,name,a\nfield,1,kind,sum\nfield,1,width,1\n",
      "field 'a' of table 'a' comes twice" },
    { META "detail,0,name,a\ndetail,1,name,a\n" FIELD
           "field,0,kind,sum\nfield,0,width,1\nfield,1,detail,1\n"
           "field,1,name,a\nfield,1,kind,sum\nfield,1,width,1\n",
      "x.details.csv: table 'a' comes twice" },
    { META "detail,0,name,a\ndetail,1,name,a\n" FIELD
           "field,0,kind,sum\nfield,0,width,1\nfield,1,detail,1\n"
           "field,1,name,b\nfield,1,kind,sum\nfield,1,width,1\n",
      "x.details.csv: table a has other fields elsewhere" },
};

START_TEST(bad_tables_are_named)
{
    struct pdump_dump *dump = NULL;

    write_file("x.csv", "node,region,visits\n0,a,1\n");
    write_file("x.meta.csv", bad_meta[_i][0]);
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), bad_meta[_i][1]) != NULL,
                  "'%s' instead of '%s'", pdump_last_error(), bad_meta[_i][1]);
}
END_TEST

START_TEST(lines_may_come_in_any_order)
{
    static const char lines[] = DETAILS "mpi,0,0,1,a.c:1,calls,0,1\n"
                                        "mpi,,,,z,calls,0,4\n"
                                        "mpi,0,0,1,a.c:1,sizes,3,2\n"
                                        "mpi,,,,z,least,0,9\n"
                                        "mpi,0,0,1,a.c:1,least,0,7\n";
    struct pdump_dump *dump = small_dump();
    const struct pdump_dump_detail *d;
    char *meta;

    write_dump(dump, "csv");
    pdump_dump_free(dump);
    meta = read_file("x.meta.csv");
    memcpy(strstr(meta, "details,16"), "details,05", 10);
    write_file("x.meta.csv", meta);
    free(meta);
    write_file("x.details.csv", lines);
    dump = load();
    d = &dump->details[0];
    ck_assert_int_eq(d->n_rows, 2);
    ck_assert_int_eq(d->values[0], 1);
    ck_assert_int_eq(d->values[1], 7);
    ck_assert_int_eq(d->values[6], 2);
    ck_assert_int_eq(d->rows[1].thread, -1);
    ck_assert_int_eq(d->rows[1].node, -1);
    ck_assert_int_eq(d->values[7], 4);
    ck_assert_int_eq(d->values[8], 9);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(json_has_details)
{
    struct pdump_dump *dump = small_dump();
    char *bytes;

    write_dump(dump, "json");
    pdump_dump_free(dump);
    bytes = read_file("x.json");
    ck_assert_ptr_nonnull(
        strstr(bytes, "{\"name\": \"mpi\", \"about\": \"all\", "
                      "\"key\": \"site\", \"fields\": [{\"name\": \"calls\", "
                      "\"unit\": \"1\", \"kind\": \"sum\", \"width\": 1}, "));
    ck_assert_ptr_nonnull(
        strstr(bytes, "{\"thread\": 1, \"node\": 1, \"label\": \"b.c:2\", "
                      "\"values\": {\"calls\": 3, \"least\": null, "
                      "\"squares\": 0.5, \"sizes\": [0, 0, 1, 0]}}"));
    free(bytes);
}
END_TEST

static struct pdump_detail_groups view_of(const struct pdump_dump *dump,
                                          unsigned keys)
{
    struct pdump_detail_groups view;

    ck_assert_int_eq(pdump_detail_groups(dump, &dump->details[0], keys, &view),
                     PDUMP_OK);
    return view;
}

START_TEST(a_view_unites_what_belongs_together)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_detail_groups v = view_of(dump, 0);

    ck_assert_int_eq(v.n, 1);
    ck_assert_int_eq(v.groups[0].n_rows, 4);
    ck_assert_int_eq(v.groups[0].rank, -1);
    ck_assert_int_eq(pdump_detail_groups_int(&v, &v.groups[0], "calls"), 17);
    ck_assert_int_eq(pdump_detail_groups_int(&v, &v.groups[0], "least"), 10);
    ck_assert(pdump_detail_groups_real(&v, &v.groups[0], "squares") == 2.0);
    ck_assert_int_eq(pdump_detail_groups_int(&v, &v.groups[0], "none"), 0);
    pdump_detail_groups_free(&v);
    v = view_of(dump, PDUMP_BY_REGION);
    ck_assert_int_eq(v.n, 2);
    ck_assert(pdump_detail_groups_sort(&v, "calls"));
    ck_assert(!pdump_detail_groups_sort(&v, "none"));
    ck_assert_str_eq(dump->regions[v.groups[0].region].name, "MPI_Send");
    ck_assert_int_eq(v.groups[0].values[0], 12);
    ck_assert_int_eq(v.groups[1].values[0], 5);
    pdump_detail_groups_free(&v);
    v = view_of(dump, PDUMP_BY_RANK | PDUMP_BY_LABEL);
    ck_assert_int_eq(v.n, 3);
    ck_assert_int_eq(v.groups[2].rank, 1);
    ck_assert_str_eq(v.detail->labels[v.groups[2].label], "a.c:1");
    ck_assert_int_eq(pdump_detail_groups_int(&v, &v.groups[1], "least"), 0);
    pdump_detail_groups_free(&v);
    v = view_of(dump, PDUMP_BY_CALLER);
    ck_assert_int_eq(v.n, 2);
    ck_assert_int_eq(v.groups[0].caller, 0);
    ck_assert_int_eq(v.groups[0].values[0], 10);
    ck_assert_int_eq(v.groups[1].caller, -1);
    pdump_detail_groups_free(&v);
    v = view_of(dump, PDUMP_BY_NODE);
    ck_assert_int_eq(v.n, 3);
    ck_assert_int_eq(v.groups[0].region, 1);
    ck_assert_int_eq(v.groups[0].caller, 0);
    pdump_detail_groups_free(&v);
    pdump_dump_free(dump);
}
END_TEST

static bool is_warned_of(const struct pdump_dump *dump, const char *text)
{
    for (int i = 0; i < dump->n_warnings; i++)
        if (strcmp(dump->warnings[i].text, text) == 0)
            return true;
    return false;
}

START_TEST(a_selection_of_ranks_has_their_details)
{
    struct pdump_dump *dump = small_dump(), *one;

    ck_assert_int_eq(
        pdump_select_ranks(dump, &(struct pdump_select_range){ 1, 1 }, 1, &one),
        PDUMP_OK);
    ck_assert_int_eq(one->details[0].n_rows, 2);
    ck_assert_int_eq(one->details[0].rows[0].thread, 0);
    ck_assert_int_eq(one->details[0].rows[1].node, 3);
    ck_assert_int_eq(one->details[0].values[0], 3);
    ck_assert_str_eq(one->details[0].labels[0], "b.c:2");
    ck_assert_int_eq(one->n_warnings, 0);
    pdump_dump_free(one);
    pdump_dump_free(dump);
    /* What is of all ranks together is of none. */
    dump = kit_dump((struct kit_options){ .n_details = 3, .n_ranks = 2 });
    ck_assert_int_eq(
        pdump_select_ranks(dump, &(struct pdump_select_range){ 1, 1 }, 1, &one),
        PDUMP_OK);
    ck_assert_int_eq(one->n_details, 2);
    ck_assert_int_eq(one->details[0].n_rows, 0);
    ck_assert(is_warned_of(one, "details of all ranks together, left out"));
    pdump_dump_free(one);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_merge_leaves_out_what_does_not_fit)
{
    struct pdump_dump *both[2] = { small_dump(), kit_dump((struct kit_options){
                                                     .n_details = 3 }) };
    struct pdump_dump *merged;

    ck_assert_int_eq(pdump_merge(both, 2, &merged), PDUMP_OK);
    ck_assert_int_eq(merged->n_details, 2);
    ck_assert_int_eq(merged->details[0].n_rows, 4);
    ck_assert(is_warned_of(
        merged, "details in mpi with other fields than elsewhere, left out"));
    pdump_dump_free(merged);
    pdump_dump_free(both[0]);
    pdump_dump_free(both[1]);
}
END_TEST

START_TEST(public_functions_give_details)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_detail_info table = { .size = sizeof(table) };
    struct pdump_field_info field = { .size = sizeof(field) };
    struct pdump_detail_row_info row = { .size = sizeof(row) };
    char path[64];

    ck_assert_int_eq(pdump_dump_n_details(dump), 1);
    ck_assert_int_eq(pdump_dump_n_details(NULL), 0);
    ck_assert_int_eq(pdump_dump_detail(dump, 0, &table), PDUMP_OK);
    ck_assert_str_eq(table.name, "mpi");
    ck_assert_str_eq(table.about, "all");
    ck_assert_str_eq(table.key, "site");
    ck_assert_int_eq(table.n_fields, 4);
    ck_assert_int_eq(table.n_values, 7);
    ck_assert_int_eq(table.n_rows, 4);
    ck_assert_int_eq(pdump_dump_detail_field(dump, 0, 3, &field), PDUMP_OK);
    ck_assert_str_eq(field.name, "sizes");
    ck_assert_int_eq(field.kind, PDUMP_FIELD_SUM);
    ck_assert_int_eq(field.width, 4);
    ck_assert_int_eq(field.first, 3);
    ck_assert_int_eq(pdump_dump_detail_row(dump, 0, 2, &row), PDUMP_OK);
    ck_assert_int_eq(row.rank, 1);
    ck_assert_int_eq(row.process, 1);
    ck_assert_int_eq(row.thread, 0);
    ck_assert_int_eq(row.node, 1);
    ck_assert_str_eq(row.region, "MPI_Send");
    ck_assert_str_eq(row.label, "b.c:2");
    ck_assert_int_eq(row.values[0], 3);
    ck_assert_int_eq(pdump_dump_detail_path(dump, 0, 2, path, sizeof(path)),
                     13);
    ck_assert_str_eq(path, "main/MPI_Send");
    ck_assert_int_eq(pdump_dump_detail(dump, 1, &table), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_detail(NULL, 0, &table), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_detail(dump, 0, NULL), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_detail_field(dump, 0, 4, &field), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_detail_row(dump, 0, 4, &row), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_detail_row(dump, -1, 0, &row), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_detail_path(dump, 0, -1, path, 64),
                     PDUMP_ENOENT);
    row.size = 0;
    ck_assert_int_eq(pdump_dump_detail_row(dump, 0, 0, &row), PDUMP_EINVAL);
    pdump_dump_free(dump);
    /* Of all ranks, and of the thread as a whole. */
    dump = kit_dump((struct kit_options){ .n_details = 1 });
    row.size = sizeof(row);
    ck_assert_int_eq(pdump_dump_detail_row(dump, 1, 1, &row), PDUMP_OK);
    ck_assert_int_eq(row.process, -1);
    ck_assert_int_eq(row.rank, -1);
    ck_assert_int_eq(row.node, -1);
    ck_assert_str_eq(row.region, "");
    ck_assert_int_eq(pdump_dump_detail_path(dump, 1, 1, path, 64), 0);
    ck_assert_str_eq(path, "");
    pdump_dump_free(dump);
}
END_TEST

static Suite *tables_suite(void)
{
    Suite *suite = suite_create("tables");
    TCase *tc = tcase_create("files");

    tcase_add_checked_fixture(tc, enter_folder, leave_folder);
    tcase_add_loop_test(tc, csv_gives_back_details, 0, 3);
    tcase_add_test(tc, without_details_there_is_no_file_of_them);
    tcase_add_test(tc, csv_has_a_line_per_value);
    tcase_add_test(tc, missing_details_are_told);
    tcase_add_loop_test(tc, bad_details_are_named_with_line_and_cause, 0,
                        (int)(sizeof(bad_details) / sizeof(bad_details[0])));
    tcase_add_loop_test(tc, bad_tables_are_named, 0,
                        (int)(sizeof(bad_meta) / sizeof(bad_meta[0])));
    tcase_add_test(tc, lines_may_come_in_any_order);
    tcase_add_test(tc, json_has_details);
    tcase_add_test(tc, a_view_unites_what_belongs_together);
    tcase_add_test(tc, a_selection_of_ranks_has_their_details);
    tcase_add_test(tc, a_merge_leaves_out_what_does_not_fit);
    tcase_add_test(tc, public_functions_give_details);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    return suite_run(tables_suite());
}
