/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the timeline into the data of the page: a box for every visit of a
 * region, thread by thread, then the messages.
 *
 * The number of boxes is limited.  Events are read once to count the visits by
 * length, and a second time to write the visits that are long enough.  A visit
 * is never longer than the visit around it, so a box always has its surrounding
 * box.  The exception is the shortest length that still has room: only every
 * n-th visit of that length is written.
 */
#include "write_timeline.h"

#include "base/json.h"
#include "write/event_intervals.h"
#include "write/message_match.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    BOXES_MAX = 180000,
    MARKERS_MAX = 5000,
    MESSAGES_MAX = 15000, /* two ends each: 215 000 events in all */
    LANES_MAX = 256,      /* if there are more: every n-th */
    PARTS = 8,            /* classes of length per power of two */
    LENGTHS = 64 * PARTS,
};

struct timeline {
    FILE *f;
    const struct figures *figures;
    const struct pdump_dump *piece;
    int lane;        /* index over all pieces */
    int64_t *starts; /* start times of the open visits */
    int64_t n_starts;
    int64_t room;
    bool is_writing;
    /* Result of the first reading. */
    int64_t length[LENGTHS]; /* visits by class of length */
    int64_t n_boxes, n_markers, n_lanes;
    int64_t last;
    /* Chosen from that: ns per unit, the step of lanes, markers and messages,
     * the shortest class that is written, and the step of boxes in it. */
    int64_t unit;
    int64_t lane_step, marker_step, message_step, box_step;
    int least;
    /* State of the second reading. */
    int64_t n_least, nth_marker, n_written;
    int64_t before; /* end of the previous box */
    const char *between;
    struct pdump_event *markers; /* of the lane */
    int64_t n_kept;
};

/* Returns the class of a length: the power of two and the part of it. */
static int length_of(int64_t ns)
{
    int octave = 0;

    if (ns < PARTS)
        return (int)ns;
    while (ns >> octave >= 2 * PARTS)
        octave++;
    return (octave + 1) * PARTS + (int)(ns >> octave) - PARTS;
}

static void write_box(struct timeline *t, int node, int64_t start, int64_t end)
{
    int length = length_of(end - start);
    int64_t from = start / t->unit, to = end / t->unit;

    if (length < t->least ||
        (length == t->least && t->n_least++ % t->box_step != 0))
        return;
    fprintf(t->f, "%s%d,%" PRId64 ",%" PRId64, t->between,
            t->figures->number[node], to - t->before, to - from);
    t->before = to;
    t->between = ",";
    t->n_written++;
}

static int open_visit(struct timeline *t, int64_t time)
{
    if (t->n_starts == t->room) {
        int64_t room = t->room ? 2 * t->room : 64;
        int64_t *starts = realloc(t->starts, (size_t)room * sizeof(*t->starts));

        if (!starts)
            return pdump_no_memory();
        t->starts = starts;
        t->room = room;
    }
    t->starts[t->n_starts++] = time;
    return PDUMP_OK;
}

static void close_visit(struct timeline *t, const struct pdump_event *event)
{
    int64_t start = t->starts[--t->n_starts];

    /* The page omits small parts of the tree. */
    if (!t->is_writing)
        t->n_boxes++;
    if (t->figures->number[event->node] < 0)
        return;
    if (t->is_writing)
        write_box(t, (int)event->node, start, event->time);
    else
        t->length[length_of(event->time - start)]++;
}

/* Boxes are written immediately, markers after all boxes of the lane. */
static void see_marker(struct timeline *t, const struct pdump_event *event)
{
    if (!t->is_writing)
        t->n_markers++;
    else if (t->nth_marker++ % t->marker_step == 0)
        t->markers[t->n_kept++] = *event;
}

static int see_event(struct timeline *t, const struct pdump_event *event)
{
    if (event->time > t->last)
        t->last = event->time;
    if (event->kind == PDUMP_EVENT_ENTER)
        return open_visit(t, event->time);
    if (event->kind == PDUMP_EVENT_LEAVE)
        close_visit(t, event);
    else if (event->kind == PDUMP_EVENT_MARKER ||
             event->kind == PDUMP_EVENT_LOST)
        see_marker(t, event);
    return PDUMP_OK;
}

static int read_lane(struct timeline *t, int lane)
{
    struct pdump_event_interval track;
    struct pdump_event event;
    int got, err = PDUMP_OK;

    t->n_starts = 0;
    pdump_event_interval_open(&track, t->piece, lane);
    while (err >= 0 && (got = pdump_event_interval_next(&track, &event)) != 0)
        err = got < 0 ? got : see_event(t, &event);
    pdump_event_interval_close(&track);
    return err;
}

static void write_markers(struct timeline *t)
{
    for (int64_t i = 0; i < t->n_kept; i++) {
        const struct pdump_event *marker = &t->markers[i];
        bool is_lost = marker->kind == PDUMP_EVENT_LOST;

        fprintf(t->f, "%s%" PRId64 ",%" PRId64 ",%" PRId64, i ? "," : "",
                marker->time / t->unit, is_lost ? -1 : marker->what,
                marker->value);
    }
}

