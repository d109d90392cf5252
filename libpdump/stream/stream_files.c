/* SPDX-License-Identifier: BSD-3-Clause */
/* Many files as one stream; only one file at a time is in memory. */
#include "stream/stream_files.h"
#include "dump/builder_sort.h"
#include "dump/event_lanes.h"
#include "dump/merge.h"
#include "dump/merge_stats.h"
#include "dump/rank_stat.h"
#include "read/reader.h"
#include "stream/stream_files_private.h"

#include <stdlib.h>

/* Makes a builder with the names in the tables.  It returns the number of a
 * name when that is added again. */
static int make_names(struct pdump_stream_files *s)
{
    struct pdump_dump_copy copy = { .from = s->tables };
    int err = pdump_builder_new(&s->names);

    copy.to = s->names;
    if (err >= 0)
        err = pdump_dump_copy_tree(&copy);
    pdump_dump_copy_free(&copy);
    return err;
}

static int find_places(const struct pdump_stream_files *s,
                       const struct pdump_dump *dump,
                       struct pdump_dump_copy *out)
{
    int err;
    bool is_new = false;

    *out = (struct pdump_dump_copy){ .to = s->names, .from = dump };
    err = pdump_dump_copy_tree(out);

    for (int i = 0; err >= 0 && i < dump->n_metrics; i++)
        is_new = is_new || out->metrics[i] >= s->tables->n_metrics;
    for (int i = 0; err >= 0 && i < dump->n_nodes; i++)
        is_new = is_new || out->nodes[i] >= s->tables->n_nodes;
    return is_new ? pdump_fail(PDUMP_EFORMAT, "was changed while it was read")
                  : err;
}

/* Adds statistics over ranks if one file has them; they cover all files. */
static int add_stats(struct pdump_stream_files *s)
{
    int n_metrics = s->tables->n_metrics, n_nodes = s->tables->n_nodes;
    int err = pdump_rank_stat_new(n_metrics, n_nodes, &s->tables->stats);

    for (int i = 0; err >= 0 && i < s->n_files; i++) {
        struct pdump_dump *dump = s->files[i].kept;
        struct pdump_dump_copy copy = { 0 };

        if (!dump)
            err = pdump_reader_load(s->files[i].path, &dump);
        if (err >= 0)
            err = find_places(s, dump, &copy);
        if (err >= 0)
            err = pdump_merge_stats_add(s->tables->stats, n_metrics, n_nodes,
                                        &copy, (int)s->runs.files[i].shift);
        err = pdump_stream_files_named(s->files[i].path, err);
        pdump_dump_copy_free(&copy);
        if (dump != s->files[i].kept)
            pdump_dump_free(dump);
    }
    return err;
}

static bool has_stats(const struct pdump_stream_files *s)
{
    for (int i = 0; i < s->n_files; i++)
        if (s->files[i].has_stats)
            return true;
    return false;
}

static void number_ranks(struct pdump_stream_files *s)
{
    for (int i = 0; i < s->tables->n_processes; i++)
        s->tables->processes[i].rank +=
            (int)s->runs.files[s->runs.processes[i].file].shift;
    for (int i = 0; i < s->stream.n_pieces; i++)
        s->rank[i] += (int)s->runs.files[s->file_of[i]].shift;
}

static int files_unite(struct pdump_stream_files *s, bool is_apart)
{
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err >= 0)
        err = pdump_stream_files_grow(s, 0);
    if (err >= 0)
        s->row_ptr[0] = s->sample_ptr[0] = s->event_ptr[0] = 0;
    for (int i = 0; err >= 0 && i < s->n_files; i++)
        err = pdump_stream_files_add(s, b, i);
    if (err >= 0)
        err = pdump_run_groups_settle(&s->runs, is_apart);
    if (err >= 0)
        err = pdump_stream_files_note(s, b);
    err = pdump_builder_close(b, err, &s->tables);
    if (err >= 0)
        err = make_names(s);
    if (err >= 0)
        number_ranks(s);
    if (err >= 0 && has_stats(s))
        err = add_stats(s);
    return err;
}

static void file_unload(struct pdump_stream_files *s)
{
    pdump_stream_files_drop(&s->all);
    s->current = -1;
}

/* Checks that the file still has the pieces that it had at the first
 * reading. */
static int check_pieces(const struct pdump_stream_files *s,
                        const struct pdump_stream_file *file,
                        const struct pdump_dump *dump)
{
    int n = file[1].first_piece - file->first_piece;
    const int64_t *rows = s->row_ptr + file->first_piece;
    const int64_t *samples = s->sample_ptr + file->first_piece;
    const int64_t *events = s->event_ptr + file->first_piece;
    struct pdump_stream *cut;
    int err = pdump_stream_of(dump, &cut);
    bool is_same;

    if (err < 0)
        return err;
    is_same = cut->n_pieces == n &&
              dump->n_threads == file[1].first_thread - file->first_thread;
    for (int i = 0; is_same && i <= n; i++)
        is_same = rows[i] - rows[0] == cut->row_ptr[i] &&
                  samples[i] - samples[0] == cut->sample_ptr[i] &&
                  events[i] - events[0] == cut->event_ptr[i];
    pdump_stream_free(cut);
    return is_same ? PDUMP_OK
                   : pdump_fail(PDUMP_EFORMAT, "was changed while it was read");
}

