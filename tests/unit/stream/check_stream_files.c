/* SPDX-License-Identifier: BSD-3-Clause */
/* Many files as one stream are what they are when all are in memory at once. */
#include "dump_kit.h"
#include "folder_kit.h"
#include "dump/merge.h"
#include "read/reader.h"
#include "write/sink.h"
#include "stream/stream_files.h"
#include "suite.h"

#include <check.h>
#include <unistd.h>

enum { N_FILES = 4 };

static char *paths[] = { "0.csv", "1.csv", "2.csv", "3.csv" };

static void write_file(int number, struct pdump_dump *dump)
{
    char name[16];

    snprintf(name, sizeof(name), "%d", number);
    folder_write(dump, "csv", name);
    pdump_dump_free(dump);
}

/* Another metric, and regions in another order than the kit's. */
static struct pdump_dump *odd_one(void)
{
    struct pdump_dump *dump;
    struct pdump_builder *b;
    int thread, child;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "own" });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    thread = pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 9 });
    thread = pdump_builder_thread(
        b, &(struct pdump_dump_thread){ .process = thread });
    for (int i = 40; i >= 0; i -= 10) {
        char name[32];

        snprintf(name, sizeof(name), i ? "region_%d" : "new", i);
        child = pdump_builder_node(
            b, -1,
            pdump_builder_region(b, &(struct pdump_dump_region){
                                        .name = name, .group = "step" }));
        child = pdump_builder_node(b, child, 0);
        pdump_builder_value(b, pdump_builder_row(b, thread, child, i, false), 1,
                            i, i, i, i);
    }
    pdump_builder_sample(b, &(struct pdump_dump_sample){ .node = child },
                         (int64_t[]){ 1, 2 });
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

static void write_files(int n_stats)
{
    write_file(0, kit_dump((struct kit_options){ .n_ranks = 3,
                                                 .n_regions = 5,
                                                 .n_samples = 9,
                                                 .n_events = 40,
                                                 .has_stats = n_stats > 0 }));
    write_file(1, odd_one());
    write_file(2, kit_dump((struct kit_options){ .n_ranks = 2,
                                                 .n_regions = 50,
                                                 .n_samples = 9,
                                                 .n_events = 40,
                                                 .is_irregular = true,
                                                 .has_stats = n_stats > 1 }));
    write_file(3, kit_dump((struct kit_options){ .n_ranks = 1 }));
}

static struct pdump_dump *merged(void)
{
    struct pdump_dump *dumps[N_FILES], *all;

    for (int i = 0; i < N_FILES; i++)
        ck_assert_int_eq(pdump_reader_load(paths[i], &dumps[i]), PDUMP_OK);
    ck_assert_int_eq(pdump_merge(dumps, N_FILES, &all), PDUMP_OK);
    for (int i = 0; i < N_FILES; i++)
        pdump_dump_free(dumps[i]);
    return all;
}

static struct pdump_stream *opened(bool is_apart)
{
    struct pdump_stream *s;

    ck_assert_int_eq(
        pdump_stream_files_open(paths, N_FILES, is_apart, INT64_MAX, &s),
        PDUMP_OK);
    return s;
}

START_TEST(a_stream_of_files_is_their_merge)
{
    struct pdump_dump *all, *tables;
    const struct pdump_dump *whole;
    struct pdump_stream *s;

    write_files(_i);
    all = merged();
    s = opened(false);
    ck_assert(!s->is_regular);
    tables = (struct pdump_dump *)s->tables;
    ck_assert_str_eq(tables->metadata[tables->n_metadata - 1].key,
                     "merged_files");
    tables->n_metadata--;
    ck_assert_int_eq(pdump_stream_whole(s, &whole), PDUMP_OK);
    ck_assert_msg(kit_same(all, whole), "%s", kit_difference);
    ck_assert_int_eq(all->stats != NULL, _i > 0);
    pdump_stream_files_close(s);
    pdump_dump_free(all);
}
END_TEST

START_TEST(pieces_can_be_had_in_any_order)
{
    const struct pdump_dump *piece;
    struct pdump_stream *s;
    int64_t n = 0;

    write_files(0);
    s = opened(false);
    for (int i = s->n_pieces - 1; i >= 0; i--) {
        ck_assert_int_eq(s->piece(s, i, &piece), PDUMP_OK);
        ck_assert_int_eq(piece->n_rows, s->row_ptr[i + 1] - s->row_ptr[i]);
        n += piece->n_rows;
    }
    ck_assert_int_eq(n, s->row_ptr[s->n_pieces]);
    pdump_stream_files_close(s);
}
END_TEST