static int write_lane(struct timeline *t, int lane)
{
    const struct pdump_dump_thread *thread =
        &t->piece->threads[t->piece->lanes[lane].thread];
    const struct pdump_dump_process *process =
        &t->piece->processes[thread->process];
    int err;

    fprintf(t->f, "%s{\"rank\":%d,\"pid\":%" PRId64 ",\"thread\":%d,\"name\":",
            t->lane ? ",\n" : "", process->rank, process->pid, thread->number);
    pdump_json_string(t->f, "", thread->name);
    fputs(",\"boxes\":[", t->f);
    t->before = t->n_kept = 0;
    t->between = "";
    err = read_lane(t, lane);
    fputs("],\"markers\":[", t->f);
    write_markers(t);
    fputs("]}", t->f);
    return err;
}

/* Reads or writes the shown lanes of all pieces. */
static int for_lanes(struct timeline *t, struct pdump_stream *in)
{
    int err = PDUMP_OK;

    t->lane = 0;
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &t->piece);
        for (int k = 0; err >= 0 && k < t->piece->n_lanes; k++, t->lane++)
            if (t->lane % t->lane_step == 0)
                err = t->is_writing ? write_lane(t, k) : read_lane(t, k);
    }
    return err;
}

static int64_t step_for(int64_t n, int64_t max)
{
    return n > max ? (n + max - 1) / max : 1;
}

/* Chooses how much is written. */
static int choose_events(struct timeline *t,
                         const struct pdump_message_match *messages)
{
    int64_t room = BOXES_MAX;

    t->unit = step_for(t->last, INT32_MAX);
    t->marker_step = step_for(t->n_markers, MARKERS_MAX);
    t->message_step = step_for(messages->n, MESSAGES_MAX);
    t->least = LENGTHS;
    while (t->least > 0 && t->length[t->least - 1] <= room)
        room -= t->length[--t->least];
    t->box_step = 1;
    if (t->least > 0) {
        t->least--;
        t->box_step =
            room > 0 ? step_for(t->length[t->least], room) : INT64_MAX;
    }
    t->markers = calloc((size_t)MARKERS_MAX + 1, sizeof(*t->markers));
    return t->markers ? PDUMP_OK : pdump_no_memory();
}

static void write_end(struct timeline *t, int lane, int64_t number,
                      const struct pdump_event *event)
{
    fprintf(t->f, "%s%" PRId64 ",%d,%d,%" PRId64 ",%" PRId64 ",%d", t->between,
            number, (int)((t->lane + lane) / t->lane_step),
            event->kind == PDUMP_EVENT_SEND, event->time / t->unit,
            event->value,
            event->node < 0 ? -1 : t->figures->number[event->node]);
    t->between = ",";
}

/* Writes both ends of every message as they are found.  The page joins them by
 * the message's number. */
static int write_messages(struct timeline *t,
                          struct pdump_message_match *messages)
{
    struct pdump_event_intervals tracks;
    struct pdump_event event;
    int got = pdump_event_intervals_open(&tracks, t->piece), lane;

    if (got < 0)
        return got;
    while ((got = pdump_event_intervals_next(&tracks, &event, &lane)) > 0) {
        int thread = t->piece->lanes[lane].thread;
        int process = t->piece->threads[thread].process;
        int64_t number = pdump_message_match_number(
            messages, t->piece->processes[process].rank, &event);

        if (number > 0 && number % t->message_step == 0 &&
            (t->lane + lane) % t->lane_step == 0)
            write_end(t, lane, number, &event);
    }
    pdump_event_intervals_close(&tracks);
    return got;
}

static int write_all(struct timeline *t, struct pdump_stream *in,
                     struct pdump_message_match *messages)
{
    int err;

    fprintf(t->f, "{\"unit\":%" PRId64 ",\"last\":%" PRId64 ",\"lanes\":[",
            t->unit, t->last / t->unit);
    t->is_writing = true;
    err = for_lanes(t, in);
    fputs("],\n\"messages\":[", t->f);
    t->between = "";
    t->lane = 0;
    for (int i = 0; messages->n > 0 && err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &t->piece);
        if (err < 0)
            break;
        err = write_messages(t, messages);
        t->lane += t->piece->n_lanes;
    }
    fprintf(t->f,
            "],\"shown\":%" PRId64 ",\"all\":%" PRId64 ",\"all_lanes\":%" PRId64
            ",\"per_message\":%" PRId64 ",\"per_marker\":%" PRId64 "}",
            t->n_written, t->n_boxes, t->n_lanes, t->message_step,
            t->marker_step);
    return err;
}

static int count_lanes(struct timeline *t, struct pdump_stream *in)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        err = in->piece(in, i, &t->piece);
        if (err >= 0)
            t->n_lanes += t->piece->n_lanes;
    }
    t->lane_step = step_for(t->n_lanes, LANES_MAX);
    return err;
}

int html_write_timeline(FILE *f, const struct figures *figures,
                        struct pdump_stream *in)
{
    struct timeline t = { .f = f, .figures = figures };
    struct pdump_message_match messages;
    int err = pdump_message_match_of(in, &messages);

    fputs(",\n\"timeline\":", f);
    if (err >= 0 && messages.n_events == 0) {
        fputs("null", f);
        goto out;
    }
    if (err >= 0)
        err = count_lanes(&t, in);
    if (err >= 0)
        err = for_lanes(&t, in);
    if (err >= 0)
        err = choose_events(&t, &messages);
    if (err >= 0)
        err = write_all(&t, in, &messages);
out:
    free(t.starts);
    free(t.markers);
    pdump_message_match_free(&messages);
    return err;
}