/* Makes parents count from the first row of their piece. */
static void cut_parents(struct pdump_stream_files *s,
                        const struct pdump_stream_file *file)
{
    int64_t begin = s->row_ptr[file->first_piece];

    for (int i = file->first_piece; i < file[1].first_piece; i++)
        for (int64_t k = s->row_ptr[i]; k < s->row_ptr[i + 1]; k++) {
            struct pdump_dump_row *row = &s->all.rows[k - begin];

            if (row->parent >= 0)
                row->parent -= s->row_ptr[i] - begin;
        }
}

static int file_load(struct pdump_stream_files *s, int i)
{
    const struct pdump_stream_file *file = &s->files[i];
    struct pdump_dump_copy copy = { 0 };
    struct pdump_dump *dump = NULL, *kept = file->kept;
    int err;

    file_unload(s);
    err = kept ? pdump_merge(&kept, 1, &dump)
               : pdump_reader_load(file->path, &dump);
    if (err >= 0)
        err = check_pieces(s, file, dump);
    if (err >= 0)
        err = find_places(s, dump, &copy);
    if (err >= 0)
        err = pdump_stream_files_take(dump, &copy, file->first_thread,
                                      s->tables, &s->all);
    if (err >= 0)
        err = pdump_event_lanes_copy(
            &s->all, dump,
            &(struct pdump_event_lanes_numbers){
                .nodes = copy.nodes,
                .regions = copy.regions,
                .metrics = copy.metrics,
                .first_thread = file->first_thread,
                .rank_shift = (int)s->runs.files[i].shift,
            });
    if (err >= 0)
        err = pdump_builder_sort(&s->all);
    if (err >= 0) {
        cut_parents(s, file);
        s->current = i;
    }
    pdump_dump_copy_free(&copy);
    pdump_dump_free(dump);
    return pdump_stream_files_named(file->path, err);
}

/* Selects the lanes of a piece; each lane has at least one event. */
static void cut_lanes(struct pdump_stream_files *s, int piece)
{
    const int64_t *ptr = s->event_ptr;
    int64_t from = ptr[piece] - ptr[s->files[s->current].first_piece];
    int64_t left = ptr[piece + 1] - ptr[piece];
    int first = 0, n = 0;

    for (; from > 0 && first < s->all.n_lanes; first++)
        from -= s->all.lanes[first].n_events;
    for (; left > 0 && first + n < s->all.n_lanes; n++)
        left -= s->all.lanes[first + n].n_events;
    s->piece.lanes = s->all.lanes ? s->all.lanes + first : NULL;
    s->piece.n_lanes = n;
}

static int get_piece(struct pdump_stream *stream, int i,
                     const struct pdump_dump **out)
{
    struct pdump_stream_files *s = (struct pdump_stream_files *)stream;
    int file = s->file_of[i], first = s->files[file].first_piece;
    int err = file == s->current ? PDUMP_OK : file_load(s, file);

    if (err < 0)
        return err;
    pdump_stream_cut(&s->all, s->row_ptr[i] - s->row_ptr[first],
                     s->row_ptr[i + 1] - s->row_ptr[i],
                     s->sample_ptr[i] - s->sample_ptr[first],
                     s->sample_ptr[i + 1] - s->sample_ptr[i], &s->piece);
    cut_lanes(s, i);
    *out = &s->piece;
    return PDUMP_OK;
}

void pdump_stream_files_close(struct pdump_stream *stream)
{
    struct pdump_stream_files *s = (struct pdump_stream_files *)stream;

    if (!s)
        return;
    file_unload(s);
    pdump_stream_forget(stream);
    for (int i = 0; i < s->n_files; i++)
        pdump_dump_free(s->files[i].kept);
    pdump_builder_free(s->names);
    pdump_dump_free(s->tables);
    pdump_run_groups_free(&s->runs);
    free(stream->sums);
    free(s->piece.columns);
    free(s->piece.sample_values);
    free(s->files);
    free(s->row_ptr);
    free(s->sample_ptr);
    free(s->event_ptr);
    free(s->rank);
    free(s->file_of);
    free(s->has_row);
    free(s);
}

const struct pdump_run_groups *pdump_stream_files_runs(
    const struct pdump_stream *s)
{
    return &((const struct pdump_stream_files *)s)->runs;
}

int pdump_stream_files_open(char *const *paths, int n, bool is_apart,
                            int64_t whole_max, struct pdump_stream **out)
{
    struct pdump_stream_files *s = calloc(1, sizeof(*s));
    int err;

    if (!s)
        return pdump_no_memory();
    s->current = -1;
    s->stream = (struct pdump_stream){ .is_regular = true,
                                       .piece = get_piece,
                                       .whole_max = whole_max };
    s->files = calloc((size_t)n + 1, sizeof(*s->files));
    for (int i = 0; s->files && i < n; i++)
        s->files[s->n_files++].path = paths[i];
    err = s->files ? files_unite(s, is_apart) : pdump_no_memory();
    if (err >= 0)
        err = pdump_stream_room(s->tables, &s->piece);
    if (err < 0) {
        pdump_stream_files_close(&s->stream);
        return err;
    }
    s->stream.tables = s->tables;
    s->stream.row_ptr = s->row_ptr;
    s->stream.sample_ptr = s->sample_ptr;
    s->stream.event_ptr = s->event_ptr;
    s->stream.rank = s->rank;
    s->stream.has_row = s->has_row;
    *out = &s->stream;
    return PDUMP_OK;
}
