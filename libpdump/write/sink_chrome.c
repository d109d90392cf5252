/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace events for Perfetto and chrome://tracing.
 *
 * A profile has no timeline: its regions are laid out one after the other, each
 * as long as it took in total, and the trace says so.  For a rank that has
 * events, these are written instead (sink_chrome_events.c).  Samples and steps
 * have a time, and are written as separate processes.  Stacks are part of the
 * profile.
 */
#include "base/json.h"
#include "base/utf8.h"
#include "dump/tree_walk.h"
#include "stream/stack_weights.h"
#include "write/sink.h"
#include "write/sink_chrome_events.h"

#include <pdump.h>
#include <stdlib.h>

/* Times are in µs, with three digits for nanoseconds. */
enum { DIGITS = 3 };

struct tracing {
    FILE *f;
    const struct pdump_dump *dump; /* the piece */
    int time;
    struct pdump_tree_walk walk;
    int64_t *weights; /* by row */
    int64_t *length;  /* by place of the walk */
    int64_t room;
    struct pdump_message_match messages;
};

/* Numbers in the trace start at 1, because some readers take 0 for the
 * kernel. */
static void put_ids(const struct tracing *t, int thread, bool is_sample)
{
    const struct pdump_dump *dump = t->dump;

    pdump_json_int(t->f, "\"pid\":",
                   dump->threads[thread].process + 1 +
                       (is_sample ? dump->n_processes : 0));
    pdump_json_int(t->f,
                   ",\"tid\":", thread + 1 + (is_sample ? dump->n_threads : 0));
}

static void put_name(const struct tracing *t, int thread, bool is_sample,
                     const char *what, const char *name)
{
    fputs(",\n{\"ph\":\"M\",", t->f);
    put_ids(t, thread, is_sample);
    pdump_json_string(t->f, ",\"name\":", what);
    pdump_json_string(t->f, ",\"args\":{\"name\":", name);
    fputs("}}", t->f);
}

static void put_names(const struct tracing *t, int index, bool is_sample)
{
    const struct pdump_dump_thread *thread = &t->dump->threads[index];
    const struct pdump_dump_process *process =
        &t->dump->processes[thread->process];
    char text[256];

    snprintf(text, sizeof(text), "rank %d, pid %lld%s%.64s: %s", process->rank,
             (long long)process->pid, process->host[0] ? " on " : "",
             process->host,
             is_sample          ? "samples"
             : t->dump->n_lanes ? "timeline"
                                : "profile, not a timeline");
    put_name(t, index, is_sample, "process_name", text);
    snprintf(text, sizeof(text), "thread %d%s%.200s", thread->number,
             thread->name[0] ? ": " : "", thread->name);
    put_name(t, index, is_sample, "thread_name", text);
}

/* Writes an event up to its arguments; times are in ns. */
static void begin_event(const struct tracing *t, int node, int64_t start,
                        int64_t length)
{
    const struct pdump_dump_region *region =
        &t->dump->regions[t->dump->nodes[node].region];

    pdump_json_string(t->f, ",\"name\":", pdump_utf8_name(region->name));
    pdump_json_string(t->f, ",\"cat\":", region->group);
    pdump_json_ns(t->f, ",\"ts\":", start, DIGITS);
    pdump_json_ns(t->f, ",\"dur\":", pdump_node_totals_positive(length),
                  DIGITS);
}

/* Writes one of the values of an event; `before` is the text before the
 * next. */
static void put_value(const struct tracing *t, int metric, int64_t value,
                      const char **before)
{
    if (metric == t->time || value == PDUMP_MISSING)
        return;
    pdump_json_string(t->f, *before, t->dump->metrics[metric].name);
    pdump_json_int(t->f, ":", value);
    *before = ",";
}

static void put_row(const struct tracing *t, int64_t i, int64_t start,
                    int64_t length)
{
    const struct pdump_dump_row *row = &t->dump->rows[i];
    const char *before = ",\"sum\":{";

    fputs_unlocked(",\n{\"ph\":\"X\",", t->f);
    put_ids(t, row->thread, false);
    begin_event(t, row->node, start, length);
    pdump_json_int(t->f, ",\"args\":{\"visits\":", row->visits);
    if (row->is_open)
        fputs_unlocked(",\"open\":true", t->f);
    for (int m = 0; m < t->dump->n_metrics; m++)
        put_value(t, m, pdump_dump_figure(t->dump, m, i), &before);
    fputs_unlocked(before[1] ? "}}" : "}}}", t->f);
}

/* Computes the length of each region of the walk: its own time and that of the
 * regions inside. */
static int measure_regions(struct tracing *t, int64_t first, int64_t n)
{
    if (n > t->room || !t->length) {
        int64_t *length = realloc(t->length, ((size_t)n + 1) * sizeof(*length));

        if (!length)
            return pdump_no_memory();
        t->length = length;
        t->room = n;
    }
    for (int64_t i = 0; i < n; i++)
        t->length[i] = pdump_node_totals_positive(t->weights[first + i]);
    for (int64_t i = n - 1; i >= 0; i--)
        if (t->walk.parent[i] >= 0)
            t->length[t->walk.parent[i]] = pdump_node_totals_plus(
                t->length[t->walk.parent[i]], t->length[i]);
    return PDUMP_OK;
}

