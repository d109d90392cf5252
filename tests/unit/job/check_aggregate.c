/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of dumps of several ranks: united, streamed, counted. */
#include "allocated.h"
#include "fake_job.h"

#include "job/aggregate.h"
#include "dump/builder.h"
#include "job/collectives.h"
#include "dump/builder_details.h"
#include "job/pack_dump.h"
#include "suite.h"

#include <math.h>

static struct pdump_settings set = { .ranks = "all",
                                     .mpi_timeout = 60,
                                     .gather_max = 64 };

/* What rank r recorded: regions main/common on all; main/odd on odd ranks;
 * rank 2 counts another metric; with samples, n_samples of them. */
static bool is_uniform;
static int n_samples;

static int node_of(struct pdump_builder *b, int parent, const char *name)
{
    int region = pdump_builder_region(
        b, &(struct pdump_dump_region){ .name = name, .group = "user" });

    return pdump_builder_node(b, parent, region);
}

static void add_row(struct pdump_builder *b, int thread, int node, int metric,
                    int64_t value)
{
    int64_t row = pdump_builder_row(b, thread, node, value, false);

    pdump_builder_value(b, row, metric, value, value, value,
                        (double)value * (double)value);
}

/* Rows of details of each rank, if any: rank 1 has none at all, rank 3 has
 * another table in place of this one, with the same name if is_foreign. */
static int n_details;
static bool is_foreign;

enum { BINS = 40 };

static void add_details(struct pdump_builder *b, int rank, int node)
{
    static struct pdump_dump_field fields[] = {
        { "calls", "1", PDUMP_FIELD_SUM, 1 },
        { "least", "ns", PDUMP_FIELD_MIN, 1 },
        { "most", "ns", PDUMP_FIELD_MAX, 1 },
        { "squares", "1", PDUMP_FIELD_REAL, 1 },
        { "sizes", "1", PDUMP_FIELD_SUM, BINS },
        { "more", "1", PDUMP_FIELD_SUM, BINS },
    };
    bool is_other = rank == 3;
    int table;

    if (rank == 1)
        return;
    table = pdump_builder_detail(
        b, &(struct pdump_dump_detail){ .name = is_other && !is_foreign ? "io"
                                                                        : "mpi",
                                        .about = "a",
                                        .key = "site",
                                        .fields = fields,
                                        .n_fields = is_other ? 5 : 6 });
    for (int i = 0; i < n_details; i++) {
        int64_t values[4 + 2 * BINS] = { rank + 1, 10 - rank, INT64_MIN,
                                         pdump_field_bits(0.25) };
        char label[32];

        snprintf(label, sizeof(label), "site %d", i);
        values[4 + i % BINS] = 1;
        pdump_builder_detail_row(
            b, table,
            &(struct pdump_builder_details_place){ i % 2, node, label },
            values);
    }
    pdump_builder_detail_row(
        b, table, &(struct pdump_builder_details_place){ 0, -1, "whole" },
        (int64_t[4 + 2 * BINS]){ 1, INT64_MAX, rank });
}

