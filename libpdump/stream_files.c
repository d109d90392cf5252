/* SPDX-License-Identifier: BSD-3-Clause */
/* Many files as one stream, of which one at a time is in memory. */
#include "stream_files.h"
#include "merge_stats.h"
#include "reader.h"
#include "settle.h"
#include "stream_files_rows.h"

#include "store_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
    const char *path;
    int first_piece;
    int first_thread;
    bool has_stats;
    struct pdump_dump *kept; /* of a living process, or NULL */
};

struct files {
    struct pdump_stream stream; /* first: it is closed as this */
    struct file *files;         /* with a last one, where the others end */
    int n_files;
    struct pdump_runs runs;
    struct pdump_dump *tables;
    struct pdump_builder *names; /* tells the numbers in the tables */
    int64_t *row_ptr;
    int64_t *sample_ptr;
    int *rank;
    int *file_of;          /* each piece */
    int room;              /* for pieces */
    uint64_t keys;         /* of the first piece */
    int current;           /* file that is loaded, or -1 */
    struct pdump_dump all; /* its rows */
    struct pdump_dump piece;
};

/* Messages that do not begin with the file get it. */
static int in_file(const char *path, int err)
{
    char why[400];

    if (err >= 0 || strncmp(pdump_last_error(), path, strlen(path)) == 0)
        return err;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(err, "%s: %s", path, why);
}

static int more_pieces(struct files *s, int n)
{
    int room = s->room ? 2 * s->room : 64;
    void *rows, *samples, *ranks, *files;

    if (s->stream.n_pieces + n + 1 <= s->room)
        return PDUMP_OK;
    while (room < s->stream.n_pieces + n + 1)
        room *= 2;
    rows = realloc(s->row_ptr, (size_t)room * sizeof(*s->row_ptr));
    s->row_ptr = rows ? rows : s->row_ptr;
    samples = realloc(s->sample_ptr, (size_t)room * sizeof(*s->sample_ptr));
    s->sample_ptr = samples ? samples : s->sample_ptr;
    ranks = realloc(s->rank, (size_t)room * sizeof(*s->rank));
    s->rank = ranks ? ranks : s->rank;
    files = realloc(s->file_of, (size_t)room * sizeof(*s->file_of));
    s->file_of = files ? files : s->file_of;
    if (!rows || !samples || !ranks || !files)
        return pdump_no_memory();
    s->room = room;
    return PDUMP_OK;
}

/* Fingerprint of the samples' nodes, as the union numbers them. */
static uint64_t keys_of(const struct pdump_dump *dump, const int *nodes,
                        int64_t from, int64_t to)
{
    uint64_t sum = (uint64_t)(to - from);

    for (int64_t i = from; i < to; i++) {
        sum = (sum ^ (uint64_t)nodes[dump->samples[i].node]) *
              UINT64_C(0x9e3779b97f4a7c15);
        sum = (sum ^ (uint64_t)dump->samples[i].number) *
              UINT64_C(0xff51afd7ed558ccd);
        sum ^= sum >> 31;
    }
    return sum;
}

static int add_pieces(struct files *s, int file, const struct pdump_dump *dump,
                      const struct pdump_places *p)
{
    struct pdump_stream *cut, *out = &s->stream;
    int err = pdump_stream_of(dump, &cut);

    if (err < 0)
        return err;
    err = more_pieces(s, cut->n_pieces);
    for (int i = 0; err >= 0 && i < cut->n_pieces; i++) {
        int at = out->n_pieces++;
        int64_t from = cut->sample_ptr[i], to = cut->sample_ptr[i + 1];
        uint64_t keys = keys_of(dump, p->nodes, from, to);

        if (at == 0)
            s->row_ptr[0] = s->sample_ptr[0] = 0, s->keys = keys;
        s->row_ptr[at + 1] =
            s->row_ptr[at] + cut->row_ptr[i + 1] - cut->row_ptr[i];
        s->sample_ptr[at + 1] = s->sample_ptr[at] + to - from;
        s->rank[at] = cut->rank[i];
        s->file_of[at] = file;
        out->is_regular = out->is_regular && keys == s->keys;
    }
    pdump_stream_free(cut);
    return err;
}

static int add_notes(struct pdump_builder *b, const struct pdump_dump *dump)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < dump->n_metadata; i++)
        err = pdump_builder_metadata_new(b, dump->metadata[i].key,
                                         dump->metadata[i].value);
    for (int i = 0; err >= 0 && i < dump->n_warnings; i++)
        err = pdump_builder_warning(b, dump->warnings[i].text,
                                    dump->warnings[i].count);
    return err;
}