START_TEST(ranks_of_other_runs_get_other_numbers)
{
    static const int wanted[] = { 0, 1, 2, 3, 4, 5, 6 };
    struct pdump_stream *s;

    write_files(1);
    s = opened(true);
    ck_assert_int_eq(s->n_pieces, 7);
    for (int i = 0; i < s->n_pieces; i++)
        ck_assert_int_eq(s->rank[i], wanted[i]);
    ck_assert_str_eq(pdump_dump_metadata(s->tables, "merged_rank.4-5"),
                     "0-1 of 2.csv");
    ck_assert_int_eq(s->tables->stats[0][0].n > 0, 1);
    pdump_stream_files_close(s);
}
END_TEST

START_TEST(a_file_that_changes_meanwhile_is_an_error)
{
    const struct pdump_dump *piece;
    struct pdump_stream *s;

    write_files(0);
    s = opened(false);
    write_file(0, odd_one());
    ck_assert_int_eq(s->piece(s, 0, &piece), PDUMP_EFORMAT);
    ck_assert_str_eq(pdump_last_error(),
                     "0.csv: was changed while it was read");
    ck_assert_int_eq(s->piece(s, s->n_pieces - 1, &piece), PDUMP_OK);
    unlink("3.csv");
    ck_assert_int_eq(s->piece(s, 3, &piece), PDUMP_OK);
    ck_assert_int_eq(s->piece(s, s->n_pieces - 1, &piece), PDUMP_EIO);
    pdump_stream_files_close(s);
}
END_TEST

START_TEST(a_sum_has_one_row_per_node_and_thread)
{
    struct pdump_dump *sum, *one;
    struct pdump_stream *s;

    for (int i = 0; i < N_FILES; i++)
        write_file(i, kit_dump((struct kit_options){ .n_ranks = 2 }));
    s = opened(false);
    ck_assert_int_eq(pdump_stream_files_sum(s, &sum), PDUMP_OK);
    pdump_stream_files_close(s);
    ck_assert_int_eq(pdump_reader_load("0.csv", &one), PDUMP_OK);
    ck_assert_int_eq(sum->n_rows, one->n_rows);
    ck_assert(kit_same_lists(sum, one, PDUMP_TABLE_THREADS));
    for (int64_t i = 0; i < sum->n_rows; i++) {
        int64_t x = one->columns[0].sum[i];

        /* One of the visits that had not ended stays so. */
        ck_assert_int_eq(sum->rows[i].visits + one->rows[i].is_open,
                         N_FILES *
                             (one->rows[i].visits + one->rows[i].is_open));
        ck_assert_int_eq(sum->rows[i].is_open, one->rows[i].is_open);
        ck_assert_int_eq(sum->columns[0].sum[i],
                         x == PDUMP_MISSING ? x : N_FILES * x);
        ck_assert_int_eq(sum->columns[0].min[i], one->columns[0].min[i]);
        ck_assert_int_eq(sum->columns[0].max[i], one->columns[0].max[i]);
        ck_assert(
            kit_same_real(sum->columns[3].sumsq[i], one->columns[3].sumsq[i]));
    }
    pdump_dump_free(one);
    pdump_dump_free(sum);
}
END_TEST

START_TEST(statistics_cannot_be_added_up)
{
    struct pdump_dump *sum;
    struct pdump_stream *s;

    write_files(1);
    s = opened(false);
    ck_assert_int_eq(pdump_stream_files_sum(s, &sum), PDUMP_EFORMAT);
    pdump_stream_files_close(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("merge");
    TCase *tcase = tcase_create("files");

    tcase_add_checked_fixture(tcase, enter_folder, leave_folder);
    tcase_add_loop_test(tcase, a_stream_of_files_is_their_merge, 0, 3);
    tcase_add_test(tcase, pieces_can_be_had_in_any_order);
    tcase_add_test(tcase, ranks_of_other_runs_get_other_numbers);
    tcase_add_test(tcase, a_file_that_changes_meanwhile_is_an_error);
    tcase_add_test(tcase, a_sum_has_one_row_per_node_and_thread);
    tcase_add_test(tcase, statistics_cannot_be_added_up);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