static struct pdump_dump *dump_of(int rank)
{
    bool is_odd = !is_uniform && rank % 2;
    struct pdump_builder *b;
    struct pdump_dump *dump;
    int metric, process, thread, root, odd = -1;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    metric = pdump_builder_metric(
        b, &(struct pdump_dump_metric){
               .name = !is_uniform && rank == 2 ? "other" : "time" });
    process = pdump_builder_process(
        b, &(struct pdump_dump_process){ .rank = rank, .pid = 100 + rank });
    thread = pdump_builder_thread(
        b, &(struct pdump_dump_thread){ .process = process });
    /* A second thread, and before the nodes of the others its own. */
    pdump_builder_thread(
        b, &(struct pdump_dump_thread){ .process = process, .number = 1 });
    if (is_odd)
        odd = node_of(b, -1, "odd");
    root = node_of(b, -1, "main");
    if (is_odd)
        add_row(b, thread, odd, metric, 7);
    add_row(b, thread, root, metric, 10 * (rank + 1));
    add_row(b, thread + 1, root, metric, rank + 1);
    add_row(b, thread, node_of(b, root, "common"), metric, rank + 1);
    for (int i = 0; i < n_samples + (!is_uniform && rank == 1); i++)
        pdump_builder_sample(b,
                             &(struct pdump_dump_sample){
                                 .thread = thread, .node = root, .number = i },
                             (int64_t[]){ 100 * rank + i });
    if (n_details > 0)
        add_details(b, rank, root);
    pdump_builder_metadata(b, "key", rank == 0 ? "zero" : "other");
    pdump_builder_warning(b, "careful", 1);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

/* Sum of a metric over the rows of a region. */
static int64_t sum_of(const struct pdump_dump *dump, const char *region,
                      const char *metric)
{
    int m = pdump_dump_find_metric(dump, metric);
    int64_t sum = 0;

    for (int64_t i = 0; i < dump->n_rows; i++) {
        int node = dump->rows[i].node;

        if (strcmp(dump->regions[dump->nodes[node].region].name, region) == 0 &&
            dump->columns[m].sum[i] != PDUMP_MISSING)
            sum += dump->columns[m].sum[i];
    }
    return sum;
}

static void check_pieces(struct pdump_stream *in)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < in->n_pieces; i++) {
            const struct pdump_dump *piece;
            int thread;

            ck_assert_int_eq(in->piece(in, i, &piece), PDUMP_OK);
            ck_assert_int_eq(piece->n_threads, in->tables->n_threads);
            ck_assert_ptr_eq(piece->processes, in->tables->processes);
            ck_assert_int_eq(piece->n_rows,
                             in->row_ptr[i + 1] - in->row_ptr[i]);
            thread = piece->rows[0].thread;
            ck_assert_int_eq(thread, 2 * in->rank[i]);
            ck_assert_int_eq(
                in->tables->processes[in->tables->threads[thread].process].rank,
                in->rank[i]);
            ck_assert_int_eq(
                sum_of(piece, "common",
                       is_uniform || in->rank[i] != 2 ? "time" : "other"),
                in->rank[i] + 1);
        }
}

static void check_tables(const struct pdump_dump *tables)
{
    ck_assert_int_eq(tables->n_processes, job_size);
    ck_assert_int_eq(tables->n_threads, 2 * job_size);
    for (int i = 0; i < job_size; i++) {
        ck_assert_int_eq(tables->processes[i].rank, i);
        ck_assert_int_eq(tables->processes[i].pid, 100 + i);
    }
    ck_assert_str_eq(pdump_dump_metadata(tables, "key"), "zero");
    ck_assert_int_eq(tables->n_warnings, 1);
    ck_assert_int_eq(tables->warnings[0].count, job_size);
}

static int all_rows(void)
{
    struct pdump_dump *mine = dump_of(job_rank);
    struct pdump_aggregate *a;
    struct pdump_stream *in;
    int err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);

    if (err < 0)
        return err;
    in = pdump_aggregate_stream(a);
    if (in) {
        const struct pdump_dump *whole;

        check_tables(in->tables);
        ck_assert_int_eq(in->n_ranks, job_size);
        ck_assert_int_eq(in->n_pieces, job_size);
        ck_assert_ptr_null(in->tables->stats);
        check_pieces(in);
        ck_assert_int_eq(pdump_stream_whole(in, &whole), PDUMP_OK);
        ck_assert_int_eq(whole->n_rows, in->row_ptr[job_size]);
        ck_assert_int_eq(sum_of(whole, "odd", "time"),
                         is_uniform ? 0 : 7 * (job_size / 2));
        ck_assert_int_eq(in->is_regular, is_uniform || job_size == 1);
    }
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

START_TEST(equal_ranks_are_streamed_in_their_order)
{
    is_uniform = true;
    n_samples = 3;
    run_job(_i, all_rows);
}
END_TEST

START_TEST(regions_and_metrics_that_differ_are_united)
{
    n_samples = 3;
    run_job(_i, all_rows);
}
END_TEST

static int sum_odd(const struct pdump_dump *tables)
{
    for (int i = 0; i < tables->n_nodes; i++)
        if (strcmp(tables->regions[tables->nodes[i].region].name, "main") == 0)
            return i;
    return -1;
}

