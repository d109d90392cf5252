/* SPDX-License-Identifier: BSD-3-Clause */
/* The first reading of each file: adds it to the common tables. */
#include "read/reader.h"
#include "stream/stream_files_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pdump_stream_files_named(const char *path, int err)
{
    char why[400];

    if (err >= 0 || strncmp(pdump_last_error(), path, strlen(path)) == 0)
        return err;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(err, "%s: %s", path, why);
}

int pdump_stream_files_grow(struct pdump_stream_files *s, int n)
{
    int room = s->room ? 2 * s->room : 64;
    void *rows, *samples, *events, *ranks, *files;

    if (s->stream.n_pieces + n + 1 <= s->room)
        return PDUMP_OK;
    while (room < s->stream.n_pieces + n + 1)
        room *= 2;
    rows = realloc(s->row_ptr, (size_t)room * sizeof(*s->row_ptr));
    s->row_ptr = rows ? rows : s->row_ptr;
    samples = realloc(s->sample_ptr, (size_t)room * sizeof(*s->sample_ptr));
    s->sample_ptr = samples ? samples : s->sample_ptr;
    events = realloc(s->event_ptr, (size_t)room * sizeof(*s->event_ptr));
    s->event_ptr = events ? events : s->event_ptr;
    ranks = realloc(s->rank, (size_t)room * sizeof(*s->rank));
    s->rank = ranks ? ranks : s->rank;
    files = realloc(s->file_of, (size_t)room * sizeof(*s->file_of));
    s->file_of = files ? files : s->file_of;
    if (!rows || !samples || !events || !ranks || !files)
        return pdump_no_memory();
    s->room = room;
    return PDUMP_OK;
}

static int add_pieces(struct pdump_stream_files *s, int file,
                      const struct pdump_dump_copy *copy)
{
    struct pdump_stream *cut, *out = &s->stream;
    int err = pdump_stream_of(copy->from, &cut);

    if (err < 0)
        return err;
    err = pdump_stream_files_grow(s, cut->n_pieces);
    for (int i = 0; err >= 0 && i < cut->n_pieces; i++) {
        int at = out->n_pieces++;
        int64_t from = cut->sample_ptr[i], to = cut->sample_ptr[i + 1];
        uint64_t keys = pdump_stream_keys(copy->from, copy->nodes, from, to);

        if (at == 0)
            s->keys = keys;
        s->row_ptr[at + 1] =
            s->row_ptr[at] + cut->row_ptr[i + 1] - cut->row_ptr[i];
        s->sample_ptr[at + 1] = s->sample_ptr[at] + to - from;
        s->event_ptr[at + 1] =
            s->event_ptr[at] + cut->event_ptr[i + 1] - cut->event_ptr[i];
        s->rank[at] = cut->rank[i];
        s->file_of[at] = file;
        out->is_regular = out->is_regular && keys == s->keys;
    }
    out->event_bytes += cut->event_bytes;
    pdump_stream_free(cut);
    return err;
}

/* Adds the nodes of one file, and marks those that have rows. */
static int mark_rows(struct pdump_stream_files *s,
                     const struct pdump_dump_copy *copy)
{
    const struct pdump_dump *dump = copy->from;
    int n = s->n_nodes;
    bool *has_row;

    for (int i = 0; i < dump->n_nodes; i++)
        n = copy->nodes[i] < n ? n : copy->nodes[i] + 1;
    has_row = realloc(s->has_row, (size_t)n + 1);
    if (!has_row)
        return pdump_no_memory();
    memset(has_row + s->n_nodes, 0, (size_t)(n - s->n_nodes));
    for (int64_t i = 0; i < dump->n_rows; i++)
        has_row[copy->nodes[dump->rows[i].node]] = true;
    s->has_row = has_row;
    s->n_nodes = n;
    return PDUMP_OK;
}

/* Adds everything but the rows. */
int pdump_stream_files_add(struct pdump_stream_files *s,
                           struct pdump_builder *b, int i)
{
    struct pdump_stream_file *file = &s->files[i];
    struct pdump_dump_copy copy = { .to = b };
    bool is_live = pdump_reader_is_live(file->path);
    struct pdump_dump *dump;
    int err = pdump_reader_load(file->path, &dump);

    if (err < 0)
        return pdump_stream_files_named(file->path, err);
    file->first_piece = s->stream.n_pieces;
    file->has_stats = dump->stats != NULL;
    copy.from = dump;
    err = pdump_dump_copy_tree(&copy);
    if (err >= 0)
        err = pdump_dump_copy_threads(&copy);
    if (err >= 0)
        err = add_pieces(s, i, &copy);
    if (err >= 0)
        err = mark_rows(s, &copy);
    if (err >= 0)
        err = pdump_dump_copy_details(&copy);
    if (err >= 0)
        err = pdump_dump_copy_metadata(&copy);
    if (err >= 0)
        err = pdump_dump_copy_warnings(&copy);
    if (err >= 0)
        err = pdump_run_groups_add(&s->runs, dump);
    file[1].first_thread = file->first_thread + dump->n_threads;
    file[1].first_piece = s->stream.n_pieces;
    pdump_dump_copy_free(&copy);
    if (is_live)
        file->kept = dump;
    else
        pdump_dump_free(dump);
    return pdump_stream_files_named(file->path, err);
}

static const char *rank_span(int64_t low, int64_t high, char *buf, size_t len)
{
    if (low == high)
        snprintf(buf, len, "%lld", (long long)low);
    else
        snprintf(buf, len, "%lld-%lld", (long long)low, (long long)high);
    return buf;
}

int pdump_stream_files_note(const struct pdump_stream_files *s,
                            struct pdump_builder *b)
{
    char key[80], value[PATH_MAX + 40], old[50], new[50];
    int err;

    snprintf(value, sizeof(value), "%d", s->n_files);
    err = pdump_builder_metadata(b, "merged_files", value);
    snprintf(value, sizeof(value), "%lld", (long long)s->runs.n_ranks);
    if (err >= 0 && s->runs.n_shifted > 0)
        err = pdump_builder_metadata(b, "ranks", value);
    for (int i = 0; err >= 0 && i < s->n_files; i++) {
        const struct pdump_run_groups_file *run = &s->runs.files[i];

        if (run->run != i || !run->is_again || s->runs.n_shifted == 0)
            continue;
        rank_span(run->low, run->high, old, sizeof(old));
        rank_span(run->low + run->shift, run->high + run->shift, new,
                  sizeof(new));
        snprintf(key, sizeof(key), "merged_rank.%s", new);
        snprintf(value, sizeof(value), "%s of %s", old, s->files[i].path);
        err = pdump_builder_metadata(b, key, value);
    }
    return err;
}