/* The first time: everything but the rows. */
static int add_file(struct files *s, struct pdump_builder *b, int i)
{
    struct file *file = &s->files[i];
    struct pdump_places p = { 0 };
    bool is_alive = pdump_store_file_is_alive(file->path);
    struct pdump_dump *dump;
    int err = pdump_reader_load(file->path, &dump);

    if (err < 0)
        return in_file(file->path, err);
    file->first_piece = s->stream.n_pieces;
    file->has_stats = dump->stats != NULL;
    err = pdump_places_tree(b, dump, &p);
    if (err >= 0)
        err = pdump_places_threads(b, dump, &p);
    if (err >= 0)
        err = add_pieces(s, i, dump, &p);
    if (err >= 0)
        err = add_notes(b, dump);
    if (err >= 0)
        err = pdump_runs_add(&s->runs, dump);
    file[1].first_thread = file->first_thread + dump->n_threads;
    file[1].first_piece = s->stream.n_pieces;
    pdump_places_free(&p);
    if (is_alive)
        file->kept = dump;
    else
        pdump_dump_free(dump);
    return in_file(file->path, err);
}

static const char *span(int64_t low, int64_t high, char *buf, size_t len)
{
    if (low == high)
        snprintf(buf, len, "%lld", (long long)low);
    else
        snprintf(buf, len, "%lld-%lld", (long long)low, (long long)high);
    return buf;
}

/* Say in the metadata what was put together, and which rank is whose. */
static int add_origin(const struct files *s, struct pdump_builder *b)
{
    char key[80], value[PATH_MAX + 40], old[50], new[50];
    int err;

    snprintf(value, sizeof(value), "%d", s->n_files);
    err = pdump_builder_metadata(b, "merged_files", value);
    snprintf(value, sizeof(value), "%lld", (long long)s->runs.n_ranks);
    if (err >= 0 && s->runs.n_shifted > 0)
        err = pdump_builder_metadata(b, "ranks", value);
    for (int i = 0; err >= 0 && i < s->n_files; i++) {
        const struct pdump_runs_file *run = &s->runs.files[i];

        if (run->run != i || !run->is_again || s->runs.n_shifted == 0)
            continue;
        span(run->low, run->high, old, sizeof(old));
        span(run->low + run->shift, run->high + run->shift, new, sizeof(new));
        snprintf(key, sizeof(key), "merged_rank.%s", new);
        snprintf(value, sizeof(value), "%s of %s", old, s->files[i].path);
        err = pdump_builder_metadata(b, key, value);
    }
    return err;
}

/* The numbers that names have in the tables, once more: they are known, and
 * asking for them tells. */
static int make_names(struct files *s)
{
    struct pdump_places p = { 0 };
    int err = pdump_builder_new(&s->names);

    if (err >= 0)
        err = pdump_places_tree(s->names, s->tables, &p);
    pdump_places_free(&p);
    return err;
}

static int find_places(struct files *s, const struct pdump_dump *dump,
                       struct pdump_places *p)
{
    int err = pdump_places_tree(s->names, dump, p);
    bool is_new = false;

    for (int i = 0; err >= 0 && i < dump->n_metrics; i++)
        is_new = is_new || p->metrics[i] >= s->tables->n_metrics;
    for (int i = 0; err >= 0 && i < dump->n_nodes; i++)
        is_new = is_new || p->nodes[i] >= s->tables->n_nodes;
    return is_new ? pdump_fail(PDUMP_EFORMAT, "was changed while it was read")
                  : err;
}

/* Over ranks, if a file has such statistics: all files count. */
static int add_stats(struct files *s)
{
    int n_metrics = s->tables->n_metrics, n_nodes = s->tables->n_nodes;
    int err = pdump_merge_stats_new(n_metrics, n_nodes, &s->tables->stats);

    for (int i = 0; err >= 0 && i < s->n_files; i++) {
        struct pdump_dump *dump = s->files[i].kept;
        struct pdump_places p = { 0 };

        if (!dump)
            err = pdump_reader_load(s->files[i].path, &dump);
        if (err >= 0)
            err = find_places(s, dump, &p);
        if (err >= 0)
            err = pdump_merge_stats_add(s->tables->stats, n_metrics, n_nodes,
                                        dump, &p, (int)s->runs.files[i].shift);
        err = in_file(s->files[i].path, err);
        pdump_places_free(&p);
        if (dump != s->files[i].kept)
            pdump_dump_free(dump);
    }
    return err;
}

static bool has_stats(const struct files *s)
{
    for (int i = 0; i < s->n_files; i++)
        if (s->files[i].has_stats)
            return true;
    return false;
}

static void number_ranks(struct files *s)
{
    for (int i = 0; i < s->tables->n_processes; i++)
        s->tables->processes[i].rank +=
            (int)s->runs.files[s->runs.processes[i].file].shift;
    for (int i = 0; i < s->stream.n_pieces; i++)
        s->rank[i] += (int)s->runs.files[s->file_of[i]].shift;
}

static int unite(struct files *s, bool is_apart)
{
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err >= 0)
        err = more_pieces(s, 0);
    if (err >= 0)
        s->row_ptr[0] = s->sample_ptr[0] = 0;
    for (int i = 0; err >= 0 && i < s->n_files; i++)
        err = add_file(s, b, i);
    if (err >= 0)
        err = pdump_runs_settle(&s->runs, is_apart);
    if (err >= 0)
        err = add_origin(s, b);
    if (err >= 0)
        err = pdump_builder_finish(b, &s->tables);
    pdump_builder_free(b);
    if (err >= 0)
        err = make_names(s);
    if (err >= 0)
        number_ranks(s);
    if (err >= 0 && has_stats(s))
        err = add_stats(s);
    return err;
}

