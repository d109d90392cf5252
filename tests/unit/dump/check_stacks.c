/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks in a dump: their figures, and the dump without them. */
#include "dump/merge.h"
#include "dump/stacks.h"
#include "dump_kit.h"
#include "new_file_kit.h"
#include "read/reader.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

static struct pdump_dump *with, *without;

static void make_dumps(void)
{
    with = kit_stacks_dump(3, true);
    without = kit_stacks_dump(3, false);
    ck_assert_ptr_nonnull(with);
    ck_assert_ptr_nonnull(without);
}

static void free_dumps(void)
{
    pdump_dump_free(with);
    pdump_dump_free(without);
}

/* The figures of the row of `thread` with that path. */
static void check_row(int thread, const char *path, int64_t count,
                      int64_t self_count, int64_t ns)
{
    int c = pdump_dump_find_metric(with, PDUMP_STACKS_COUNT);
    int t = pdump_dump_find_metric(with, PDUMP_STACKS_TIME);
    char found[200];

    for (int64_t i = 0; i < with->n_rows; i++) {
        pdump_dump_path(with, i, found, sizeof(found));
        if (with->rows[i].thread != thread || strcmp(found, path) != 0)
            continue;
        ck_assert_int_eq(with->columns[c].sum[i], count);
        ck_assert_int_eq(with->columns[c].exclusive[i], self_count);
        ck_assert_int_eq(with->columns[t].sum[i], ns);
        return;
    }
    ck_abort_msg("no row %s", path);
}

START_TEST(frames_hang_below_their_region)
{
    check_row(0, "main", 10, 0, 10000);
    check_row(0, "main/solve", 10, 0, 10000);
    check_row(0, "main/solve/work", 10, 2, 10000);
    check_row(0, "main/solve/work/work", 8, 3, 8100);
    check_row(0, "main/solve/work/work/solve", 5, 5, 5000);
    check_row(1, "main", 0, 0, 0);
    check_row(1, "work", 10, 2, 10000);
    check_row(1, "work/work/solve", 5, 5, 5000);
}
END_TEST

START_TEST(frames_have_no_visits_and_no_time)
{
    int time = pdump_dump_find_metric(with, "time"), n = 0;

    for (int64_t i = 0; i < with->n_rows; i++) {
        if (!pdump_stacks_has_node(with, with->rows[i].node))
            continue;
        n++;
        ck_assert_int_eq(with->rows[i].visits, 0);
        ck_assert(!with->rows[i].is_open);
        ck_assert_int_eq(with->columns[time].sum[i], PDUMP_MISSING);
    }
    ck_assert_int_eq(n, 3 * 2 * 3);
}
END_TEST

START_TEST(lines_are_details_of_frames)
{
    const struct pdump_dump_detail *d =
        pdump_dump_find_detail(with, PDUMP_STACKS_TABLE);
    int64_t stacks = 0, self = 0;

    ck_assert_ptr_nonnull(d);
    ck_assert_str_eq(d->key, "line");
    for (int64_t i = 0; i < d->n_rows; i++) {
        const int64_t *values = d->values + i * d->n_values;

        if (strcmp(d->labels[d->rows[i].label], "work.c:12") != 0 ||
            d->rows[i].thread != 0)
            continue;
        stacks += values[pdump_dump_find_field(d, "stacks")];
        self += values[pdump_dump_find_field(d, "self_stacks")];
    }
    ck_assert_int_eq(stacks, 8 + 8);
    ck_assert_int_eq(self, 3);
}
END_TEST

START_TEST(without_stacks_a_dump_is_as_if_there_were_none)
{
    struct pdump_dump *rest;

    ck_assert(pdump_stacks_are_in(with));
    ck_assert(!pdump_stacks_are_in(without));
    ck_assert(!kit_same(with, without));
    ck_assert_int_eq(pdump_stacks_leave_out(with, &rest), PDUMP_OK);
    ck_assert_msg(kit_same(rest, without), "%s", kit_difference);
    pdump_dump_free(rest);
    ck_assert_int_eq(pdump_stacks_drop(&with), PDUMP_OK);
    ck_assert_msg(kit_same(with, without), "%s", kit_difference);
}
END_TEST