static int only_stats(void)
{
    struct pdump_dump *mine = dump_of(job_rank);
    struct pdump_aggregate *a;
    struct pdump_stream *in;
    int err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);

    if (err < 0)
        return err;
    in = pdump_aggregate_stream(a);
    if (in) {
        const struct pdump_dump_rank_stat *stat;
        int time = pdump_dump_find_metric(in->tables, "time");

        ck_assert_int_eq(in->n_pieces, atoi(set.ranks));
        stat = &in->tables->stats[time][sum_odd(in->tables)];
        /* Ranks 0, 1, 3, 4: rank 2 counts something else. */
        ck_assert_int_eq(stat->n, 4);
        ck_assert_int_eq(stat->sum, 11 + 22 + 44 + 55);
        ck_assert_int_eq(stat->min, 11);
        ck_assert_int_eq(stat->max, 55);
        ck_assert_int_eq(stat->rank_of_min, 0);
        ck_assert_int_eq(stat->rank_of_max, 4);
        ck_assert(fabs(stat->sumsq - (121. + 484 + 1936 + 3025)) < 1e-9);
        stat = &in->tables->stats[in->tables->n_metrics][sum_odd(in->tables)];
        ck_assert_int_eq(stat->n, 5);
        ck_assert_int_eq(stat->sum, 11 + 22 + 33 + 44 + 55);
        check_pieces(in);
    }
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

START_TEST(statistics_can_stand_for_the_rows)
{
    set.ranks = "stats";
    run_job(5, only_stats);
}
END_TEST

START_TEST(some_ranks_can_keep_their_rows)
{
    set.ranks = "2";
    run_job(5, only_stats);
}
END_TEST

/* Open, check on rank 0, close. */
static void (*check_details)(const struct pdump_stream *in);

static int details(void)
{
    struct pdump_dump *mine = dump_of(job_rank);
    struct pdump_aggregate *a;
    int err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);

    if (err < 0)
        return err;
    if (pdump_aggregate_stream(a)) {
        const struct pdump_stream *in = pdump_aggregate_stream(a);

        ck_assert_int_eq(in->tables->n_threads, 2 * job_size);
        ck_assert_str_eq(pdump_dump_metadata(in->tables, "key"), "zero");
        check_pieces(pdump_aggregate_stream(a));
        check_details(in);
    }
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

/* Every rank's rows in order, in the numbers of all. */
static void check_each(const struct pdump_stream *in)
{
    const struct pdump_dump *tables = in->tables;
    const struct pdump_dump_detail *mpi = pdump_dump_find_detail(tables, "mpi");
    const struct pdump_dump_detail *io = pdump_dump_find_detail(tables, "io");
    int n_ranks = job_size - (job_size > 1) - (job_size > 3);
    int64_t i = 0;

    ck_assert_int_eq(tables->n_warnings, 1 + (is_foreign && job_size > 3));
    ck_assert_int_eq(io != NULL, !is_foreign && job_size > 3);
    ck_assert_ptr_nonnull(mpi);
    ck_assert_int_eq(mpi->n_rows, n_ranks * (n_details + 1));
    for (int rank = 0; rank < job_size; rank++)
        for (int k = 0; rank != 1 && rank != 3 && k < n_details; k++) {
            const int64_t *values = mpi->values + i * mpi->n_values;
            char label[32];

            snprintf(label, sizeof(label), "site %d", k);
            ck_assert_str_eq(mpi->labels[mpi->rows[i].label], label);
            ck_assert_int_eq(mpi->rows[i].thread, 2 * rank + k % 2);
            ck_assert_str_eq(
                tables->regions[tables->nodes[mpi->rows[i].node].region].name,
                "main");
            ck_assert_int_eq(values[0], rank + 1);
            ck_assert_int_eq(values[1], 10 - rank);
            ck_assert(values[2] == INT64_MIN);
            ck_assert_int_eq(values[4 + k % BINS], 1);
            ck_assert_int_eq(values[4 + (k + 1) % BINS], 0);
            i++;
            if (k + 1 == n_details) /* then the one of the thread */
                ck_assert_int_eq(mpi->rows[i++].node, -1);
        }
    ck_assert_int_eq(i, mpi->n_rows);
}