static void unload(struct files *s)
{
    pdump_stream_files_drop(&s->all);
    s->current = -1;
}

/* Is it still cut as it was when it was counted? */
static int check_pieces(const struct files *s, const struct file *file,
                        const struct pdump_dump *dump)
{
    int n = file[1].first_piece - file->first_piece;
    const int64_t *rows = s->row_ptr + file->first_piece;
    const int64_t *samples = s->sample_ptr + file->first_piece;
    struct pdump_stream *cut;
    int err = pdump_stream_of(dump, &cut);
    bool is_same;

    if (err < 0)
        return err;
    is_same = cut->n_pieces == n &&
              dump->n_threads == file[1].first_thread - file->first_thread;
    for (int i = 0; is_same && i <= n; i++)
        is_same = rows[i] - rows[0] == cut->row_ptr[i] &&
                  samples[i] - samples[0] == cut->sample_ptr[i];
    pdump_stream_free(cut);
    return is_same ? PDUMP_OK
                   : pdump_fail(PDUMP_EFORMAT, "was changed while it was read");
}

/* Parents are counted from the first row of the piece. */
static void cut_parents(struct files *s, const struct file *file)
{
    int64_t begin = s->row_ptr[file->first_piece];

    for (int i = file->first_piece; i < file[1].first_piece; i++)
        for (int64_t k = s->row_ptr[i]; k < s->row_ptr[i + 1]; k++) {
            struct pdump_dump_row *row = &s->all.rows[k - begin];

            if (row->parent >= 0)
                row->parent -= s->row_ptr[i] - begin;
        }
}

static int load(struct files *s, int i)
{
    const struct file *file = &s->files[i];
    struct pdump_places p = { 0 };
    struct pdump_dump *dump = NULL, *kept = file->kept;
    int err;

    unload(s);
    err = kept ? pdump_stream_files_copy(kept, &dump)
               : pdump_reader_load(file->path, &dump);
    if (err >= 0)
        err = check_pieces(s, file, dump);
    if (err >= 0)
        err = find_places(s, dump, &p);
    if (err >= 0)
        err = pdump_stream_files_take(dump, &p, file->first_thread, s->tables,
                                      &s->all);
    if (err >= 0)
        err = pdump_settle(&s->all);
    if (err >= 0) {
        cut_parents(s, file);
        s->current = i;
    }
    pdump_places_free(&p);
    pdump_dump_free(dump);
    return in_file(file->path, err);
}

static int get_piece(struct pdump_stream *stream, int i,
                     const struct pdump_dump **out)
{
    struct files *s = (struct files *)stream;
    int file = s->file_of[i], first = s->files[file].first_piece;
    int err = file == s->current ? PDUMP_OK : load(s, file);

    if (err < 0)
        return err;
    pdump_stream_files_cut(&s->all, s->row_ptr[i] - s->row_ptr[first],
                           s->row_ptr[i + 1] - s->row_ptr[i],
                           s->sample_ptr[i] - s->sample_ptr[first],
                           s->sample_ptr[i + 1] - s->sample_ptr[i], &s->piece);
    *out = &s->piece;
    return PDUMP_OK;
}

void pdump_stream_files_close(struct pdump_stream *stream)
{
    struct files *s = (struct files *)stream;

    if (!s)
        return;
    unload(s);
    pdump_stream_forget(stream);
    for (int i = 0; i < s->n_files; i++)
        pdump_dump_free(s->files[i].kept);
    pdump_builder_free(s->names);
    pdump_dump_free(s->tables);
    pdump_runs_free(&s->runs);
    free(stream->sums);
    free(s->piece.columns);
    free(s->piece.sample_values);
    free(s->files);
    free(s->row_ptr);
    free(s->sample_ptr);
    free(s->rank);
    free(s->file_of);
    free(s);
}

const struct pdump_runs *pdump_stream_files_runs(const struct pdump_stream *s)
{
    return &((const struct files *)s)->runs;
}

int pdump_stream_files_open(char *const *paths, int n, bool is_apart,
                            int64_t whole_max, struct pdump_stream **out)
{
    struct files *s = calloc(1, sizeof(*s));
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
    err = s->files ? unite(s, is_apart) : pdump_no_memory();
    if (err >= 0)
        err = pdump_stream_files_room(s->tables, &s->piece);
    if (err < 0) {
        pdump_stream_files_close(&s->stream);
        return err;
    }
    s->stream.tables = s->tables;
    s->stream.row_ptr = s->row_ptr;
    s->stream.sample_ptr = s->sample_ptr;
    s->stream.rank = s->rank;
    *out = &s->stream;
    return PDUMP_OK;
}