/* Writes the thread whose rows begin at `first`.  Returns their number. */
static int64_t put_thread(struct tracing *t, int64_t first)
{
    int64_t n = pdump_tree_walk_rows(&t->walk, t->dump, first), now = 0;
    int err = n < 0 ? (int)n : measure_regions(t, first, n), i;
    bool is_leaving;

    if (err < 0)
        return err;
    put_names(t, t->dump->rows[first].thread, false);
    while ((i = pdump_tree_walk_step(&t->walk, &is_leaving)) >= 0) {
        if (is_leaving)
            continue;
        put_row(t, first + i, now, t->length[i]);
        now = pdump_node_totals_plus(
            now, pdump_node_totals_positive(t->weights[first + i]));
    }
    return n;
}

static void put_samples(const struct tracing *t)
{
    for (int64_t i = 0; i < t->dump->n_samples; i++) {
        const struct pdump_dump_sample *sample = &t->dump->samples[i];
        const char *before = ",\"value\":{";

        if (i == 0 || sample[-1].thread != sample->thread)
            put_names(t, sample->thread, true);
        fputs_unlocked(",\n{\"ph\":\"X\",", t->f);
        put_ids(t, sample->thread, true);
        begin_event(t, sample->node, sample->start,
                    t->dump->sample_values[t->time][i]);
        pdump_json_int(t->f, ",\"args\":{\"number\":", sample->number);
        for (int m = 0; m < t->dump->n_metrics; m++)
            put_value(t, m, t->dump->sample_values[m][i], &before);
        fputs_unlocked(before[1] ? "}}" : "}}}", t->f);
    }
}

static int64_t put_threads(struct tracing *t)
{
    int64_t n = pdump_stack_weights_rows(t->dump, t->time, &t->weights);

    if (n < 0)
        return n;
    for (int64_t row = 0; n >= 0 && row < t->dump->n_rows; row += n)
        n = put_thread(t, row);
    free(t->weights);
    return n;
}

/* Writes the rank of a piece. */
static int put_piece(struct tracing *t)
{
    int64_t n = 0;

    for (int i = 0; i < t->dump->n_lanes; i++)
        put_names(t, t->dump->lanes[i].thread, false);
    if (t->dump->n_lanes > 0)
        n = pdump_chrome_events(t->f, t->dump, &t->messages);
    else
        n = put_threads(t);
    if (n >= 0)
        put_samples(t);
    return n < 0 ? (int)n : PDUMP_OK;
}

/* Writes everything but events, and the first event: the others begin with a
 * comma. */
static void put_head(FILE *f, const struct pdump_stream *in,
                     const struct pdump_message_match *messages)
{
    const struct pdump_dump *dump = in->tables;

    fprintf(f,
            "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"exporter\":"
            "\"libpdump %s\",\n",
            pdump_version());
    fputs("\"profile\":\"not a timeline: the regions of each thread are laid "
          "out one after the other, each as long as all its visits together\"",
          f);
    if (messages->n_events > 0)
        fputs(",\n\"events\":\"a timeline: of the ranks that have events, "
              "which are shown instead of their profile\"",
              f);
    if (messages->n_left_out > 0)
        pdump_json_int(f,
                       ",\n\"messages_without_arrow\":", messages->n_left_out);
    if (in->sample_ptr[in->n_pieces] > 0)
        fputs(",\n\"samples\":\"a timeline: at the times when they were "
              "taken\"",
              f);
    fputs(",\n\"run\":{", f);
    for (int i = 0; i < dump->n_metadata; i++) {
        pdump_json_string(f, i ? ",\n" : "\n", dump->metadata[i].key);
        pdump_json_string(f, ":", dump->metadata[i].value);
    }
    fputs("}},\n\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"tid\":1,"
          "\"name\":\"process_sort_index\",\"args\":{\"sort_index\":0}}",
          f);
}

static int put_document(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    struct tracing t = { .f = f, .time = pdump_sink_time(in->tables) };
    int err = t.time < 0 ? t.time : pdump_message_match_of(in, &t.messages);

    put_head(f, in, &t.messages);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &t.dump);
        if (err >= 0)
            err = put_piece(&t);
    }
    fputs("]}\n", f);
    pdump_tree_walk_free(&t.walk);
    pdump_message_match_free(&t.messages);
    free(t.length);
    return err;
}

static int chrome_write(struct pdump_stream *in,
                        const struct pdump_new_file *file)
{
    return pdump_node_totals_print_rows(in, file, put_document);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".trace.json", .write = chrome_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_chrome = {
    .name = "chrome",
    .about = "trace events, for ui.perfetto.dev and chrome://tracing",
    .has_stacks = true,
    .parts = parts,
};