/* Statistics over ranks only, as a large job has them. */
static struct pdump_dump *summed(const struct pdump_dump *dump)
{
    struct pdump_dump *hollow =
        kit_dump((struct kit_options){ .n_ranks = 1, .has_stats = true });
    struct pdump_dump *pair[] = { (struct pdump_dump *)dump, hollow }, *out;

    ck_assert_int_eq(pdump_merge(pair, 2, &out), PDUMP_OK);
    ck_assert_ptr_nonnull(out->stats);
    pdump_dump_free(hollow);
    return out;
}

START_TEST(statistics_over_ranks_are_left_out_as_well)
{
    struct pdump_dump *a = summed(with), *b = summed(without);

    ck_assert_int_eq(pdump_stacks_drop(&a), PDUMP_OK);
    ck_assert_int_eq(a->n_metrics, b->n_metrics);
    ck_assert_msg(kit_same_stats(a, b), "%s", kit_difference);
    pdump_dump_free(a);
    pdump_dump_free(b);
}
END_TEST

START_TEST(merged_runs_add_up)
{
    struct pdump_dump *twice[] = { with, without }, *both;

    ck_assert_int_eq(pdump_merge(twice, 2, &both), PDUMP_OK);
    ck_assert_int_eq(both->n_nodes, with->n_nodes);
    ck_assert_int_eq(both->n_rows, with->n_rows + without->n_rows);
    pdump_dump_free(both);
}
END_TEST

static char *bytes_of(const char *path, size_t *len)
{
    FILE *f = fopen(path, "r");
    char *bytes = calloc(1, 1 << 20);

    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(bytes);
    *len = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return bytes;
}

/* Writes the main file as pdump export does, piece by piece. */
static int write_to(const struct pdump_sink *sink,
                    const struct pdump_dump *dump, const char *path)
{
    struct pdump_stream *all, *in;
    int err;

    fclose(fopen(path, "w"));
    ck_assert_int_eq(pdump_stream_of(dump, &all), PDUMP_OK);
    ck_assert_int_eq(pdump_sink_stream(sink, all, &in), PDUMP_OK);
    ck_assert(sink->has_stacks || !pdump_stacks_are_in(in->tables));
    err = new_file_write(&sink->parts[0], in, path);
    if (err >= 0 && sink->verify)
        err = new_file_verify(sink, in, path);
    pdump_sink_stream_end(all, in);
    pdump_stream_free(all);
    return err;
}

/* A format that does not know stacks writes what it did before there were any;
 * one that does can be read back. */
START_TEST(every_format_copes)
{
    char path[] = "/tmp/pdump-stacks-XXXXXX";
    const struct pdump_sink *sink;
    struct pdump_dump *back;
    size_t a_len, b_len;
    char *a, *b;

    close(mkstemp(path));
    for (int i = 0; (sink = pdump_sink_at(i)) != NULL; i++) {
        int err = write_to(sink, with, path);

        ck_assert_msg(sink->parts[0].is_folder || err >= 0 ||
                          write_to(sink, without, path) == err,
                      "%s: %s", sink->name, pdump_last_error());
        if (err < 0)
            continue; /* it needs what the dump does not have */
        if (sink->is_complete) {
            ck_assert_int_eq(pdump_reader_load(path, &back), PDUMP_OK);
            ck_assert_msg(kit_same_rows(with, back), "%s: %s", sink->name,
                          kit_difference);
            pdump_dump_free(back);
        }
        if (sink->has_stacks)
            continue;
        a = bytes_of(path, &a_len);
        ck_assert_int_eq(write_to(sink, without, path), PDUMP_OK);
        b = bytes_of(path, &b_len);
        ck_assert_msg(a_len == b_len && memcmp(a, b, a_len) == 0, "%s differs",
                      sink->name);
        free(a);
        free(b);
    }
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stacks");
    TCase *t = tcase_create("dump");

    tcase_add_checked_fixture(t, make_dumps, free_dumps);
    tcase_add_test(t, frames_hang_below_their_region);
    tcase_add_test(t, frames_have_no_visits_and_no_time);
    tcase_add_test(t, lines_are_details_of_frames);
    tcase_add_test(t, without_stacks_a_dump_is_as_if_there_were_none);
    tcase_add_test(t, statistics_over_ranks_are_left_out_as_well);
    tcase_add_test(t, merged_runs_add_up);
    tcase_add_test(t, every_format_copes);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
