/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * speedscope's own format: a profile per thread, with frames that all share.
 *
 * Profiles are lists of opened and closed frames, not of whole stacks with
 * weights: these would be too large for deep recursions.  A frame is open for
 * its own time, and then for the frames inside.  If a thread has events, frames
 * have their real times.
 */
#include "base/json.h"
#include "base/utf8.h"
#include "dump/tree_walk.h"
#include "stream/stack_weights.h"
#include "write/event_intervals.h"
#include "write/sink.h"

#include <pdump.h>
#include <stdlib.h>

static void put_frames(FILE *f, const struct pdump_dump *dump)
{
    fputs("\"shared\":{\"frames\":[", f);
    for (int i = 0; i < dump->n_regions; i++) {
        const struct pdump_dump_region *region = &dump->regions[i];

        pdump_json_string(f, i ? ",\n{\"name\":" : "\n{\"name\":",
                          pdump_utf8_name(region->name));
        if (region->file[0])
            pdump_json_string(f, ",\"file\":", region->file);
        if (region->line > 0)
            pdump_json_int(f, ",\"line\":", region->line);
        putc_unlocked('}', f);
    }
    fputs("]},\n", f);
}

static void put_title(FILE *f, const struct pdump_dump *dump, int index)
{
    const struct pdump_dump_thread *thread = &dump->threads[index];
    const struct pdump_dump_process *process =
        &dump->processes[thread->process];
    char title[256];
    int n = 0;

    if (dump->n_processes > 1)
        n = snprintf(title, sizeof(title), "rank %d, process %lld, ",
                     process->rank, (long long)process->pid);
    n += snprintf(title + n, sizeof(title) - (size_t)n, "thread %d",
                  thread->number);
    if (thread->name[0])
        snprintf(title + n, sizeof(title) - (size_t)n, ": %s", thread->name);
    pdump_json_string(f, "{\"type\":\"evented\",\"name\":", title);
}

static void put_event(FILE *f, const struct pdump_dump *dump, bool is_end,
                      int node, int64_t time)
{
    pdump_json_int(
        f, is_end ? "{\"type\":\"C\",\"frame\":" : "{\"type\":\"O\",\"frame\":",
        dump->nodes[node].region);
    pdump_json_int(f, ",\"at\":", time);
    putc_unlocked('}', f);
}

/* Writes the thread whose rows begin at `first`.  Returns their number. */
static int64_t put_profile(FILE *f, struct pdump_tree_walk *walk,
                           const struct pdump_dump *dump, int64_t first,
                           const int64_t *self)
{
    int64_t n = pdump_tree_walk_rows(walk, dump, first), now = 0;
    const char *before = "\n";
    bool is_leaving;
    int i;

    if (n < 0)
        return n;
    put_title(f, dump, dump->rows[first].thread);
    fputs(",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[", f);
    while ((i = pdump_tree_walk_step(walk, &is_leaving)) >= 0) {
        fputs_unlocked(before, f);
        put_event(f, dump, is_leaving, dump->rows[first + i].node, now);
        before = ",\n";
        if (!is_leaving)
            now = pdump_node_totals_plus(
                now, pdump_node_totals_positive(self[first + i]));
    }
    pdump_json_int(f, "],\"endValue\":", now);
    putc_unlocked('}', f);
    return n;
}

/* Writes a thread that has events. */
static int put_lane(FILE *f, const struct pdump_dump *dump, int lane)
{
    const char *before = "\n";
    struct pdump_event_interval track;
    struct pdump_event event;
    int got;

    put_title(f, dump, dump->lanes[lane].thread);
    fputs(",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[", f);
    pdump_event_interval_open(&track, dump, lane);
    while ((got = pdump_event_interval_next(&track, &event)) > 0) {
        if (event.kind != PDUMP_EVENT_ENTER && event.kind != PDUMP_EVENT_LEAVE)
            continue;
        fputs_unlocked(before, f);
        put_event(f, dump, event.kind == PDUMP_EVENT_LEAVE, (int)event.node,
                  event.time);
        before = ",\n";
    }
    pdump_event_interval_close(&track);
    pdump_json_int(f, "],\"endValue\":", dump->lanes[lane].last);
    putc_unlocked('}', f);
    return got;
}

/* Writes the rank of a piece; `before` is the text before the next profile. */
static int put_piece(FILE *f, const struct pdump_dump *piece, int time,
                     struct pdump_tree_walk *walk, const char **before)
{
    int64_t n = 0, *weights;
    int err;

    for (int i = 0; n >= 0 && i < piece->n_lanes; i++) {
        fputs(*before, f);
        n = put_lane(f, piece, i);
        *before = ",\n";
    }
    if (piece->n_lanes > 0)
        return (int)n;
    err = pdump_stack_weights_rows(piece, time, &weights);
    if (err < 0)
        return err;
    for (int64_t row = 0; n >= 0 && row < piece->n_rows; row += n) {
        fputs(*before, f);
        n = put_profile(f, walk, piece, row, weights);
        *before = ",\n";
    }
    free(weights);
    return n < 0 ? (int)n : PDUMP_OK;
}

static int put_profiles(FILE *f, struct pdump_stream *in, int time)
{
    struct pdump_tree_walk walk = { 0 };
    const struct pdump_dump *piece;
    const char *before = "\n";
    int err = PDUMP_OK;

    fputs("\"profiles\":[", f);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &piece);
        if (err >= 0)
            err = put_piece(f, piece, time, &walk, &before);
    }
    putc_unlocked(']', f);
    pdump_tree_walk_free(&walk);
    return err;
}

static int put_document(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    const char *command = pdump_dump_metadata(in->tables, "command");
    int time = pdump_sink_time(in->tables), err;

    if (time < 0)
        return time;
    fputs("{\"$schema\":"
          "\"https://www.speedscope.app/file-format-schema.json\",\n",
          f);
    put_frames(f, in->tables);
    err = put_profiles(f, in, time);
    pdump_json_string(f, ",\n\"name\":", command ? command : "libpdump");
    fprintf(f, ",\n\"activeProfileIndex\":0,\"exporter\":\"libpdump %s\"}\n",
            pdump_version());
    return err;
}

static int speedscope_write(struct pdump_stream *in,
                            const struct pdump_new_file *file)
{
    return pdump_node_totals_print_rows(in, file, put_document);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".speedscope.json", .write = speedscope_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_speedscope = {
    .name = "speedscope",
    .about = "times of every thread, for speedscope.app",
    .has_stacks = true,
    .parts = parts,
};