START_TEST(details_of_all_ranks_arrive)
{
    n_details = 100;
    check_details = check_each;
    run_job(_i, details);
}
END_TEST

START_TEST(a_table_with_other_fields_is_a_warning)
{
    n_details = 10;
    is_foreign = true;
    check_details = check_each;
    run_job(_i, details);
}
END_TEST

/* Ranks 0, 2, 4 of five; rank 3 has another table. */
static void check_united(const struct pdump_stream *in)
{
    const struct pdump_dump_detail *mpi =
        pdump_dump_find_detail(in->tables, "mpi");

    ck_assert_str_eq(pdump_dump_metadata(in->tables, "details"),
                     "united over ranks");
    ck_assert_int_eq(in->tables->n_warnings,
                     1 + is_foreign + (set.gather_max == 0));
    ck_assert_int_eq(mpi->n_rows, n_details + 1);
    for (int64_t i = 0; i < n_details; i++) {
        const int64_t *values = mpi->values + i * mpi->n_values;

        ck_assert_int_eq(mpi->rows[i].thread, -1);
        ck_assert_int_eq(values[0], 1 + 3 + 5);
        ck_assert_int_eq(values[1], 10 - 4);
        ck_assert(values[2] == INT64_MIN);
        ck_assert(pdump_field_real(values[3]) == 0.75);
        ck_assert_int_eq(values[4 + i % BINS], 3);
    }
    ck_assert_int_eq(mpi->values[n_details * mpi->n_values + 2], 4);
}

START_TEST(details_are_united_if_not_all_ranks_are_kept)
{
    n_details = 50;
    is_foreign = _i == 1;
    set.ranks = _i == 2 ? "2" : "stats";
    check_details = check_united;
    run_job(5, details);
}
END_TEST

START_TEST(details_are_united_if_they_are_too_many)
{
    n_details = 50;
    set.gather_max = 0;
    check_details = check_united;
    run_job(5, details);
}
END_TEST

START_TEST(labels_have_no_more_room_than_they_may)
{
    struct pdump_dump *dump;
    struct pdump_builder *b;
    struct pdump_pack p = { 0 };
    int64_t calls = 0;

    n_details = 5000;
    dump = dump_of(0);
    pdump_pack_details(&p, dump, false);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    node_of(b, -1, "main");
    pdump_builder_limit_details(b, 100000);
    for (int i = 0; i < 2; i++) /* the second time they are there */
        ck_assert_int_eq(
            pdump_unpack_details(
                &(struct pdump_unpack){ .at = p.bytes, .end = p.bytes + p.len },
                b, -1),
            PDUMP_OK);
    pdump_dump_free(dump);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    ck_assert_int_lt(pdump_builder_details_bytes(&dump->details[0]), 110000);
    ck_assert_int_gt(dump->details[0].n_rows, 100);
    for (int64_t i = 0; i < dump->details[0].n_rows; i++)
        calls += dump->details[0].values[i * dump->details[0].n_values];
    ck_assert_int_eq(calls, 2 * 5001);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(dump->warnings[0].text, "(other)"));
    free(p.bytes);
    pdump_dump_free(dump);
}
END_TEST

static int failing(void)
{
    struct pdump_dump *mine = dump_of(job_rank);
    struct pdump_aggregate *a;
    int err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);

    if (err < 0)
        return err;
    err = pdump_aggregate_close(a, job_rank == 0 ? PDUMP_EIO : PDUMP_OK);
    pdump_dump_free(mine);
    return err == PDUMP_EIO ? 0 : -1;
}

START_TEST(all_ranks_know_that_it_was_not_written)
{
    run_job(3, failing);
}
END_TEST

static int too_large(void)
{
    struct pdump_dump *mine = dump_of(job_rank);
    const struct pdump_dump *whole;
    struct pdump_aggregate *a;
    int err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);

    if (err < 0)
        return err;
    if (pdump_aggregate_stream(a))
        ck_assert_int_eq(pdump_stream_whole(pdump_aggregate_stream(a), &whole),
                         PDUMP_ENOMEM);
    err = pdump_aggregate_close(a, PDUMP_OK);
    pdump_dump_free(mine);
    return err;
}

START_TEST(rank_0_does_not_take_more_than_it_may)
{
    set.gather_max = 0;
    run_job(2, too_large);
}
END_TEST

static int absent(void)
{
    struct pdump_dump *mine;
    struct pdump_aggregate *a;
    int err;

    if (job_rank == 1)
        return 0; /* this one does not come */
    mine = dump_of(job_rank);
    err = pdump_aggregate_open(mine, &fake_job, NULL, 0, &set, NULL, &a);
    pdump_dump_free(mine);
    return err == PDUMP_EPEER ? 0 : -1;
}

START_TEST(a_rank_that_does_not_come_is_an_error_on_the_others)
{
    job_is_impatient = true;
    set.mpi_timeout = 1;
    run_job(3, absent);
}
END_TEST

static int second_rank(void)
{
    return 1;
}

static int two_ranks(void)
{
    return 2;
}

static int receive_too_much(int from, int times, void **bytes, size_t *len)
{
    (void)from, (void)times;
    *len = 10000;
    *bytes = calloc(1, *len);
    return PDUMP_OK;
}

START_TEST(a_word_of_another_size_is_an_error_and_freed)
{
    const struct pdump_comm damaged = { .rank = second_rank,
                                        .size = two_ranks,
                                        .receive = receive_too_much };
    int64_t word = 7;
    size_t before = 0;

    for (int i = 0; i < 2; i++) { /* the first error needs memory of its own */
        before = allocated();
        ck_assert_int_eq(pdump_collectives_same(&damaged, &word, sizeof(word)),
                         PDUMP_EPEER);
        ck_assert_int_eq(word, 7);
    }
    ck_assert_int_eq(allocated(), before);
}
END_TEST

START_TEST(damaged_messages_are_noticed)
{
    struct pdump_dump *dump;
    struct pdump_pack p = { 0 };

    n_details = 3;
    dump = dump_of(2);
    pdump_pack_tree(&p, dump);
    pdump_pack_processes(&p, dump);
    pdump_pack_details(&p, dump, true);
    ck_assert(!p.is_bad);
    for (size_t len = 0; len < p.len; len += 8) {
        struct pdump_unpack in = { .at = p.bytes, .end = p.bytes + len };
        struct pdump_builder *b;

        ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
        if (pdump_unpack_tree(&in, b) >= 0 &&
            pdump_unpack_processes(&in, b) >= 0)
            ck_assert_int_eq(pdump_unpack_details(&in, b, 0), PDUMP_EFORMAT);
        pdump_builder_free(b);
    }
    free(p.bytes);
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("aggregate");
    TCase *t = tcase_create("ranks");

    tcase_add_loop_test(t, equal_ranks_are_streamed_in_their_order, 1, 10);
    tcase_add_loop_test(t, regions_and_metrics_that_differ_are_united, 1, 10);
    tcase_add_test(t, statistics_can_stand_for_the_rows);
    tcase_add_test(t, some_ranks_can_keep_their_rows);
    tcase_add_loop_test(t, details_of_all_ranks_arrive, 1, 7);
    tcase_add_loop_test(t, a_table_with_other_fields_is_a_warning, 4, 6);
    tcase_add_loop_test(t, details_are_united_if_not_all_ranks_are_kept, 0, 3);
    tcase_add_test(t, details_are_united_if_they_are_too_many);
    tcase_add_test(t, labels_have_no_more_room_than_they_may);
    tcase_add_test(t, all_ranks_know_that_it_was_not_written);
    tcase_add_test(t, rank_0_does_not_take_more_than_it_may);
    tcase_add_test(t, a_rank_that_does_not_come_is_an_error_on_the_others);
    tcase_add_test(t, a_word_of_another_size_is_an_error_and_freed);
    tcase_add_test(t, damaged_messages_are_noticed);
    suite_add_tcase(s, t);
    return suite_run(s);
}
